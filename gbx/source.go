package gbx

import (
	"bytes"
	"encoding/binary"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
	"pakbox/gbx/classid"
)

// Source is a [Visitor] that supplies values, for example from a JSON dump. A
// Coder with a source reads values, but no bytes. Value sets each single value.
// Begin sets the fields of some groups:
//
//   - of a *[HeaderChunk] or *[Chunk] the ID, Heavy or Skip, and an [Opaque]
//     Body;
//   - of a *[Node] the class and the Tail;
//   - of a *[Ref] the index, and an empty Node if the content of the node
//     follows;
//   - of an *[Encapsulation] the version of the IDs.
type Source interface {
	Visitor
	// Len returns the length of a list. It is the innermost open list with this name;
	// otherwise the list with this name in the group that was opened last. Header chunks
	// are "header", chunks "chunk".
	Len(name string) int
	// Has reports whether the group that was opened last has a value with the name.
	Has(name string) bool
	// Path returns the path of the current value, for messages.
	Path() string
	// Err returns the error of the first wrong value. No values are read after it.
	Err() error
}

// Build reads the values of a file from a source of size bytes. The caller has already
// set version, letters, RawUserData, IDVersion, Rest and Trailer.
func (f *File) Build(src Source, size int64, reg *Registry) error {
	f.reg = reg
	budget := budgetFor(size)
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

// newBuilder returns a Coder that reads its values from a source.
func newBuilder(src Source, text bool, reg *Registry, budget *int64, nodes *nodeTable) *Coder {
	return &Coder{source: src, watch: src, text: text, budget: budget, nodes: nodes, scope: &scope{}, workspace: newWorkspace(reg)}
}

// ReuseBody gives the file a stored compressed body. [File.Encode] uses it if the body
// has not changed.
func (f *File) ReuseBody(packed []byte) error {
	body, err := f.EncodeBody()
	if err != nil {
		return err
	}
	found := make([]byte, len(body))
	n, err := lzo1x.Decompress(found, packed)
	if err != nil || n != len(body) || !bytes.Equal(found, body) {
		return nil // the values have changed
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

// inDocument replaces the offset of an error by the path in the document.
func (x *Coder) inDocument(e *fault.Error) *fault.Error {
	e.Offset = fault.NoOffset
	e.Field = x.source.Path()
	return e
}

// supplied returns the number of elements of a list in the source, within the limits.
func (x *Coder) supplied(size int64, name string) int {
	n := x.source.Len(name)
	if n <= 0 || !x.charge(heapSize(int64(n)*size), name) {
		return 0
	}
	return n
}

// buildRef completes a reference that the source has set, and reads its node.
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
		return // an index without a node
	}
	if p.slot != 0 {
		if !x.charge(nodeCost+int64(max(0, int(p.slot)-len(x.nodes.nodes)))*8, name) {
			return
		}
		x.nodes.set(p.slot, p.Node)
	}
	x.node(p.Node)
}

// buildDirect reads a node whose class is given by the sheet.
func (x *Coder) buildDirect(p *Ref, class classid.ID) {
	if p.Node == nil {
		return
	}
	p.Node.Class = class
	x.node(p.Node)
}

// buildNode reads the chunks of a node from the source.
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

// buildBody makes an empty content of a chunk. An unknown chunk is an error.
func (x *Coder) buildBody(info *ChunkInfo, id classid.ID) Body {
	if info == nil {
		x.Fail(fault.Unsupported, "chunk", "chunk %v is unknown, so the document must have its bytes", id)
		return &Opaque{}
	}
	return x.newBody(info.New)
}

// buildUserData reads the header chunks from the source.
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

// build reads a compressed block from the source. If the content is unchanged it keeps
// the stored stream.
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
