package gbx

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"pakbox/fault"
	"pakbox/gbx/classid"
)

// Node is an instance of a class: its class ID as found and its chunks.
type Node struct {
	Class  classid.ID
	Chunks []Chunk
	// Tail holds the bytes of the node behind an error; nil if the whole node was read.
	Tail *Opaque
}

// Chunk is one chunk of a node.
type Chunk struct {
	ID   classid.ID // ID as in the file
	Skip bool       // the chunk is stored with its size, so that a reader can skip it
	Body Body       // a struct generated from a sheet, or *Opaque
}

// Body is the content of a chunk.
type Body interface {
	// Code reads or writes the content.
	Code(x *Coder)
}

// Opaque holds bytes of an unknown layout, which are written as they were read.
type Opaque struct {
	Bytes  []byte
	Cause  OpaqueCause
	Reason string // for people
	Offset int64  // offset in the uncompressed body, or in the header chunk
	// Misfit is the point where the bytes left the layout that a sheet gives. It is nil for a chunk
	// without a sheet whose size is stored.
	Misfit *Misfit
}

// Misfit is the point at which bytes left a known layout.
type Misfit struct {
	Err *fault.Error
	At  MisfitAt
	// Body is the content of the chunk up to there. It is nil if no chunk had begun, and in
	// all but the first misfits of a file, so that a hostile file does not fill the memory.
	Body Body
}

// MisfitAt is where in a chunk a misfit is.
type MisfitAt uint8

const (
	InLayout     MisfitAt = iota // the content leaves the layout
	BehindLayout                 // the content fits, and bytes are left behind it
	InFrame                      // the bytes do not fit the frame that all chunks have, whatever their sheets
)

// keptMisfits is the number of misfits whose content is kept.
const keptMisfits = 64

// misfit describes the current error, or err.
func (x *Coder) misfit(err *fault.Error, body Body) *Misfit {
	m := &Misfit{Err: err}
	if body == nil && err.Kind != fault.UnknownClass {
		m.At = InFrame
	}
	if x.misfits < keptMisfits {
		m.Body = body
	}
	x.misfits++
	return m
}

// cost is the estimated memory of a chunk whose content is opaque.
func (o *Opaque) cost() int64 {
	if o.Misfit != nil {
		return chunkCost + opaqueCost + misfitCost
	}
	return chunkCost + opaqueCost
}

// OpaqueCause is why bytes are opaque.
type OpaqueCause uint8

const (
	NotDecoded    OpaqueCause = iota // the layout of the chunk does not fit its bytes
	UnknownChunk                     // the chunk has no layout, but a size, so that it was skipped
	UnknownTail                      // the node goes on with an unknown chunk without a size
	AfterMainNode                    // the bytes follow the main node
)

// causeOf returns the cause of bytes whose reading ended with an error.
func causeOf(err *fault.Error) OpaqueCause {
	if err.Kind == fault.UnknownClass {
		return UnknownTail
	}
	return NotDecoded
}

// Code writes the bytes. It does not read: the Coder makes Opaque values itself.
func (o *Opaque) Code(x *Coder) {
	if x.writing && !x.dead() {
		v, at := x.visitor(), x.offset()
		if v != nil {
			v.Value("opaque", o)
		}
		x.out = append(x.out, o.Bytes...)
		if v != nil {
			v.Coded("opaque", o, at, int64(len(o.Bytes)))
		}
	}
}

// Find returns the first chunk of the node whose content is a T, for example
//
//	desc, ok := gbx.Find[*game.Chunk03043018](node)
func Find[T Body](n *Node) (T, bool) {
	if n != nil {
		for i := range n.Chunks {
			if b, ok := n.Chunks[i].Body.(T); ok {
				return b, true
			}
		}
	}
	var none T
	return none, false
}

// Earlier returns the chunks of the node before the current one.
func (x *Coder) Earlier() []Chunk {
	if x.writing && x.current != nil {
		return x.current.Chunks[:x.at]
	}
	return x.gather[x.mine:]
}

const (
	endOfNode = 0xFACADE01
	skipMark  = 0x534B4950 // "SKIP"
)

func (x *Coder) node(n *Node) {
	if x.dead() {
		return
	}
	if x.depth >= maxDepth {
		x.Fail(fault.Limit, "", "nodes nest deeper than %d", maxDepth)
		return
	}
	x.depth++
	outer, at := x.current, x.at
	x.current = n
	x.beginPart("node", n)
	back := x.passOver("node", n)
	switch {
	case x.source != nil:
		x.buildNode(n)
	case x.writing:
		x.writeNode(n)
	default:
		x.readNode(n)
	}
	if back != nil {
		back()
	}
	x.endPart()
	x.current, x.at = outer, at
	x.depth--
}

// readNode reads chunks up to the end mark. It collects them on a stack that all open
// nodes share.
func (x *Coder) readNode(n *Node) {
	base, outer := len(x.gather), x.mine
	x.mine = base
	if info := x.classInfo(n.Class); info != nil && info.Plain != nil {
		x.readPlain(n, info)
	} else {
		for x.readChunk(n) {
		}
	}
	if len(x.gather) > base {
		n.Chunks = make([]Chunk, len(x.gather)-base)
		copy(n.Chunks, x.gather[base:])
		clear(x.gather[base:])
	}
	x.gather = x.gather[:base]
	x.mine = outer
}

// mark is the state before a chunk. undo restores it.
type mark struct {
	pos, texts, defined int
	idVersion           uint32
}

func (x *Coder) mark() mark {
	return mark{x.pos, len(x.scope.texts), len(x.nodes.defined), x.scope.version}
}

func (x *Coder) undo(m mark) {
	x.pos = m.pos
	x.scope.texts = x.scope.texts[:m.texts]
	x.scope.version = m.idVersion
	x.nodes.forget(m.defined)
	x.err = nil
}

// cut makes all bytes from m to the end of the region the tail of the node. body is the
// content that was being read, nil if none was.
func (x *Coder) cut(n *Node, m mark, body Body) {
	n.Tail = &Opaque{Cause: causeOf(x.err), Reason: reason(x.err), Offset: x.base + int64(m.pos), Misfit: x.misfit(x.err, body)}
	x.undo(m)
	n.Tail.Bytes = x.src[m.pos:x.limit:x.limit]
	x.lost(n.Tail, len(n.Tail.Bytes))
	x.halt()
}

func (x *Coder) readPlain(n *Node, info *ClassInfo) {
	m := x.mark()
	body := x.newBody(info.Plain)
	body.Code(x)
	if x.err != nil {
		x.cut(n, m, body)
		return
	}
	x.keep(n, m, Chunk{ID: n.Class, Body: body})
}

// readChunk reads one chunk and reports whether another may follow.
func (x *Coder) readChunk(n *Node) bool {
	m := x.mark()
	id := x.chunkWord()
	if x.err != nil {
		x.cut(n, m, nil)
		return false
	}
	if id == endOfNode {
		return false
	}
	if x.watch == nil {
		return x.readContent(n, m, id)
	}
	x.begin("chunk", &Chunk{ID: id})
	more := x.readContent(n, m, id)
	x.end()
	return more
}

func (x *Coder) readContent(n *Node, m mark, id classid.ID) bool {
	info := x.chunkInfo(id)
	if size, ok := x.skipMark(); ok {
		body := x.readSkippable(info, size)
		if o, opaque := body.(*Opaque); opaque && !x.charge(o.cost(), "chunk") {
			x.cut(n, m, nil)
			return false
		}
		return x.keep(n, m, Chunk{ID: id, Skip: true, Body: body})
	}
	if x.err == nil && info == nil {
		x.err = fault.At(fault.UnknownClass, x.base+int64(m.pos), "", "%s", x.unknown(n, id))
	}
	if x.err != nil {
		x.cut(n, m, nil)
		return false
	}
	body := x.newBody(info.New)
	body.Code(x)
	if x.err != nil {
		x.cut(n, m, body)
		return false
	}
	return x.keep(n, m, Chunk{ID: id, Body: body}) && !x.halted
}

// keep adds a chunk to the chunks of the current node.
func (x *Coder) keep(n *Node, m mark, c Chunk) bool {
	if len(x.gather) == cap(x.gather) {
		halted := x.halted
		x.halted = false // so that Grow works: it does nothing while halted
		room, ok := x.Grow(len(x.gather), cap(x.gather), int64(unsafe.Sizeof(c)), "chunk")
		x.halted = halted
		if !ok {
			x.cut(n, m, nil)
			return false
		}
		x.gather = append(make([]Chunk, 0, room), x.gather...)
	}
	x.gather = append(x.gather, c)
	return true
}

func (x *Coder) chunkWord() classid.ID {
	if i := x.pos; i+4 <= len(x.in) {
		x.pos = i + 4
		return classid.ID(binary.LittleEndian.Uint32(x.in[i:]))
	}
	return classid.ID(x.wordHex(0, "chunk"))
}

// classWord reads or writes a class ID that is not a field of a struct.
func (x *Coder) classWord(class classid.ID, name string) classid.ID {
	if i := x.pos; i+4 <= len(x.in) {
		x.pos = i + 4
		return classid.ID(binary.LittleEndian.Uint32(x.in[i:]))
	}
	if x.direct {
		x.put32(uint32(class))
		return class
	}
	p := class // a copy, so that class stays on the stack in the cases above
	x.ClassID(&p, name)
	return p
}

// known caches lookups in the registry: a file has few different chunks.
type known struct {
	chunks  [1024]knownChunk
	headers [64]knownChunk
	classes [64]knownClass
}

type knownChunk struct {
	id   classid.ID
	info *ChunkInfo
}

type knownClass struct {
	id   classid.ID
	info *ClassInfo
}

func (x *Coder) chunkInfo(id classid.ID) *ChunkInfo {
	return x.cached(x.known.chunks[:], id, (*Registry).chunk)
}

func (x *Coder) headerInfo(id classid.ID) *ChunkInfo {
	return x.cached(x.known.headers[:], id, (*Registry).header)
}

// cached looks up a chunk in a cache. The chunks of a class are next to each other, so
// that a small file uses few pages of memory.
func (x *Coder) cached(cache []knownChunk, id classid.ID, find func(*Registry, classid.ID) *ChunkInfo) *ChunkInfo {
	c := &cache[(uint32(id)+uint32(id)>>12*37)%uint32(len(cache))]
	if c.id != id || c.info == nil {
		*c = knownChunk{id, find(x.reg, id)}
	}
	return c.info
}

func (x *Coder) classInfo(id classid.ID) *ClassInfo {
	c := &x.known.classes[id>>12%64]
	if c.id != id {
		*c = knownClass{id, x.reg.class(id)}
	}
	return c.info
}

func (x *Coder) unknown(n *Node, id classid.ID) string {
	if _, ok := classid.Lookup(n.Class); !ok && x.reg.class(n.Class) == nil {
		return fmt.Sprintf("unknown class %v", n.Class)
	}
	return fmt.Sprintf("unknown chunk %v of %s without a size, so that it cannot be skipped", id, x.reg.ClassName(n.Class))
}

// skipMark reads the mark and the size of a skippable chunk, if there is a mark.
func (x *Coder) skipMark() (size int, ok bool) {
	if x.text {
		const mark = "1397442896\r\n"
		if x.limit-x.pos < len(mark) || !x.fill(len(mark)) || string(x.src[x.pos:x.pos+len(mark)]) != mark {
			return 0, false
		}
		x.pos += len(mark)
	} else {
		if x.limit-x.pos < 8 || !x.fill(4) || binary.LittleEndian.Uint32(x.src[x.pos:]) != skipMark {
			return 0, false
		}
		x.pos += 4
	}
	size = int(int32(x.word32(0, "chunkSize")))
	if x.err == nil && (size < 0 || size > x.limit-x.pos) {
		x.Fail(fault.Truncated, "chunkSize", "a chunk takes %d bytes, %d remain", uint32(size), x.limit-x.pos)
	}
	return size, x.err == nil
}

func (x *Coder) readSkippable(info *ChunkInfo, size int) Body {
	m := x.mark()
	r := x.enter(size)
	if info == nil {
		return x.readOpaque(m, r, size, Opaque{Cause: UnknownChunk, Reason: "unknown chunk"})
	}
	body := x.newBody(info.New)
	body.Code(x)
	switch {
	case x.err != nil:
		return x.readOpaque(m, r, size, Opaque{Cause: causeOf(x.err), Reason: reason(x.err), Misfit: x.misfit(x.err, body)})
	case x.pos != x.limit:
		err := fault.At(fault.SizeMismatch, x.offset(), "", "%d of %d bytes are unknown", x.limit-x.pos, size)
		misfit := x.misfit(err, body)
		misfit.At = BehindLayout
		return x.readOpaque(m, r, size, Opaque{Reason: err.Message, Misfit: misfit})
	}
	x.leave(r)
	return body
}

// readOpaque keeps the bytes of a chunk that could not be decoded.
func (x *Coder) readOpaque(m mark, r region, size int, why Opaque) Body {
	x.undo(m)
	o := &why
	o.Offset = x.base + int64(m.pos)
	x.lost(o, size)
	o.Bytes = x.take(size, "chunk")
	x.leave(r)
	return o
}

func (x *Coder) writeNode(n *Node) {
	info := x.classInfo(n.Class)
	plain := info != nil && info.Plain != nil
	for i := range n.Chunks {
		if x.dead() || x.done() {
			return
		}
		x.at = i
		x.writeChunk(&n.Chunks[i], plain)
	}
	if n.Tail != nil {
		n.Tail.Code(x)
		x.halt()
		return
	}
	if !plain && !x.dead() {
		x.writeMark(endOfNode)
	}
}

func (x *Coder) writeMark(id uint32) {
	if x.direct {
		x.put32(id)
		return
	}
	x.wordHex(uint64(id), "chunk")
}

func (x *Coder) writeChunk(c *Chunk, plain bool) {
	groups := x.groups
	x.beginPart("chunk", c)
	back := x.passOver("chunk", c)
	if c.Body == nil {
		x.Fail(fault.Unsupported, "", "chunk %v has no content", c.ID)
		return
	}
	if !plain {
		x.writeMark(uint32(c.ID))
	}
	if !c.Skip {
		c.Body.Code(x)
		if back != nil {
			back()
		}
		x.endPart()
		return
	}
	x.word32(skipMark, "skip")
	at := len(x.out)
	if !x.text {
		x.out = binary.LittleEndian.AppendUint32(x.out, 0)
	}
	c.Body.Code(x)
	if back != nil {
		back()
	}
	x.halted = false // the opaque tail of an inner node ends where the chunk ends
	x.refresh()
	if x.err == nil {
		x.writeSize(at)
		x.unwind(groups)
	}
}

// NodeClass is for the code of chunks: it returns the latest class ID of the node. It is
// needed for chunk IDs that have different contents in two classes.
func (x *Coder) NodeClass() classid.ID {
	if x.current == nil {
		return 0
	}
	return x.current.Class.Latest()
}
