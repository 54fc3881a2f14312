package tree

import (
	"io"
	"reflect"
	"strconv"

	"pakbox/archive"
	"pakbox/gbx"
)

// emitter writes wanted values as JSON.
type emitter struct {
	w    io.Writer
	err  error // first error of w
	reg  *gbx.Registry
	buf  []byte
	open []emitting
	held bool // keep all output in buf and do not write it
	// whole keeps unusual words of IDs. A document needs them to become the same file
	// again.
	whole bool
}

// emitting is an open group.
type emitting struct {
	kind     Kind
	p        any
	node     *gbx.Node
	opaque   bool // the chunk has opaque bytes instead of values
	children int  // the number of children so far
	written  int  // the number of children that were written
	want     *archive.Want
}

func (e *emitter) value(v *Value) {
	if v.Kind == Leaf {
		e.leaf(v)
		return
	}
	e.begin(v)
	if v.node != nil {
		e.node(v.node)
	}
	for i := range v.Children {
		e.value(&v.Children[i])
	}
	e.end()
}

func (e *emitter) raw(s string) { e.buf = append(e.buf, s...) }

// enough is the size at which the buffer is written.
const enough = 64 << 10

func (e *emitter) flush() {
	if e.err == nil {
		_, e.err = e.w.Write(e.buf)
	}
	e.buf = e.buf[:0]
}

// member writes the comma and the name before a value, and returns what is wanted of it.
func (e *emitter) member(name string, kind Kind) *archive.Want {
	if len(e.buf) > enough && !e.held {
		e.flush()
	}
	if len(e.open) == 0 {
		return archive.Everything
	}
	around := &e.open[len(e.open)-1]
	around.children++
	want := around.want
	switch {
	case around.kind == Node && kind != Chunk, around.opaque:
		return nil // already written by beginChunk or node
	case want.All(): // also of its members
	case around.kind == List:
		want = want.Each()
	case around.kind == Node:
		want = want.Member("chunks").Each()
	case around.kind == Chunk:
		want = want.Member("values").Member(name)
	default:
		want = want.Member(name)
	}
	if want == nil {
		return nil
	}
	if around.written > 0 {
		e.raw(",")
	}
	around.written++
	if around.kind != List && around.kind != Node {
		e.buf = append(append(append(e.buf, '"'), name...), '"', ':') // names of values have no special characters
	}
	return want
}

func (e *emitter) leaf(v *Value) {
	if e.member(v.Name, Leaf) != nil {
		e.buf = appendJSON(e.buf, v.p, v.exact && e.whole)
	}
}

func (e *emitter) begin(v *Value) { e.start(v, e.member(v.Name, v.Kind)) }

func (e *emitter) start(v *Value, want *archive.Want) {
	g := emitting{kind: v.Kind, p: v.p, want: want}
	if g.want != nil {
		switch v.Kind {
		case List:
			e.raw("[")
		case Chunk:
			g.opaque = e.beginChunk(&g)
		case Node: // written by node or endNode
		default:
			e.raw("{")
		}
	}
	e.open = append(e.open, g)
}

// node writes the beginning of the node of the last reference.
func (e *emitter) node(n *gbx.Node) {
	g := &e.open[len(e.open)-1]
	g.node = n
	if g.want == nil {
		return
	}
	e.raw("{")
	if r, ok := g.p.(*gbx.Ref); ok && r.Index() >= 0 {
		e.raw(`"index":` + strconv.Itoa(r.Index()) + ",")
	}
	e.raw(`"class":"` + n.Class.String() + `","name":`)
	e.buf = appendString(e.buf, e.reg.ClassName(n.Class))
	if g.want.Member("chunks") != nil {
		e.raw(`,"chunks":[`)
	}
}

// beginChunk writes the ID and the form of a chunk, and reports whether its content is
// opaque.
func (e *emitter) beginChunk(g *emitting) (opaque bool) {
	var body gbx.Body
	switch c := g.p.(type) {
	case *gbx.Chunk:
		e.raw(`{"chunk":"` + c.ID.String() + `"`)
		if c.Skip {
			e.raw(`,"skip":true`)
		}
		body = c.Body
	case *gbx.HeaderChunk:
		e.raw(`{"chunk":"` + c.ID.String() + `"`)
		if c.Heavy {
			e.raw(`,"heavy":true`)
		}
		if c.IDVersion == skipperIDs {
			e.raw(`,"idVersion":2`)
		}
		body = c.Body
	}
	o, opaque := body.(*gbx.Opaque)
	switch {
	case opaque && g.want.Member("opaque") != nil:
		e.raw(`,"opaque":`)
		e.opaque(o)
	case !opaque && g.want.Member("values") != nil:
		e.raw(`,"values":{`)
	}
	return opaque
}

func (e *emitter) end() {
	g := e.open[len(e.open)-1]
	e.open = e.open[:len(e.open)-1]
	if g.want == nil {
		return
	}
	switch g.kind {
	case List:
		e.missing(&g)
		e.raw("]")
	case Node:
		e.endNode(&g)
	case Chunk:
		if !g.opaque && g.want.Member("values") != nil {
			e.raw("}")
		}
		e.raw("}")
	default:
		if c, ok := g.p.(*gbx.Encapsulation); ok && c.IDVersion == skipperIDs {
			if g.written > 0 {
				e.raw(",")
			}
			e.raw(`"idVersion":2`)
		}
		e.raw("}")
	}
}

// missing writes null for elements that were not decoded because the rest of the chunk is
// opaque.
func (e *emitter) missing(g *emitting) {
	if g.want.Each() == nil {
		return
	}
	n := reflect.ValueOf(g.p).Elem().Len()
	for i := g.children; i < n; i++ {
		if i > 0 {
			e.raw(",")
		}
		e.raw("null")
	}
}

// endNode closes a node, or writes a reference to a node that is stored elsewhere.
func (e *emitter) endNode(g *emitting) {
	if g.node == nil {
		if r, ok := g.p.(*gbx.Ref); ok && r.Index() >= 0 {
			e.raw(`{"index":` + strconv.Itoa(r.Index()) + "}")
		} else {
			e.raw("null")
		}
		return
	}
	if g.want.Member("chunks") != nil {
		e.raw("]")
	}
	if o := g.node.Tail; o != nil && g.want.Member("tail") != nil {
		e.raw(`,"tail":`)
		e.opaque(o)
	}
	e.raw("}")
}

func (e *emitter) opaque(o *gbx.Opaque) {
	e.buf = appendBase64(e.buf, o.Bytes)
	e.buf = e.buf[:len(e.buf)-1]
	e.raw(`,"reason":`)
	e.buf = appendString(e.buf, o.Reason)
	e.raw("}")
}
