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
	free  []T
	next  int    // length of the next run
	arena *arena // that is told when there is a run
}

// Runs begin small, because most files are, and grow to a size that the
// runtime still handles cheaply.
const (
	firstRun    = 4
	maxRunBytes = 16 << 10
)

// take returns n fresh values in a row.
func (s *slab[T]) take(n int) []T {
	if n > len(s.free) {
		var zero T
		most := max(1, maxRunBytes/max(1, int(unsafe.Sizeof(zero))))
		if n > most/4 {
			return make([]T, n) // long enough to stand alone
		}
		if s.next == 0 && s.arena != nil {
			s.arena.used = append(s.arena.used, s)
		}
		s.next = min(max(2*s.next, firstRun, n), most)
		s.free = make([]T, s.next)
	}
	run := s.free[:n:n]
	s.free = s.free[n:]
	return run
}

// reset forgets what is left of the last run, so that values of two files
// never lie in one.
func (s *slab[T]) reset() { s.free, s.next = nil, 0 }

// arena holds the slabs of one file.
type arena struct {
	nodes  slab[Node]
	chunks slab[Chunk]
	ids    slab[idValue]
	recent [8]any // slabs used lately: lists alternate between a few types
	turn   uint8
	others map[reflect.Type]any
	used   []resetter
}

type resetter interface{ reset() }

func (a *arena) reset() {
	a.nodes.reset()
	a.chunks.reset()
	a.ids.reset()
	for _, s := range a.used {
		s.reset()
	}
	a.used = emptied(a.used)
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

// uncleared returns n bytes whose content is not defined, for who fills all of
// them.
func uncleared(n int) []byte {
	var b strings.Builder
	b.Grow(n)
	return unsafe.Slice(unsafe.StringData(b.String()), n)
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
		return &slabOf[T](&x.arena).take(1)[0]
	}
	s, ok := x.making.slab.(*slab[T])
	if !ok {
		s = slabOf[T](&x.arena)
		x.making.slab = s
	}
	return &s.take(1)[0]
}
