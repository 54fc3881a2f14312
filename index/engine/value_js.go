package engine

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
	"syscall/js"
)

// SQLite's numbers of types.
const (
	typeInteger = 1 + iota
	typeFloat
	typeText
	typeBlob
	typeNull
)

// appendValue appends a value as database.js reads it.
func appendValue(b []byte, v driver.Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, typeNull)
	case int64:
		return binary.LittleEndian.AppendUint64(append(b, typeInteger), uint64(v))
	case bool:
		if v {
			return appendValue(b, int64(1))
		}
		return appendValue(b, int64(0))
	case float64:
		return binary.LittleEndian.AppendUint64(append(b, typeFloat), math.Float64bits(v))
	case string:
		return append(binary.LittleEndian.AppendUint32(append(b, typeText), uint32(len(v))), v...)
	case []byte:
		return append(binary.LittleEndian.AppendUint32(append(b, typeBlob), uint32(len(v))), v...)
	}
	panic(fmt.Sprintf("SQLite takes no %T", v))
}

// readValue reads a value that database.js wrote.
func readValue(b []byte) (v driver.Value, rest []byte) {
	kind, b := b[0], b[1:]
	switch kind {
	case typeInteger:
		return int64(binary.LittleEndian.Uint64(b)), b[8:]
	case typeFloat:
		return math.Float64frombits(binary.LittleEndian.Uint64(b)), b[8:]
	case typeNull:
		return nil, b
	}
	n := binary.LittleEndian.Uint32(b)
	content, rest := b[4:4+n], b[4+n:]
	if kind == typeText {
		return string(content), rest
	}
	return content, rest
}

func toJS(b []byte) js.Value {
	v := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(v, b)
	return v
}

func fromJS(v js.Value) []byte {
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}
