package gbx

import (
	"encoding/binary"
	"errors"
	"strings"
	"sync"

	"pakbox/fault"
	"pakbox/gbx/classid"
)

// A Coder moves values between Go structs and the bytes of a GBX file. It
// goes both ways: the same sequence of calls reads a chunk from a file or
// writes it into one, so that a chunk is described once.
//
//	func (c *Chunk03043018) Code(x *gbx.Coder) {
//		x.Bool(&c.IsLapRace, "isLapRace")
//		x.U32(&c.NbLaps, "nbLaps")
//	}
//
// While writing, a [Visitor] may watch: it is told each value's name, place
// and address, and may change the value before it is written. Dumps, JSON,
// search by path and editing are visitors.
//
// A Coder keeps its first error; after it every call does nothing. Chunks
// therefore code straight on and never ask.
type Coder struct {
	// in is what may be read without further checks: the bytes of the file up
	// to the end of the current region. It is nil while writing, in text
	// files, and after an error, so that one comparison guards the fast path
	// of every primitive. direct says the same of writing.
	in     []byte
	pos    int
	direct bool

	src     []byte // all bytes, when reading
	limit   int    // end of the current region in src
	out     []byte // what was written so far, when writing
	base    int64  // offset of src[0] or out[0] in the (uncompressed) whole
	writing bool
	text    bool
	leftOut int64 // bytes of heavy header chunks that were left out of src
	halted  bool  // the rest of the region is opaque; do nothing until it ends
	err     *fault.Error

	watch   Visitor
	outline Visitor // is shown parts only; there is no watch then
	groups  int     // that the visitor has been shown and that are still open
	source  Source  // where values come from instead of bytes; it is watch, too
	feed    Feeder  // where the bytes come from bit by bit; it is watch, too
	fed     int     // bytes of src that are there, if there is a feeder

	scope *scope
	nodes *nodeTable
	encap bool // node references carry no index here

	current *Node // whose chunk is being coded
	at      int   // which of its chunks is being written
	depth   int
	budget  *int64 // bytes that may still be allocated for decoded values
	mine    int    // where the current node's chunks begin in gather

	number ID // the last numeric ID, which the next one often is again

	*workspace
}

// workspace is what a Coder leaves to the next, because the tables that it has
// grown serve another file as well.
type workspace struct {
	reg      *Registry
	known    *known // of reg
	texts    strings.Builder
	gather   []Chunk // chunks read so far, of all nodes being read
	ownScope *scope
	ownNodes nodeTable
}

func newWorkspace(reg *Registry) *workspace {
	return &workspace{reg: reg, known: new(known), ownScope: new(scope)}
}

// coders keeps Coders that have coded a file.
var coders sync.Pool

// newCoder returns a Coder; release takes it back.
func newCoder(reg *Registry) *Coder {
	x, ok := coders.Get().(*Coder)
	switch {
	case !ok:
		x = &Coder{workspace: newWorkspace(reg)}
	case x.reg != reg:
		x.reg, x.known = reg, new(known)
	}
	return x
}

// newReader returns a Coder that reads src.
func newReader(src []byte, text bool, reg *Registry, budget *int64) *Coder {
	x := newCoder(reg)
	x.read(src, text, budget)
	return x
}

// read has the Coder go on with src.
func (x *Coder) read(src []byte, text bool, budget *int64) {
	x.scope, x.nodes = x.freshScope(), &x.ownNodes
	x.src, x.pos, x.limit = src, 0, len(src)
	x.text, x.budget, x.leftOut = text, budget, 0
	x.refresh()
}

// newWriter returns a Coder that writes.
func newWriter(text bool, reg *Registry, watch Visitor) *Coder {
	x := newCoder(reg)
	budget := int64(memoryBase)
	x.scope, x.nodes = x.ownScope, &x.ownNodes
	x.text, x.budget = text, &budget
	x.writing, x.watch = true, watch
	x.refresh()
	return x
}

// release lets go of the file.
func (x *Coder) release() {
	x.workspace.reset()
	*x = Coder{workspace: x.workspace}
	coders.Put(x)
}

// reset makes ready for another file. Nothing of this one stays reachable.
func (w *workspace) reset() {
	clear(w.gather[:cap(w.gather)])
	w.gather = w.gather[:0]
	w.texts.Reset()
	w.freshScope()
	w.ownNodes = nodeTable{nodes: emptied(w.ownNodes.nodes), defined: w.ownNodes.defined[:0]}
}

// freshScope returns the scope for something that has its own IDs.
func (w *workspace) freshScope() *scope {
	w.ownScope = w.ownScope.cleared()
	return w.ownScope
}

// emptied returns an empty slice that can be used again.
func emptied[T any](s []T) []T {
	clear(s)
	return s[:0]
}

// maxDepth bounds how deep nodes may nest; real files stay below 40.
const maxDepth = 200

// Reading reports whether values come from a file.
func (x *Coder) Reading() bool { return !x.writing }

// Text reports whether the file is a text file.
func (x *Coder) Text() bool { return x.text }

// Err returns the first error.
func (x *Coder) Err() error {
	if x.err == nil {
		return nil
	}
	return x.err
}

// Remaining returns the number of bytes left in the current region; 0 when
// writing.
func (x *Coder) Remaining() int {
	if x.writing || x.dead() {
		return 0
	}
	return x.limit - x.pos
}

// Fail records that the chunk cannot be coded. A chunk that fails to decode
// becomes an opaque region with this reason.
func (x *Coder) Fail(kind fault.Kind, name, format string, args ...any) {
	if x.dead() {
		return
	}
	x.err = fault.At(kind, x.offset(), name, format, args...)
	if x.source != nil {
		x.err = x.inDocument(x.err)
	}
	x.in, x.direct = nil, false
}

// Unsupported records that the file holds something the chunk's sheet does
// not describe.
func (x *Coder) Unsupported(what string) {
	x.Fail(fault.Unsupported, "", "%s", what)
}

// dead reports whether calls have no effect any more.
func (x *Coder) dead() bool { return x.err != nil || x.halted }

// offset is where the next byte lies.
func (x *Coder) offset() int64 {
	if x.writing {
		return x.base + int64(len(x.out))
	}
	return x.base + int64(x.pos)
}

// short records that n bytes are not there. A size beyond what an int32 holds
// comes as a negative number.
func (x *Coder) short(n int, name string) {
	if n < 0 {
		x.Fail(fault.Truncated, name, "needs %d bytes, %d remain", uint32(n), x.limit-x.pos)
		return
	}
	x.Fail(fault.Truncated, name, "needs %d bytes, %d remain", n, x.limit-x.pos)
}

// take returns the next n bytes of the input, or nil with an error.
func (x *Coder) take(n int, name string) []byte {
	if x.dead() {
		return nil
	}
	if n < 0 || n > x.limit-x.pos {
		x.short(n, name)
		return nil
	}
	if !x.fill(n) {
		x.short(n, name)
		return nil
	}
	b := x.src[x.pos : x.pos+n : x.pos+n]
	x.pos += n
	return b
}

// fill asks the feeder for the next n bytes, if there is one, and reports
// whether they are there.
func (x *Coder) fill(n int) bool {
	if x.feed != nil && x.pos+n > x.fed {
		x.fed = int(x.feed.Need(int64(x.pos + n)))
		return x.pos+n <= x.fed
	}
	return true
}

// lost tells the feeder of what could not be decoded.
func (x *Coder) lost(o *Opaque, size int) {
	if x.feed != nil {
		x.feed.Lost(o, size)
	}
}

// region is the state to return to when a bounded stretch of bytes ends.
type region struct {
	limit  int
	halted bool
}

// enter bounds reading to the next n bytes. The caller has checked n.
func (x *Coder) enter(n int) region {
	r := region{x.limit, x.halted}
	x.limit = x.pos + n
	if x.in != nil {
		x.in = x.src[:x.limit]
	}
	return r
}

// leave returns to the enclosing region. Without an error it continues at
// the end of the inner one, also when the inner one was cut short.
func (x *Coder) leave(r region) {
	if !x.writing {
		if x.err == nil {
			x.pos = x.limit
		}
		x.limit = r.limit
	}
	x.halted = r.halted
	x.refresh()
}

// refresh finds out whether the fast paths may be taken now.
func (x *Coder) refresh() {
	x.in, x.direct = nil, false
	switch {
	case x.text || x.watch != nil || x.dead():
	case x.writing:
		x.direct = true
	default:
		x.in = x.src[:x.limit]
	}
}

// halt makes every call a no-op until the current region ends: its rest is
// opaque.
func (x *Coder) halt() {
	x.halted = true
	x.err = nil
	x.in, x.direct = nil, false
	if !x.writing {
		x.pos = x.limit
	}
}

// Visitor watches values as they are written, or, with [Trace], as they are
// read.
type Visitor interface {
	// Value announces a value about to be coded. p points to it, and when
	// writing the visitor may change it.
	Value(name string, p any)
	// Coded says where the value announced last now lies.
	Coded(name string, p any, offset, length int64)
	// Begin opens a group of values: a struct, a list, a list's element, a
	// chunk or a node. p points to it: *Node, *Chunk, a struct or a slice.
	Begin(name string, p any, offset int64)
	// End closes it.
	End(offset int64)
}

// Feeder is a [Visitor] that has the body come bit by bit: [Trace] is given the
// whole file, but looks at no byte of the body before it has asked for it.
type Feeder interface {
	Visitor
	// Need asks for the bytes of the body up to end and returns how many there
	// are now. Fewer than asked for end the parse.
	Need(end int64) int64
	// Lost tells of size bytes that could not be decoded. They become o.
	Lost(o *Opaque, size int)
}

// Chooser is a [Visitor] that does not want to see everything. What it passes
// over costs hardly more than without a visitor.
type Chooser interface {
	Visitor
	// Wants is asked whether what a group holds is to be shown: of each
	// *HeaderChunk, *Chunk and *Node after its Begin, and before it of each
	// [PackedList] and of the content of a compressed block, where p tells the
	// type only. A list that is passed over begins and ends at once, a content
	// is not shown at all.
	Wants(name string, p any) bool
}

// PackedList is a list that is coded at once where nobody watches.
type PackedList interface {
	Len() int
	// Unpacked is a pointer to such a list of elements, nil: it tells the type.
	Unpacked() any
}

// Finisher is a [Visitor] that at some point has seen what it wants.
type Finisher interface {
	Visitor
	// Done is asked before each chunk of the main node. If it says so, the rest
	// of the body is not coded.
	Done() bool
}

// done reports whether nobody wants to see what follows in the main node.
func (x *Coder) done() bool {
	if x.depth > 1 {
		return false
	}
	f, ok := x.visitor().(Finisher)
	return ok && f.Done()
}

// visitor is who looks on, nil if nobody does.
func (x *Coder) visitor() Visitor {
	if x.watch != nil {
		return x.watch
	}
	return x.outline
}

// beginPart opens a group that an outline has: a node, a chunk, or the content
// of a compressed block.
func (x *Coder) beginPart(name string, p any) {
	if v := x.visitor(); v != nil && !x.dead() {
		x.groups++
		v.Begin(name, p, x.offset())
	}
}

// endPart closes it.
func (x *Coder) endPart() {
	if v := x.visitor(); v != nil && !x.dead() {
		x.groups--
		v.End(x.offset())
	}
}

// unwanted reports whether the visitor does not want to see what is in p.
func (x *Coder) unwanted(name string, p any) bool {
	c, ok := x.visitor().(Chooser)
	return ok && !x.dead() && !c.Wants(name, p)
}

// passOver has a group written without the visitor, if that does not want it,
// and returns what brings the visitor back.
func (x *Coder) passOver(name string, p any) (back func()) {
	if !x.unwanted(name, p) {
		return nil
	}
	return x.hide()
}

// PassList is for the code of lists that have a packed form, before anything of
// the list is coded: it has the list written without the visitor, if that does
// not want its elements, and returns what brings the visitor back.
func (x *Coder) PassList(name string, l PackedList) (back func()) {
	if x.watch == nil || !x.unwanted(name, l) {
		return nil
	}
	x.begin(name, l.Unpacked())
	x.end()
	return x.hide()
}

// hide takes the visitor away until back is called.
func (x *Coder) hide() (back func()) {
	watch, outline := x.watch, x.outline
	x.watch, x.outline = nil, nil
	x.refresh()
	return func() {
		x.watch, x.outline = watch, outline
		x.refresh()
	}
}

// begin opens a group for the visitor.
func (x *Coder) begin(name string, p any) {
	if x.watch != nil {
		x.showBegin(name, p)
	}
}

func (x *Coder) showBegin(name string, p any) {
	if !x.dead() {
		x.groups++
		x.watch.Begin(name, p, x.offset())
	}
}

// end closes the group opened last.
func (x *Coder) end() {
	if x.watch != nil {
		x.showEnd()
	}
}

func (x *Coder) showEnd() {
	if !x.dead() {
		x.groups--
		x.watch.End(x.offset())
	}
}

// unwind closes all groups but n: those that an opaque rest left open.
func (x *Coder) unwind(n int) {
	for x.groups > n {
		x.groups--
		x.visitor().End(x.offset())
	}
}

// Group opens a named group of fields; generated code calls it.
func (x *Coder) Group(name string, p any) { x.begin(name, p) }

// EndGroup closes the group opened last.
func (x *Coder) EndGroup() { x.end() }

// Peek returns the next 32-bit word without moving past it, and whether there
// is one. It is for the few lists that end where something else begins.
func (x *Coder) Peek() (uint32, bool) {
	if x.writing || x.text || x.dead() || x.limit-x.pos < 4 || !x.fill(4) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(x.src[x.pos:]), true
}

// reason is the sentence an opaque region is explained with.
func reason(err error) string {
	var e *fault.Error
	if errors.As(err, &e) {
		return e.Detail()
	}
	return err.Error()
}

// ClassID codes a class ID, which text files write in hexadecimal.
func (x *Coder) ClassID(p *classid.ID, name string) {
	word(x, p, name, x.wordHex)
}
