package tree

import (
	"io"
	"reflect"
	"strconv"

	"pakbox/archive"
	"pakbox/gbx"
)

// emitter writes values as JSON, group by group. What is not wanted it leaves
// out.
type emitter struct {
	w    io.Writer
	err  error // of w
	reg  *gbx.Registry
	buf  []byte
	open []emitting
	held bool // what gathers is for later
}

// emitting is a group that is being written.
type emitting struct {
	kind     Kind
	p        any
	node     *gbx.Node
	opaque   bool // a chunk whose bytes are written instead of values
	children int  // that came
	written  int  // of those
	want     *archive.Want
}

// value writes a value with all below it.
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

// enough is how much gathers before it is handed on.
const enough = 64 << 10

// flush hands on what has gathered.
func (e *emitter) flush() {
	if e.err == nil {
		_, e.err = e.w.Write(e.buf)
	}
	e.buf = e.buf[:0]
}

// member writes what stands before a value in the group around it, and returns
// what is wanted of the value.
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
		return nil // it is part of what the group says about itself
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
		e.buf = append(appendString(e.buf, name), ':')
	}
	return want
}

// leaf writes a single value.
func (e *emitter) leaf(v *Value) {
	if e.member(v.Name, Leaf) != nil {
		e.buf = appendJSON(e.buf, v.p, v.exact)
	}
}

// begin opens a group.
func (e *emitter) begin(v *Value) { e.start(v, e.member(v.Name, v.Kind)) }

// start opens a group whose name is written.
func (e *emitter) start(v *Value, want *archive.Want) {
	g := emitting{kind: v.Kind, p: v.p, want: want}
	if g.want != nil {
		switch v.Kind {
		case List:
			e.raw("[")
		case Chunk:
			g.opaque = e.beginChunk(&g)
		case Node: // until it is known whether the node stands here
		default:
			e.raw("{")
		}
	}
	e.open = append(e.open, g)
}

// node says that the node of the reference opened last stands here.
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

// beginChunk writes what a chunk says about itself, and reports whether that
// is all because its content is not understood.
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

// end closes the group opened last.
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

// missing fills up a list that an opaque rest cut short, because its length
// is stored before it.
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

// endNode closes a node, or writes a reference to one that stands elsewhere.
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
