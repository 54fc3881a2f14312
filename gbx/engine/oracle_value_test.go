package engine_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf16"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
)

// value finds one value. It returns absent if the chunk with it is not in the
// file, or not understood.
type value func(s source) any

// table maps keys of the oracle, with dots between levels, to our values. A
// value for a key that holds an object must be an object too.
type table map[string]value

// absent stands for a value that a file does not have.
type absentValue struct{}

var absent = absentValue{}

// plain turns a value of ours into what the oracle's JSON would hold.
func plain(v any) any {
	switch v := v.(type) {
	case nil, absentValue, string, bool, float64, map[string]any:
		return v
	case gbx.Bool:
		return v.True()
	case gbx.Time:
		if v == gbx.NoTime {
			return nil
		}
	case gbx.ID:
		return v.String()
	case gbx.Ident:
		return []any{v.ID.String(), collection(v.Collection), v.Author.String()}
	case gbx.FileRef:
		return v.Path
	case gbx.Hash128:
		return hex.EncodeToString(v[:])
	case classid.ID:
		return fmt.Sprintf("%08X", uint32(v))
	case []byte:
		sum := sha256.Sum256(v)
		return map[string]any{"len": float64(len(v)), "sha256": hex.EncodeToString(sum[:])}
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Slice, reflect.Array:
		list := make([]any, r.Len())
		for i := range list {
			list[i] = plain(r.Index(i).Interface())
		}
		return list
	case reflect.Struct: // vectors
		list := make([]any, r.NumField())
		for i := range list {
			list[i] = plain(r.Field(i).Interface())
		}
		return list
	case reflect.Float32, reflect.Float64:
		return r.Float()
	}
	if r.CanInt() {
		return float64(r.Int())
	}
	return float64(r.Uint())
}

// collection is the number or the name of a collection, nil for none.
func collection(id gbx.ID) any {
	if n, ok := id.Number(); ok {
		return float64(n)
	}
	if s, ok := id.Name(); ok {
		return s
	}
	return nil
}

// body finds a value by its name in Go, in the first of the given chunks that
// the node has.
func body(field string, chunks ...classid.ID) value {
	return func(s source) any {
		for _, id := range chunks {
			if b := bodyChunk(s.node, id); b != nil {
				return fieldOf(b, field)
			}
		}
		return absent
	}
}

// head is body for chunks of the file's header.
func head(field string, chunks ...classid.ID) value {
	return func(s source) any {
		for _, id := range chunks {
			for i := range s.file.Chunks {
				c := &s.file.Chunks[i]
				if _, opaque := c.Body.(*gbx.Opaque); c.ID.Latest() == id && !opaque {
					return fieldOf(c.Body, field)
				}
			}
		}
		return absent
	}
}

// bodyChunk is the last chunk of the given number.
func bodyChunk(n *gbx.Node, id classid.ID) gbx.Body {
	if n == nil {
		return nil
	}
	for _, c := range slices.Backward(n.Chunks) {
		if _, opaque := c.Body.(*gbx.Opaque); c.ID.Latest() == id && !opaque {
			return c.Body
		}
	}
	return nil
}

// fieldOf follows names with dots between them.
func fieldOf(v any, path string) any {
	r := reflect.ValueOf(v)
	for name := range strings.SplitSeq(path, ".") {
		for r.Kind() == reflect.Pointer {
			if r.IsNil() {
				return absent
			}
			r = r.Elem()
		}
		if r = r.FieldByName(name); !r.IsValid() {
			panic(fmt.Sprintf("%T has no %s", v, path))
		}
	}
	return r.Interface()
}

// from is the version-dependent presence of a value: it is absent where the
// chunk's version is lower.
func from(version int, v, versionOf value) value {
	return func(s source) any {
		n, ok := plain(versionOf(s)).(float64)
		if !ok || int(n) < version {
			return absent
		}
		return v(s)
	}
}

// first is the first value that is there.
func first(values ...value) value {
	return func(s source) any {
		for _, v := range values {
			if got := v(s); got != absent {
				return got
			}
		}
		return absent
	}
}

// count is the length of a list.
func count(v value) value {
	return func(s source) any {
		got := v(s)
		if got == absent {
			return absent
		}
		return float64(reflect.ValueOf(got).Len())
	}
}

// textLen is the length of a text in UTF-16, as the other implementation has
// texts.
func textLen(v value) value {
	return func(s source) any {
		if text, ok := v(s).(string); ok {
			return len(utf16.Encode([]rune(text)))
		}
		return absent
	}
}

// signed is a number that is negative in the oracle where we have a large one.
func signed(v value) value {
	return func(s source) any {
		if n, ok := v(s).(uint32); ok {
			return int32(n)
		}
		return absent
	}
}

// in takes a value from the node a reference leads to.
func in(ref, v value) value {
	return func(s source) any {
		if n := follow(ref(s)); n != nil {
			return v(source{s.file, n, s.size})
		}
		return absent
	}
}

func follow(ref any) *gbx.Node {
	if r, ok := ref.(gbx.Ref); ok {
		return r.Node
	}
	return nil
}

// className names the class of the node a reference leads to.
func className(ref value) value {
	return func(s source) any {
		if n := follow(ref(s)); n != nil {
			return engine.Registry().ClassName(n.Class)
		}
		return absent
	}
}

// part is one member of a struct.
func part(v value, field string) value {
	return func(s source) any {
		if got := v(s); got != absent {
			return fieldOf(got, field)
		}
		return absent
	}
}

// chunkIDs lists the chunks of a node.
func chunkIDs(s source) any {
	var ids []string
	for _, c := range s.node.Chunks {
		ids = append(ids, fmt.Sprintf("%08X", uint32(c.ID.Latest())))
	}
	return ids
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
