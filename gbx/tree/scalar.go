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

// A single value has two forms. The form for people is short and may be
// incomplete. The JSON form is complete:
//
//   - a float that JSON cannot express is {"bits": "7FC00000"};
//   - bytes, and text that is not UTF-8, are {"base64": "…"};
//   - an ID is its text, its number, or null; an ID with an unusual word is
//     {"text": "…", "word": "80000000"};
//   - a time is in milliseconds, null for no time;
//   - a bool is true or false, or its number if that is neither 0 nor 1;
//   - class IDs and hashes are hex digits;
//   - an enum is its name.

// appendJSON appends the JSON form of the value at p. exact means that an ID has an
// unusual word.
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
	if !isPlain(s) && !utf8.ValidString(s) {
		return appendBase64(b, []byte(s))
	}
	return appendString(b, s)
}

// isPlain reports whether a text is the same in JSON.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x7f {
			return false
		}
	}
	return true
}

func appendString(b []byte, s string) []byte {
	if isPlain(s) {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	quoted, _ := json.Marshal(s) // cannot fail for a string
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

// stringer is an enum.
type stringer interface{ String() string }

// enumName returns the name of the value of an enum, and whether it has one.
func enumName(v reflect.Value) (string, bool) {
	if v.Kind() != reflect.Uint32 {
		return "", false
	}
	s, ok := v.Addr().Interface().(stringer) // the address avoids a copy
	if !ok {
		return "", false
	}
	name := s.String()
	if name == "" || name[0] >= '0' && name[0] <= '9' && !strings.HasPrefix(name, "0x") {
		return "", false
	}
	return name, true
}

// enumNames caches, for each enum, the numbers of its names.
var enumNames sync.Map // from reflect.Type to map[string]uint32

// maxEnum limits the numbers that enumValue asks for names.
const maxEnum = 1024

// enumValue returns the number of an enum's name, or of several names joined by "|". Go
// types only map numbers to names, so the names of small numbers and of single bits are
// collected first.
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

// Text returns a single value in the form for people.
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

// blobText returns the number of bytes and the first of them.
func blobText(b []byte) string {
	const most = 16
	dots := ""
	head := b
	if len(b) > most {
		head, dots = b[:most], " …"
	}
	return strings.TrimRight(fmt.Sprintf("%d bytes: % x%s", len(b), head, dots), ": ")
}
