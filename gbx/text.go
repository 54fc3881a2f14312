package gbx

import (
	"bytes"
	"math"
	"strconv"

	"pakbox/fault"
)

// In a text file every number and string is a line that ends with CR LF. A LF without CR
// is part of the string. Bytes and raw values are binary.

func (x *Coder) line(name string) []byte {
	if x.dead() {
		return nil
	}
	n := x.lineEnd()
	if n < 0 {
		x.Fail(fault.Truncated, name, "a line without an end")
		return nil
	}
	b := x.src[x.pos : x.pos+n]
	x.pos += n + 2
	return b
}

// lineEnd returns the length of the line, -1 for a line without an end.
func (x *Coder) lineEnd() int {
	for n := 0; ; {
		end := x.limit
		if x.feed != nil {
			end = max(min(x.limit, x.fed), x.pos+n)
		}
		if i := bytes.Index(x.src[x.pos+n:end], []byte("\r\n")); i >= 0 {
			return n + i
		}
		if end == x.limit || !x.fill(end-x.pos+1) {
			return -1
		}
		n = max(n, end-x.pos-1) // the last byte may be the CR of a line end that is not complete yet
	}
}

// badLine records an error for a line of the wrong kind or form.
func (x *Coder) badLine(line []byte, what, name string) {
	x.pos -= len(line) + 2
	const most = 40
	if len(line) > most {
		line = line[:most]
	}
	x.Fail(fault.Corrupt, name, "%q is not %s as a text file writes it", line, what)
}

func (x *Coder) eol() { x.out = append(x.out, '\r', '\n') }

func (x *Coder) textDecimal(v uint64, bits int, name string) uint64 {
	if x.writing {
		x.out = strconv.AppendUint(x.out, v, 10)
		x.eol()
		return v
	}
	b := x.line(name)
	if x.dead() {
		return 0
	}
	v, err := strconv.ParseUint(string(b), 10, bits)
	if err != nil || len(b) > 1 && b[0] == '0' {
		x.badLine(b, "a number", name)
	}
	return v
}

func (x *Coder) textHex(v uint64, name string) uint64 {
	if x.writing {
		x.out = strconv.AppendUint(x.out, v, 16)
		x.eol()
		return v
	}
	b := x.line(name)
	if x.dead() {
		return 0
	}
	v, err := strconv.ParseUint(string(b), 16, 32)
	if err != nil || string(strconv.AppendUint(nil, v, 16)) != string(b) {
		x.badLine(b, "a hexadecimal number", name)
	}
	return v
}

func (x *Coder) textBool(v uint64, name string) uint64 {
	if x.writing {
		switch v {
		case 0:
			x.out = append(x.out, "False"...)
		case 1:
			x.out = append(x.out, "True"...)
		default:
			x.Fail(fault.Corrupt, name, "a text file can only store True and False, not %d", v)
			return 0
		}
		x.eol()
		return v
	}
	b := x.line(name)
	switch {
	case x.dead():
	case string(b) == "False":
	case string(b) == "True":
		return 1
	default:
		x.badLine(b, "True or False", name)
	}
	return 0
}

// textFloat reads or writes a float, given by its bits. Like the games it writes six
// decimals, which gives the same text again.
func (x *Coder) textFloat(v uint64, name string) uint64 {
	if x.writing {
		x.out = strconv.AppendFloat(x.out, float64(math.Float32frombits(uint32(v))), 'f', 6, 64)
		x.eol()
		return v
	}
	b := x.line(name)
	if x.dead() {
		return 0
	}
	f, err := strconv.ParseFloat(string(b), 32)
	if err != nil || string(strconv.AppendFloat(nil, float64(float32(f)), 'f', 6, 64)) != string(b) {
		x.badLine(b, "a number with six decimals", name)
	}
	return uint64(math.Float32bits(float32(f)))
}

func (x *Coder) textString(s, name string) string {
	if x.writing {
		if bytes.Contains([]byte(s), []byte("\r\n")) {
			x.Fail(fault.Corrupt, name, "a string in a text file cannot hold a line end")
			return s
		}
		x.out = append(x.out, s...)
		x.eol()
		return s
	}
	b := x.line(name)
	if x.dead() || !x.charge(int64(len(b)), name) {
		return s
	}
	return string(b)
}
