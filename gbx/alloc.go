package gbx

import (
	"reflect"
	"strings"
	"unsafe"
)

// Reading a map makes tens of thousands of small values: nodes, chunks, lists
// of a few elements. Made one by one they would cost more than decoding them,
// so they are made in runs and handed out one after the other.

// slab hands out values of one type.
type slab[T any] struct {
	run
	arena *arena // that is told when there is a run
}

// run is the values made last. It has no type, so that an arena can let go of
// the runs of all types: two thousand interface tables, one for each, would be
// set up whenever the program starts.
type run struct {
	values unsafe.Pointer // the first
	size   int            // how many there are
	used   int            // how many were handed out
	before int            // how many runs before this one had, for the same file
	stale  int            // how many a file before this one used
	next   int            // how many the next run should have, if that is known
}

// Runs begin small, because most files are, and grow to a size that the
// runtime still handles cheaply. One that serves many files has what the
// largest takes, unless that is too much, for one type or for all.
const (
	firstRun     = 4
	maxRunBytes  = 16 << 10
	maxKeptBytes = 1 << 20
	maxAllKept   = 64 << 20
)

// take returns n fresh values in a row.
func (s *slab[T]) take(n int) []T {
	if n > s.size-s.used {
		return s.takeMore(n)
	}
	values := unsafe.Slice((*T)(s.values), s.size)[s.used:][:n:n]
	if s.used < s.stale {
		clear(values)
	}
	s.used += n
	return values
}

// one returns a fresh value.
func (s *slab[T]) one() *T {
	if s.used >= s.size {
		return &s.takeMore(1)[0]
	}
	p := &unsafe.Slice((*T)(s.values), s.size)[s.used]
	if s.used < s.stale {
		var zero T
		*p = zero
	}
	s.used++
	return p
}

// takeMore is take with a new run.
func (s *slab[T]) takeMore(n int) []T {
	var zero T
	size := max(1, int(unsafe.Sizeof(zero)))
	most := max(1, maxRunBytes/size)
	next := min(s.next, maxKeptBytes/size)
	if n > max(most/4, next) {
		return make([]T, n) // long enough to stand alone
	}
	if s.values == nil {
		s.arena.used = append(s.arena.used, &s.run)
	}
	values := make([]T, max(min(max(2*s.size, firstRun, n), most), next))
	s.arena.made += len(values) * size
	s.run = run{values: unsafe.Pointer(unsafe.SliceData(values)), size: len(values), used: n, before: s.before + s.used}
	return values[:n:n]
}

// arena holds the slabs of one file.
type arena struct {
	nodes  slab[Node]
	chunks slab[Chunk]
	ids    slab[idValue]
	recent [8]any // slabs used lately: lists alternate between a few types
	turn   uint8
	others map[reflect.Type]any
	used   []*run

	again bool // the memory of a file serves the next one
	made  int  // how much there was
	plain plainRun
}

// plainRun is where values without pointers lie, if their memory serves many
// files.
type plainRun struct {
	all, left []byte
	asked     int // how much of it a file took, or would have taken
	next      int // how much it should have been
}

// init makes an arena ready for its first file.
func (a *arena) init() { a.nodes.arena, a.chunks.arena, a.ids.arena = a, a, a }

// reset makes ready for another file: it forgets what is left of all runs, so
// that values of two files never lie in one, or begins with them anew.
func (a *arena) reset() {
	if a.again && a.made <= maxAllKept {
		a.rewind()
		return
	}
	for _, r := range a.used {
		*r = run{}
	}
	a.used = emptied(a.used)
	a.made, a.plain = 0, plainRun{}
}

// rewind keeps the runs that were enough for a file. Where there were several
// the next one will be as large as all.
func (a *arena) rewind() {
	kept := a.used[:0]
	for _, r := range a.used {
		if r.before > 0 {
			*r = run{next: r.before + r.used}
			continue
		}
		r.stale, r.used = max(r.stale, r.used), 0
		kept = append(kept, r)
	}
	clear(a.used[len(kept):])
	a.used = kept
	p := &a.plain
	if p.asked > len(p.all) {
		p.all, p.next = nil, p.asked
	}
	p.left, p.asked = p.all, 0
}

// slabOf returns the slab of a type.
func slabOf[T any](a *arena) *slab[T] {
	for _, r := range a.recent {
		if s, ok := r.(*slab[T]); ok {
			return s
		}
	}
	key := reflect.TypeFor[T]()
	s, ok := a.others[key].(*slab[T])
	if !ok {
		if a.others == nil {
			a.others = map[reflect.Type]any{}
		}
		s = &slab[T]{arena: a}
		a.others[key] = s
	}
	a.recent[a.turn%uint8(len(a.recent))] = s
	a.turn++
	return s
}

// plainOf returns n values whose content is not defined, for who fills all of
// them. They must not have pointers.
func plainOf[T any](a *arena, n int) []T {
	if !a.again {
		return uncleared[T](n)
	}
	var zero T
	size := (n*int(unsafe.Sizeof(zero)) + 7) &^ 7
	p := &a.plain
	if p.all == nil && p.next > 0 {
		p.all = uncleared[byte](p.next)
		p.left = p.all
		a.made += len(p.all)
	}
	p.asked += size
	if size > len(p.left) {
		return uncleared[T](n)
	}
	values := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(p.left))), n)
	p.left = p.left[size:]
	return values
}

// uncleared returns n values whose content is not defined, for who fills all
// of them. They must not have pointers.
func uncleared[T any](n int) []T {
	var zero T
	var b strings.Builder
	b.Grow(n * int(unsafe.Sizeof(zero)))
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.StringData(b.String()))), n)
}

// What things take in memory beside their content, about.
const (
	chunkCost  = 48
	opaqueCost = 256 // with the reason
	idCost     = 32
)

// Alloc makes the content of a chunk; generated code calls it. x may be nil
// outside of reading.
func Alloc[T any](x *Coder) *T {
	if x == nil {
		return new(T)
	}
	var zero T
	x.charge(chunkCost+int64(unsafe.Sizeof(zero)), "chunk")
	if x.making == nil {
		return slabOf[T](&x.arena).one()
	}
	s, ok := x.making.slab.(*slab[T])
	if !ok {
		s = slabOf[T](&x.arena)
		x.making.slab = s
	}
	return s.one()
}
