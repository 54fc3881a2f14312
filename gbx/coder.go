package gbx

import (
	"encoding/binary"
	"errors"
	"strings"
	"sync"

	"pakbox/fault"
	"pakbox/gbx/classid"
)

// A Coder reads values from a GBX file into Go structs, or writes them. The same
// sequence of calls does both, so that the layout of a chunk is stated once.
//
//	func (c *Chunk03043018) Code(x *gbx.Coder) {
//		x.Bool(&c.IsLapRace, "isLapRace")
//		x.U32(&c.NbLaps, "nbLaps")
//	}
//
// A [Visitor] can watch a Coder that writes. It gets the name, the offset and the
// address of each value, and may change the value before it is written. Dumps,
// JSON, search by path and editing are visitors.
//
// A Coder keeps its first error. After an error every call does nothing, so the
// code of chunks does not check for errors.
type Coder struct {
	// in holds the bytes up to the end of the current region. All methods for numbers and
	// texts use it for a fast path. It is nil if the fast path is not allowed: while
	// writing, in text files, with a visitor, after an error. direct allows the fast path
	// for writing.
	in     []byte
	pos    int
	direct bool

	src     []byte // all bytes, when reading
	limit   int    // end of the current region in src
	out     []byte // the bytes written so far
	base    int64  // offset of src[0] or out[0] in the header or the uncompressed body
	writing bool
	text    bool
	leftOut int64 // bytes of heavy header chunks that were left out of src
	halted  bool  // the rest of the region is opaque: calls do nothing until it ends
	err     *fault.Error

	watch   Visitor // receives every value that is read or written
	outline Visitor // sees nodes and chunks; watch is nil then
	groups  int     // groups that are open for the visitor
	source  Source  // supplies the values instead of src; it is also watch
	feed    Feeder  // supplies the bytes of src step by step; it is also watch
	fed     int     // with a feeder: bytes of src that are available

	scope *scope
	nodes *nodeTable
	encap bool // inside an encapsulated block, where node references have no index

	current *Node // the node whose chunk is being coded
	at      int   // index of the chunk that is being written
	depth   int
	budget  *int64 // bytes that may still be allocated for decoded values
	mine    int    // index in gather of the first chunk of the current node

	number ID // the last numeric ID; the next one is often the same

	misfits int // number of regions that left a known layout

	*workspace
}

// workspace holds the tables of a Coder. They are reused for the next file.
type workspace struct {
	reg      *Registry
	known    *known // cache for lookups in reg
	texts    strings.Builder
	gather   []Chunk // the chunks read so far of all nodes that are being read
	ownScope *scope
	ownNodes nodeTable
}

func newWorkspace(reg *Registry) *workspace {
	return &workspace{reg: reg, known: new(known), ownScope: new(scope)}
}

// coders keeps Coders for reuse.
var coders sync.Pool

// newCoder returns a Coder. Call release when it is done.
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

func newReader(src []byte, text bool, reg *Registry, budget *int64) *Coder {
	x := newCoder(reg)
	x.read(src, text, budget)
	return x
}

// read makes the Coder read src from the beginning.
func (x *Coder) read(src []byte, text bool, budget *int64) {
	x.scope, x.nodes = x.freshScope(), &x.ownNodes
	x.src, x.pos, x.limit = src, 0, len(src)
	x.text, x.budget, x.leftOut = text, budget, 0
	x.refresh()
}

func newWriter(text bool, reg *Registry, watch Visitor) *Coder {
	x := newCoder(reg)
	budget := int64(memoryBase)
	x.scope, x.nodes = x.ownScope, &x.ownNodes
	x.text, x.budget = text, &budget
	x.writing, x.watch = true, watch
	x.refresh()
	return x
}

func (x *Coder) release() {
	x.workspace.reset()
	*x = Coder{workspace: x.workspace}
	coders.Put(x)
}

// reset clears the tables for another file. It takes as long as the file that was read has
// chunks and texts, not as long as the largest file before it had: where a list becomes
// shorter, its rest is cleared at once.
func (w *workspace) reset() {
	w.gather = emptied(w.gather)
	w.texts.Reset()
	w.freshScope()
	w.ownNodes = nodeTable{nodes: emptied(w.ownNodes.nodes), defined: w.ownNodes.defined[:0]}
}

// freshScope returns an empty scope for IDs.
func (w *workspace) freshScope() *scope {
	w.ownScope = w.ownScope.cleared()
	return w.ownScope
}

func emptied[T any](s []T) []T {
	clear(s)
	return s[:0]
}

// maxDepth limits how deep nodes may nest. Real files stay below 40.
const maxDepth = 200

// Reading reports whether the Coder reads.
func (x *Coder) Reading() bool { return !x.writing }

// Err returns the first error.
func (x *Coder) Err() error {
	if x.err == nil {
		return nil
	}
	return x.err
}

// Remaining returns the bytes to the end of the current region; 0 when writing.
func (x *Coder) Remaining() int {
	if x.writing || x.dead() {
		return 0
	}
	return x.limit - x.pos
}

// Fail records an error, which becomes the reason of an opaque region.
func (x *Coder) Fail(kind fault.Kind, name, format string, args ...any) {
	if !x.dead() {
		x.fail(fault.At(kind, x.offset(), name, format, args...))
	}
}

func (x *Coder) fail(err *fault.Error) {
	x.err = err
	if x.source != nil {
		x.err = x.inDocument(x.err)
	}
	x.in, x.direct = nil, false
}

// Unsupported records that the file has a value that the sheet does not describe.
func (x *Coder) Unsupported(what string) {
	x.Fail(fault.Unsupported, "", "%s", what)
}

// dead reports whether calls do nothing: after an error, or in an opaque region.
func (x *Coder) dead() bool { return x.err != nil || x.halted }

func (x *Coder) offset() int64 {
	if x.writing {
		return x.base + int64(len(x.out))
	}
	return x.base + int64(x.pos)
}

// take returns the next n bytes, or records an error and returns nil. n is negative if
// the file states a size above the largest int32.
func (x *Coder) take(n int, name string) []byte {
	if x.dead() {
		return nil
	}
	if n < 0 || n > x.limit-x.pos || !x.fill(n) {
		need := int64(n)
		if n < 0 {
			need = int64(uint32(n))
		}
		x.fail(fault.Short(x.offset(), name, need, int64(x.limit-x.pos)))
		return nil
	}
	b := x.src[x.pos : x.pos+n : x.pos+n]
	x.pos += n
	return b
}

// fill asks the feeder for the next n bytes and reports whether they are available.
func (x *Coder) fill(n int) bool {
	if x.feed != nil && x.pos+n > x.fed {
		x.fed = int(x.feed.Need(int64(x.pos + n)))
		return x.pos+n <= x.fed
	}
	return true
}

// lost reports to the feeder that size bytes could not be decoded.
func (x *Coder) lost(o *Opaque, size int) {
	if x.feed != nil {
		x.feed.Lost(o, size)
	}
}

// region is the state of a Coder that enter saves for leave.
type region struct {
	limit  int
	halted bool
}

// enter limits reading to the next n bytes, which must exist.
func (x *Coder) enter(n int) region {
	r := region{x.limit, x.halted}
	x.limit = x.pos + n
	if x.in != nil {
		x.in = x.src[:x.limit]
	}
	return r
}

// leave ends the region of enter. Without an error, reading continues at the end of that
// region.
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

// refresh decides whether the fast paths may be used.
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

// halt makes the rest of the current region opaque.
func (x *Coder) halt() {
	x.halted = true
	x.err = nil
	x.in, x.direct = nil, false
	if !x.writing {
		x.pos = x.limit
	}
}

// Visitor watches the values that are written or, with [Trace], read.
type Visitor interface {
	// Value is called before a value is read or written. A visitor of writing may change
	// it.
	Value(name string, p any)
	// Coded gives the offset and length of the value that Value announced last.
	Coded(name string, p any, offset, length int64)
	// Begin opens a group: a struct, a list, an element, a chunk or a node.
	Begin(name string, p any, offset int64)
	// End closes the group that was opened last.
	End(offset int64)
}

// Feeder is a [Visitor] that supplies the bytes of the body step by step. [Trace] gets a
// buffer of the whole size, which the feeder fills.
type Feeder interface {
	Visitor
	// Need asks for the bytes of the body up to end. It returns the offset up to which
	// bytes are available. If that is less than end, parsing stops.
	Need(end int64) int64
	// Lost reports that size bytes could not be decoded and are kept in o.
	Lost(o *Opaque, size int)
}

// Chooser is a [Visitor] that skips groups, which then cost little time.
type Chooser interface {
	Visitor
	// Wants reports whether the visitor wants the content of a group. It is called after
	// the Begin of each *HeaderChunk, *Chunk and *Node. It is also called before the
	// Begin of each [PackedList] and of the content of each compressed block; there p is
	// only for its type. A skipped list has a Begin and an End, a skipped content has
	// neither.
	Wants(name string, p any) bool
}

// PackedList is a list that is read or written in one step if no visitor watches.
type PackedList interface {
	Len() int
	// Unpacked returns a nil pointer to a list, which shows the type of the elements.
	Unpacked() any
}

// Finisher is a [Visitor] that can end the walk.
type Finisher interface {
	Visitor
	// Done is called before each chunk of the main node. True ends the walk.
	Done() bool
}

// done reports whether the visitor needs no more of the main node.
func (x *Coder) done() bool {
	if x.depth > 1 {
		return false
	}
	f, ok := x.visitor().(Finisher)
	return ok && f.Done()
}

// visitor returns the visitor, nil if none exists.
func (x *Coder) visitor() Visitor {
	if x.watch != nil {
		return x.watch
	}
	return x.outline
}

// beginPart opens a group that [File.Outline] shows: node, chunk or content.
func (x *Coder) beginPart(name string, p any) {
	if v := x.visitor(); v != nil && !x.dead() {
		x.groups++
		v.Begin(name, p, x.offset())
	}
}

func (x *Coder) endPart() {
	if v := x.visitor(); v != nil && !x.dead() {
		x.groups--
		v.End(x.offset())
	}
}

// unwanted reports whether the visitor skips the content of p.
func (x *Coder) unwanted(name string, p any) bool {
	c, ok := x.visitor().(Chooser)
	return ok && !x.dead() && !c.Wants(name, p)
}

// passOver removes the visitor if it does not want the group p, and returns a function
// that restores it; otherwise nil.
func (x *Coder) passOver(name string, p any) (back func()) {
	if !x.unwanted(name, p) {
		return nil
	}
	return x.hide()
}

// PassList is for the code of chunks: it is passOver for the [PackedList] that follows.
func (x *Coder) PassList(name string, l PackedList) (back func()) {
	if x.watch == nil || !x.unwanted(name, l) {
		return nil
	}
	x.begin(name, l.Unpacked())
	x.end()
	return x.hide()
}

// hide removes the visitor until back is called.
func (x *Coder) hide() (back func()) {
	watch, outline := x.watch, x.outline
	x.watch, x.outline = nil, nil
	x.refresh()
	return func() {
		x.watch, x.outline = watch, outline
		x.refresh()
	}
}

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

// unwind closes groups until n are open. An opaque region may have left groups open.
func (x *Coder) unwind(n int) {
	for x.groups > n {
		x.groups--
		x.visitor().End(x.offset())
	}
}

// Group is for the code of chunks: it opens a named group of fields.
func (x *Coder) Group(name string, p any) { x.begin(name, p) }

// EndGroup closes the group that was opened last.
func (x *Coder) EndGroup() { x.end() }

// Peek returns the next 32-bit word without reading it, for lists without a
// count.
func (x *Coder) Peek() (uint32, bool) {
	if x.writing || x.text || x.dead() || x.limit-x.pos < 4 || !x.fill(4) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(x.src[x.pos:]), true
}

func reason(err error) string {
	var e *fault.Error
	if errors.As(err, &e) {
		return e.Detail()
	}
	return err.Error()
}

// ClassID reads or writes a class ID. Text files write it in hexadecimal.
func (x *Coder) ClassID(p *classid.ID, name string) {
	word(x, p, name, x.wordHex)
}
