package gbx

import (
	"reflect"

	"pakbox/fault"
)

// Decoding may use memoryFactor times the size of the file, plus memoryBase.
const (
	memoryFactor = 16
	memoryBase   = 64 << 20
)

// budgetFor returns the memory that decoding n bytes may take.
func budgetFor(n int64) int64 { return memoryBase + memoryFactor*n }

// Estimated memory of a chunk, an opaque region, a misfit, an ID and a node, without their
// content.
const (
	chunkCost  = 48
	opaqueCost = 64
	misfitCost = 704 // the reason and the error of bytes that left a known layout
	idCost     = 32
	nodeCost   = 96 // with the entries in the tables of nodes
)

// charge subtracts n bytes from the memory limit, or records an error.
func (x *Coder) charge(n int64, name string) bool {
	*x.budget -= n
	if *x.budget < 0 {
		x.Fail(fault.Limit, name, "decoding would take more memory than the limits allow")
		return false
	}
	return true
}

// heapSize returns an upper bound of the heap memory for n bytes: Go rounds small sizes
// up by less than a fifth, and large ones to pages.
func heapSize(n int64) int64 {
	const small, page = 32 << 10, 8 << 10
	if n > small {
		return n + page
	}
	return n + n/5 + 8
}

// newBody makes an empty content of a chunk and charges its memory.
func (x *Coder) newBody(empty func() Body) Body {
	b := empty()
	x.charge(chunkCost+heapSize(int64(reflect.TypeOf(b).Elem().Size())), "chunk")
	return b
}
