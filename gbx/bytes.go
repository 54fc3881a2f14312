package gbx

import (
	"encoding/binary"

	"pakbox/fault"
)

// Hash128 reads or writes a 128-bit checksum.
func (x *Coder) Hash128(p *Hash128, name string) { x.fixed(p[:], p, name) }

// Hash256 reads or writes a 256-bit checksum.
func (x *Coder) Hash256(p *Hash256, name string) { x.fixed(p[:], p, name) }

func (x *Coder) fixed(b []byte, p any, name string) {
	at, ok := x.announce(name, p)
	if !ok {
		return
	}
	if x.writing {
		x.out = append(x.out, b...)
	} else {
		copy(b, x.take(len(b), name))
	}
	x.coded(name, p, at)
}

// String reads or writes a text: its length and its bytes; in a text file one line.
func (x *Coder) String(p *string, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		x.pos = i + 4
		*p = x.takeString(int(int32(binary.LittleEndian.Uint32(x.in[i:]))), name)
		return
	}
	if x.direct {
		x.put32(uint32(len(*p)))
		x.out = append(x.out, *p...)
		return
	}
	at, ok := x.announce(name, p)
	if !ok {
		return
	}
	switch {
	case x.text:
		*p = x.textString(*p, name)
	case x.writing:
		x.out = binary.LittleEndian.AppendUint32(x.out, uint32(len(*p)))
		x.out = append(x.out, *p...)
	default:
		n := int(int32(x.raw32(0, name)))
		*p = x.takeString(n, name)
	}
	x.coded(name, p, at)
}

// takeString returns the next n bytes as a string. Short texts share one piece of memory.
func (x *Coder) takeString(n int, name string) string {
	var b []byte
	if end := x.pos + n; n >= 0 && end <= len(x.in) {
		b = x.in[x.pos:end]
		x.pos = end
	} else {
		b = x.take(n, name)
	}
	if len(b) == 0 {
		return ""
	}
	w := &x.texts
	if n > w.Cap()-w.Len() {
		size := min(max(2*w.Cap(), minTexts), maxTexts)
		alone := n > size/4 // a long text gets its own memory
		if alone {
			size = n
		}
		if !x.charge(int64(size), name) {
			return ""
		}
		if alone {
			return string(b)
		}
		w.Reset()
		w.Grow(size)
	}
	w.Write(b)
	return w.String()[w.Len()-n:]
}

// The shared memory is small at first, which is enough for headers, and grows for maps.
const (
	minTexts = 128
	maxTexts = 4 << 10
)

// Data reads or writes a byte count and the bytes. They refer to the memory of the file:
// replace the slice, do not change its bytes.
func (x *Coder) Data(p *[]byte, name string) {
	at, ok := x.announce(name, p)
	if !ok {
		return
	}
	n := int(int32(x.word32(uint64(len(*p)), name)))
	x.bytes(p, n, name)
	x.coded(name, p, at)
}

// Bytes reads or writes n bytes. The file does not store n here; it follows from other
// values.
func (x *Coder) Bytes(p *[]byte, n int, name string) {
	at, ok := x.announce(name, p)
	if !ok {
		return
	}
	x.bytes(p, n, name)
	x.coded(name, p, at)
}

func (x *Coder) bytes(p *[]byte, n int, name string) {
	switch {
	case !x.writing:
		*p = x.take(n, name)
	case n != len(*p):
		x.Fail(fault.SizeMismatch, name, "has %d bytes where the other values call for %d", len(*p), n)
	default:
		x.out = append(x.out, *p...)
	}
}

// Marker reads or writes a fixed text without a length.
func (x *Coder) Marker(text string) {
	if x.dead() || x.source != nil {
		return
	}
	if x.writing {
		x.out = append(x.out, text...)
		return
	}
	if b := x.take(len(text), text); b != nil && string(b) != text {
		x.pos -= len(text)
		x.Fail(fault.Corrupt, "", "the text %q is missing", text)
	}
}
