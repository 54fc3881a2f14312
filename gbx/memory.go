package gbx

import (
	"reflect"

	"pakbox/fault"
)

// memoryFactor and memoryBase bound what decoding may allocate: so many times
// the file's size plus a fixed amount.
const (
	memoryFactor = 16
	memoryBase   = 64 << 20
)

// What things take in memory beside their content, about.
const (
	chunkCost  = 48
	opaqueCost = 256 // with the reason
	idCost     = 32
	nodeCost   = 96 // with its places in the tables of nodes
)

// charge counts n bytes of memory against the limit for the whole file.
func (x *Coder) charge(n int64, name string) bool {
	*x.budget -= n
	if *x.budget < 0 {
		x.Fail(fault.Limit, name, "decoding would take more memory than the limits allow")
		return false
	}
	return true
}

// heapSize returns the most that the heap takes for n bytes: the runtime rounds
// small sizes up by less than a fifth, and large ones to whole pages.
func heapSize(n int64) int64 {
	const small, page = 32 << 10, 8 << 10
	if n > small {
		return n + page
	}
	return n + n/5 + 8
}

// newBody makes the content of a chunk. It is counted once it is there: what
// its type takes stands nowhere else, and no type takes much.
func (x *Coder) newBody(empty func() Body) Body {
	b := empty()
	x.charge(chunkCost+heapSize(int64(reflect.TypeOf(b).Elem().Size())), "chunk")
	return b
}
