package gbx

import (
	"bytes"
	"encoding/binary"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
	"pakbox/gbx/classid"
)

// Source is a [Visitor] that supplies values where there is no file to read
// them from: a document, such as a dump that comes back. A Coder with a
// source reads, but no bytes: each value is filled in by Value, and what a
// group says about itself is filled in by Begin, which is given the address
// of a
//
//   - *[HeaderChunk] or *[Chunk]: its ID and form, and its Body if that is
//     [Opaque];
//   - *[Node]: its class, and its Tail;
//   - *[Ref]: its index, and an empty Node if the node's content follows;
//   - *[Encapsulation]: the version of its IDs.
type Source interface {
	Visitor
	// Len returns how many elements there are of a name: of the innermost
	// open list that is called so, else of the list of that name in the group
	// opened last. Header chunks are called "header", chunks "chunk".
	Len(name string) int
	// Has reports whether the group opened last holds a value of that name.
	Has(name string) bool
	// Path says which value is being supplied, for messages.
	Path() string
	// Err returns the first value that did not fit. From then on the source
	// has nothing more to give.
	Err() error
}

// Build fills in a file from a source, which holds about size bytes. The
// caller sets beforehand what no Coder codes: version, letters, user data
// that is no chunk table, IDVersion, Rest and Trailer.
func (f *File) Build(src Source, size int64, reg *Registry) error {
	f.reg = reg
	budget := int64(memoryBase) + memoryFactor*size
	x := newBuilder(src, f.IsText(), reg, &budget, &nodeTable{})
	f.Header.code(x)
	if err := x.built(); err != nil {
		return err
	}
	x = newBuilder(src, f.IsText(), reg, &budget, &nodeTable{external: f.Refs.slots(), claimed: f.NumNodes})
	f.Body = &Node{Class: f.Class}
	x.nodes.set(1, f.Body)
	x.node(f.Body)
	x.halted = false
	x.unwind(0)
	return x.built()
}

// newBuilder returns a Coder that takes its values from a source.
func newBuilder(src Source, text bool, reg *Registry, budget *int64, nodes *nodeTable) *Coder {
	return &Coder{source: src, watch: src, text: text, budget: budget, nodes: nodes, scope: &scope{}, workspace: newWorkspace(reg)}
}

// ReuseBody offers the compressed form a body was once stored in. If it holds
// what the file's values say, Encode uses it again.
func (f *File) ReuseBody(packed []byte) error {
	body, err := f.EncodeBody()
	if err != nil {
		return err
	}
	found := make([]byte, len(body))
	n, err := lzo1x.Decompress(found, packed)
	if err != nil || n != len(body) || !bytes.Equal(found, body) {
		return nil // the values say something else now
	}
	stored := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
	stored = binary.LittleEndian.AppendUint32(stored, uint32(len(packed)))
	f.found = append(append(stored, packed...), f.Trailer...)
	f.body, f.bodyAt = body, 0
	return nil
}

// built returns the first error of a build.
func (x *Coder) built() error {
	if err := x.source.Err(); err != nil {
		return err
	}
	return x.Err()
}

// inDocument says where in the document an error is.
func (x *Coder) inDocument(e *fault.Error) *fault.Error {
	e.Offset = fault.NoOffset
	e.Field = x.source.Path()
	return e
}

// supplied returns how many elements of a list the source has, if there is
// memory for them.
func (x *Coder) supplied(size int64, name string) int {
	n := x.source.Len(name)
	if n <= 0 || !x.charge(heapSize(int64(n)*size), name) {
		return 0
	}
	return n
}

// buildRef makes a reference and the node it leads to. The source has filled
// in what it knows.
func (x *Coder) buildRef(p *Ref, name string) {
	if x.dead() || p.IsNil() || x.nodes.external[p.slot] {
		return
	}
	if p.slot != 0 {
		if n := x.nodes.get(p.slot); n != nil {
			p.Node = n
			return
		}
	}
	if p.Node == nil {
		return // an index nobody defines
	}
	if p.slot != 0 {
		if !x.charge(nodeCost+int64(max(0, int(p.slot)-len(x.nodes.nodes)))*8, name) {
			return
		}
		x.nodes.set(p.slot, p.Node)
	}
	x.node(p.Node)
}

// buildDirect makes a node whose class is known.
func (x *Coder) buildDirect(p *Ref, class classid.ID) {
	if p.Node == nil {
		return
	}
	p.Node.Class = class
	x.node(p.Node)
}

// buildNode makes the chunks of a node.
func (x *Coder) buildNode(n *Node) {
	base, outer := len(x.gather), x.mine
	x.mine = base
	for range x.source.Len("chunk") {
		if x.dead() || x.source.Err() != nil {
			break
		}
		x.gather = append(x.gather, x.buildChunk(n))
	}
	n.Chunks = append(n.Chunks, x.gather[base:]...)
	clear(x.gather[base:])
	x.gather = x.gather[:base]
	x.mine = outer
	if n.Tail != nil && !x.dead() {
		x.halt()
	}
}

func (x *Coder) buildChunk(n *Node) Chunk {
	var c Chunk
	groups := x.groups
	x.begin("chunk", &c)
	if c.Body == nil {
		if info := x.reg.class(n.Class); info != nil && info.Plain != nil {
			c.Body = x.newBody(info.Plain)
		} else {
			c.Body = x.buildBody(x.reg.chunk(c.ID), c.ID)
		}
		c.Body.Code(x)
	}
	if c.Skip {
		x.halted = false
	}
	if !x.dead() {
		x.unwind(groups)
	}
	return c
}

// buildBody makes the content of a chunk, or a failure.
func (x *Coder) buildBody(info *ChunkInfo, id classid.ID) Body {
	if info == nil {
		x.Fail(fault.Unsupported, "chunk", "chunk %v is not known; its bytes must be given", id)
		return &Opaque{}
	}
	return x.newBody(info.New)
}

// buildUserData makes the header chunks.
func (h *Header) buildUserData(x *Coder) {
	h.Chunks = make([]HeaderChunk, x.source.Len("header"))
	for i := range h.Chunks {
		c := &h.Chunks[i]
		groups := x.groups
		x.begin("header", c)
		if c.Body == nil {
			c.Body = x.buildBody(x.reg.header(c.ID), c.ID)
			c.Body.Code(x)
		}
		x.halted = false
		if !x.dead() {
			x.unwind(groups)
		}
	}
}

// build makes a compressed block. The stream is kept as it was stored unless
// the content now says something else.
func (z *Zlib[T, P]) build(x *Coder) {
	if x.source.Has("compressed") {
		x.U32(&z.Size, "uncompressedSize")
		x.Data(&z.Stored, "compressed")
	}
	if !x.source.Has("content") || x.dead() {
		return
	}
	inner := newBuilder(x.source, false, x.reg, x.budget, &nodeTable{})
	inner.depth = x.depth
	v := P(new(T))
	*v = z.init
	inner.begin("content", v)
	v.Code(inner)
	inner.halted = false
	inner.unwind(0)
	coded, err := z.encode(v, 0, lookers{}, nil)
	if inner.err != nil {
		x.err = inner.err
		return
	}
	if err == nil {
		if found, bad := z.Bytes(); bad == nil && bytes.Equal(found, coded) {
			return
		}
		err = z.pack(coded)
	}
	if err != nil {
		x.Fail(fault.Corrupt, "content", "%s", reason(err))
	}
}
