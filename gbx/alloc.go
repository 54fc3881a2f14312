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

// run is what is left of the values made last. It has no type, so that an
// arena can let go of the runs of all types: two thousand interface tables,
// one for each, would be set up whenever the program starts.
type run struct {
	free unsafe.Pointer // the first value, nil if none is left
	left int            // how many there are
	next int            // how many to make next
}

// Runs begin small, because most files are, and grow to a size that the
// runtime still handles cheaply.
const (
	firstRun    = 4
	maxRunBytes = 16 << 10
)

// take returns n fresh values in a row.
func (s *slab[T]) take(n int) []T {
	if n > s.left {
		var zero T
		most := max(1, maxRunBytes/max(1, int(unsafe.Sizeof(zero))))
		if n > most/4 {
			return make([]T, n) // long enough to stand alone
		}
		if s.next == 0 && s.arena != nil {
			s.arena.used = append(s.arena.used, &s.run)
		}
		s.next = min(max(2*s.next, firstRun, n), most)
		s.free, s.left = unsafe.Pointer(unsafe.SliceData(make([]T, s.next))), s.next
	}
	values := unsafe.Slice((*T)(s.free), s.left)
	s.left -= n
	s.free = nil
	if s.left > 0 {
		s.free = unsafe.Pointer(&values[n])
	}
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
}

// reset forgets what is left of all runs, so that values of two files never
// lie in one.
func (a *arena) reset() {
	a.nodes.run, a.chunks.run, a.ids.run = run{}, run{}, run{}
	for _, r := range a.used {
		*r = run{}
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
		return &slabOf[T](&x.arena).take(1)[0]
	}
	s, ok := x.making.slab.(*slab[T])
	if !ok {
		s = slabOf[T](&x.arena)
		x.making.slab = s
	}
	return &s.take(1)[0]
}
