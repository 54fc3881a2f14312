package tree

import (
	"bufio"
	"bytes"
	"io"
	"reflect"
	"strconv"

	"pakbox/gbx"
)

// A document is an object with these members:
//
//	header          version, letters, and what the header holds; its chunks
//	                are {"chunk": "03043003", "values": {…}}
//	body            the main node: {"class", "name", "chunks": […]}
//	recordedRuns    a digest of the replays and ghosts, which may not change
//	rest, trailer   bytes after the main node, and after a compressed body
//	compressedBody  the body as it was stored, used again while the values
//	                still say the same
//
// A reference to a node is null, {"index": 5}, or the node itself. A chunk
// that is not understood has "opaque" instead of "values", and a node that
// could not be read to its end has a "tail".

// WriteJSON writes the document's members, without the braces around them, so
// that a caller can put its own before them.
func (t *Tree) WriteJSON(w io.Writer) error {
	j := &jsonWriter{t: t, w: bufio.NewWriterSize(w, 64<<10)}
	f := t.File
	j.raw(`"header":{"version":`)
	j.buf = strconv.AppendUint(j.buf, uint64(f.Version), 10)
	j.raw(`,"letters":`)
	j.buf = appendString(j.buf, letters(&f.Header))
	if f.UserData.Raw != nil {
		j.raw(`,"userData":`)
		j.buf = appendBase64(j.buf, f.UserData.Raw)
	}
	j.header()
	j.raw(`},"body":`)
	j.value(&t.Body)
	if f.IdVersion == skipperIDs {
		j.raw(`,"idVersion":2`)
	}
	if runs := t.recordedRuns(); runs != "" {
		j.raw(`,"recordedRuns":"` + runs + `"`)
	}
	j.bytes("rest", f.Rest)
	j.bytes("trailer", f.Trailer)
	j.bytes("compressedBody", f.PackedBody())
	j.flush()
	return j.w.Flush()
}

// JSON returns a single value or a group in the form it has in a document.
func (t *Tree) JSON(v *Value) []byte {
	var b bytes.Buffer
	j := &jsonWriter{t: t, w: bufio.NewWriter(&b)}
	j.value(v)
	j.flush()
	j.w.Flush() // into memory: cannot fail
	return b.Bytes()
}

// skipperIDs is the version of Ids that a document must mention; the usual
// one goes without saying.
const skipperIDs = 2

// letters are those of the header; the last may be any byte.
func letters(h *gbx.Header) string {
	s := string([]byte{h.Format, h.RefCompression, h.BodyCompression})
	if h.Version >= 4 {
		s += string(rune(h.Unknown))
	}
	return s
}

type jsonWriter struct {
	t   *Tree
	w   *bufio.Writer
	buf []byte
}

func (j *jsonWriter) raw(s string) { j.buf = append(j.buf, s...) }

// flush hands on what has gathered; errors stick to the bufio.Writer.
func (j *jsonWriter) flush() {
	j.w.Write(j.buf)
	j.buf = j.buf[:0]
}

func (j *jsonWriter) bytes(name string, b []byte) {
	if len(b) > 0 {
		j.raw(`,"` + name + `":`)
		j.buf = appendBase64(j.buf, b)
	}
}

// header writes the header's chunks as a list and its other values by name.
func (j *jsonWriter) header() {
	if j.t.File.Version >= 6 && j.t.File.UserData.Raw == nil {
		j.raw(`,"chunks":[`)
		j.list(j.t.Header.Children, func(v *Value) bool { return v.Kind == Chunk })
		j.raw("]")
	}
	for i := range j.t.Header.Children {
		if v := &j.t.Header.Children[i]; v.Kind != Chunk {
			j.raw(",")
			j.member(v)
		}
	}
}

func (j *jsonWriter) member(v *Value) {
	j.buf = appendString(j.buf, v.Name)
	j.raw(":")
	j.value(v)
}

func (j *jsonWriter) list(values []Value, want func(*Value) bool) {
	first := true
	for i := range values {
		if v := &values[i]; want(v) {
			if !first {
				j.raw(",")
			}
			first = false
			j.value(v)
		}
	}
}

func (j *jsonWriter) members(values []Value) {
	for i := range values {
		if i > 0 {
			j.raw(",")
		}
		j.member(&values[i])
	}
}

func (j *jsonWriter) value(v *Value) {
	if len(j.buf) > 32<<10 {
		j.flush()
	}
	switch v.Kind {
	case Leaf:
		j.buf = appendJSON(j.buf, v.p, v.exact)
	case List:
		j.raw("[")
		j.list(v.Children, func(*Value) bool { return true })
		j.missing(v)
		j.raw("]")
	case Node:
		j.node(v)
	case Chunk:
		j.chunk(v)
	default:
		j.raw("{")
		j.members(v.Children)
		if e, ok := v.p.(*gbx.Encapsulation); ok && e.IdVersion == skipperIDs {
			j.raw(`,"idVersion":2`)
		}
		j.raw("}")
	}
}

// missing fills up a list that an opaque rest cut short, because its length
// is stored before it.
func (j *jsonWriter) missing(v *Value) {
	n := reflect.ValueOf(v.p).Elem().Len()
	for i := len(v.Children); i < n; i++ {
		if i > 0 {
			j.raw(",")
		}
		j.raw("null")
	}
}

func (j *jsonWriter) node(v *Value) {
	index := -1
	if r, ok := v.p.(*gbx.Ref); ok {
		index = r.Index()
	}
	if index < 0 && v.node == nil {
		j.raw("null")
		return
	}
	j.raw("{")
	if index >= 0 {
		j.raw(`"index":` + strconv.Itoa(index))
	}
	if v.node == nil {
		j.raw("}")
		return
	}
	if index >= 0 {
		j.raw(",")
	}
	j.raw(`"class":"` + v.node.Class.String() + `","name":`)
	j.buf = appendString(j.buf, j.t.ClassName(v))
	j.raw(`,"chunks":[`)
	j.list(v.Children, func(v *Value) bool { return v.Kind == Chunk })
	j.raw("]")
	if n := v.node; n.Tail != nil {
		j.raw(`,"tail":`)
		j.opaque(n.Tail)
	}
	j.raw("}")
}

func (j *jsonWriter) chunk(v *Value) {
	var body gbx.Body
	switch c := v.p.(type) {
	case *gbx.Chunk:
		j.raw(`{"chunk":"` + c.ID.String() + `"`)
		if c.Skip {
			j.raw(`,"skip":true`)
		}
		body = c.Body
	case *gbx.HeaderChunk:
		j.raw(`{"chunk":"` + c.ID.String() + `"`)
		if c.Heavy {
			j.raw(`,"heavy":true`)
		}
		if c.IdVersion == skipperIDs {
			j.raw(`,"idVersion":2`)
		}
		body = c.Body
	}
	if o, ok := body.(*gbx.Opaque); ok {
		j.raw(`,"opaque":`)
		j.opaque(o)
	} else {
		j.raw(`,"values":{`)
		j.members(v.Children)
		j.raw("}")
	}
	j.raw("}")
}

func (j *jsonWriter) opaque(o *gbx.Opaque) {
	b := appendBase64(nil, o.Bytes)
	j.buf = append(j.buf, b[:len(b)-1]...)
	j.raw(`,"reason":`)
	j.buf = appendString(j.buf, o.Reason)
	j.raw("}")
}
