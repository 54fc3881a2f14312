package tree

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// A single value has two forms. The one for people is short and may leave
// something out; the one in JSON says everything:
//
//   - a float that JSON cannot hold is {"bits": "7FC00000"};
//   - text that is not UTF-8, and bytes, are {"base64": "…"};
//   - an ID is its text, its number, or null; where the file stores it
//     otherwise than usual, {"text": "…", "word": "80000000"};
//   - a time is in milliseconds, null for none;
//   - a bool word that is neither 0 nor 1 is that number;
//   - IDs are hex digits, and so are hashes;
//   - named numbers are their names.

// appendJSON appends the JSON form of the value at p.
func appendJSON(b []byte, p any, exact bool) []byte {
	switch p := p.(type) {
	case *string:
		return appendText(b, *p)
	case *gbx.ID:
		return appendID(b, *p, exact)
	case *float32:
		return appendFloat(b, *p)
	case *gbx.Bool:
		switch *p {
		case gbx.False, gbx.True:
			return strconv.AppendBool(b, p.True())
		}
		return strconv.AppendUint(b, uint64(*p), 10)
	case *gbx.Time:
		if *p == gbx.NoTime {
			return append(b, "null"...)
		}
		return strconv.AppendInt(b, int64(*p), 10)
	case *[]byte:
		return appendBase64(b, *p)
	case *gbx.Hash128:
		return appendHex(b, p[:])
	case *gbx.Hash256:
		return appendHex(b, p[:])
	case *classid.ID:
		return strconv.AppendQuote(b, p.String())
	case *gbx.Opaque:
		return appendBase64(b, p.Bytes)
	case *uint8:
		return strconv.AppendUint(b, uint64(*p), 10)
	case *uint16:
		return strconv.AppendUint(b, uint64(*p), 10)
	case *uint32:
		return strconv.AppendUint(b, uint64(*p), 10)
	case *int16:
		return strconv.AppendInt(b, int64(*p), 10)
	case *int32:
		return strconv.AppendInt(b, int64(*p), 10)
	}
	v := reflect.ValueOf(p).Elem()
	if name, ok := enumName(v); ok {
		return appendString(b, name)
	}
	if v.CanInt() {
		return strconv.AppendInt(b, v.Int(), 10)
	}
	return strconv.AppendUint(b, v.Uint(), 10)
}

func appendHex(b, data []byte) []byte {
	b = append(b, '"')
	b = hex.AppendEncode(b, data)
	return append(b, '"')
}

func appendBase64(b, data []byte) []byte {
	b = append(b, `{"base64":"`...)
	b = base64.StdEncoding.AppendEncode(b, data)
	return append(b, `"}`...)
}

func appendText(b []byte, s string) []byte {
	if !utf8.ValidString(s) {
		return appendBase64(b, []byte(s))
	}
	return appendString(b, s)
}

// appendString appends a JSON string.
func appendString(b []byte, s string) []byte {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	quoted, _ := json.Marshal(s) // of a string: cannot fail
	return append(b, quoted...)
}

func appendID(b []byte, id gbx.ID, exact bool) []byte {
	text, isText := id.Name()
	if exact {
		b = append(b, '{')
		if isText {
			b = append(b, `"text":`...)
			b = append(appendText(b, text), ',')
		}
		return fmt.Appendf(b, `"word":"%08X"}`, id.Word())
	}
	if isText {
		return appendText(b, text)
	}
	if n, ok := id.Number(); ok {
		return strconv.AppendUint(b, uint64(n), 10)
	}
	return append(b, "null"...)
}

func appendFloat(b []byte, f float32) []byte {
	if v := float64(f); math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Appendf(b, `{"bits":"%08X"}`, math.Float32bits(f))
	}
	if f == 0 && math.Signbit(float64(f)) {
		return append(b, "-0.0"...)
	}
	return strconv.AppendFloat(b, float64(f), 'g', -1, 32)
}

// stringer is a number with names.
type stringer interface{ String() string }

// enumName returns the name of a named number, and whether it has one.
func enumName(v reflect.Value) (string, bool) {
	if v.Kind() != reflect.Uint32 {
		return "", false
	}
	s, ok := v.Addr().Interface().(stringer) // its address, so that it need not be copied
	if !ok {
		return "", false
	}
	name := s.String()
	if name == "" || name[0] >= '0' && name[0] <= '9' && !strings.HasPrefix(name, "0x") {
		return "", false
	}
	return name, true
}

// enumNames caches the numbers behind the names of a type.
var enumNames sync.Map // reflect.Type to map[string]uint32

// maxEnum bounds the numbers that are looked at for names.
const maxEnum = 1024

// enumValue finds the number that a type gives a name, which may be several
// joined by "|". It asks the type for the names of all small numbers and
// single bits, because types only know the way from number to name.
func enumValue(t reflect.Type, name string) (uint32, bool) {
	cached, ok := enumNames.Load(t)
	if !ok {
		names := map[string]uint32{}
		v := reflect.New(t).Elem()
		learn := func(n uint32) {
			v.SetUint(uint64(n))
			if s, ok := enumName(v); ok && !strings.Contains(s, "|") {
				if _, taken := names[s]; !taken {
					names[s] = n
				}
			}
		}
		for n := range uint32(maxEnum) {
			learn(n)
		}
		for bit := range 32 {
			learn(1 << bit)
		}
		learn(math.MaxUint32)
		cached, _ = enumNames.LoadOrStore(t, names)
	}
	var sum uint32
	for part := range strings.SplitSeq(name, "|") {
		n, ok := cached.(map[string]uint32)[part]
		if !ok {
			hex, isHex := strings.CutPrefix(part, "0x")
			v, err := strconv.ParseUint(hex, 16, 32)
			if !isHex || err != nil {
				return 0, false
			}
			n = uint32(v)
		}
		sum |= n
	}
	return sum, true
}

// Text returns the form of a single value that people read.
func (v *Value) Text() string {
	switch p := v.p.(type) {
	case *string:
		return strconv.Quote(*p)
	case *gbx.ID:
		return idText(*p)
	case *float32:
		return strconv.FormatFloat(float64(*p), 'g', -1, 32)
	case *gbx.Bool:
		return p.String()
	case *gbx.Time:
		return p.String()
	case *[]byte:
		return blobText(*p)
	case *gbx.Hash128:
		return hex.EncodeToString(p[:])
	case *gbx.Hash256:
		return hex.EncodeToString(p[:])
	case *gbx.Opaque:
		return blobText(p.Bytes) + " (" + p.Reason + ")"
	}
	if v.p == nil {
		return ""
	}
	return fmt.Sprint(reflect.ValueOf(v.p).Elem().Interface())
}

func idText(id gbx.ID) string {
	text, ok := id.Name()
	switch {
	case ok:
		return strconv.Quote(text)
	case id.IsEmpty():
		return "none"
	}
	if n, ok := id.Number(); ok {
		return strconv.FormatUint(uint64(n), 10)
	}
	return fmt.Sprintf("unknown %08X", id.Word())
}

// blobText shows how many bytes there are and the first of them.
func blobText(b []byte) string {
	const most = 16
	dots := ""
	head := b
	if len(b) > most {
		head, dots = b[:most], " …"
	}
	return strings.TrimRight(fmt.Sprintf("%d bytes: % x%s", len(b), head, dots), ": ")
}
