package gbx_test

import (
	"math/rand/v2"
	"testing"

	"pakbox/gbx/engine"
)

// randomBlocks makes the bytes of block lists that hold blocks of all kinds in
// any order.
type randomBlocks struct {
	*rand.Rand
	texts []int // kinds of the texts so far
	nodes int   // so far, with the main node
	whole bool  // nothing was made that ends the understanding
}

const (
	localKind  = 0x40000000
	globalKind = -0x80000000
)

// id returns an ID of some kind: mostly a reference, sometimes a new text, and
// seldom something else.
func (r *randomBlocks) id() []byte {
	switch r.IntN(12) {
	case 0, 1:
		return r.text(localKind)
	case 2:
		return r.text(globalKind)
	case 3:
		return join([]any{-1, 7, localKind | 5000}[r.IntN(3)])
	case 4:
		n := r.IntN(len(r.texts))
		return join(localKind ^ globalKind ^ r.texts[n] | n + 1) // of the other kind
	}
	n := r.IntN(len(r.texts))
	return join(r.texts[n] | n + 1)
}

// name is an ID that begins as readers expect the name of a block to begin.
func (r *randomBlocks) name() []byte {
	if r.IntN(4) == 0 {
		return r.text(localKind)
	}
	n := r.IntN(len(r.texts))
	return join(r.texts[n] | n + 1)
}

func (r *randomBlocks) text(kind int) []byte {
	r.texts = append(r.texts, kind)
	return join(kind, text("text"[:r.IntN(5)]))
}

// ref returns a reference: to nothing, to a node that was there before, or
// with a new node, which may hold an unknown chunk.
func (r *randomBlocks) ref() []byte {
	switch r.IntN(4) {
	case 0:
		return join(-1)
	case 1:
		return join(r.IntN(r.nodes))
	}
	r.nodes++
	content := join(nodeEnd)
	switch r.IntN(40) {
	case 0:
		content, r.whole = join(0x03059FFF, 1, 2), false
	case 1, 2, 3, 4:
		content = join(0x03059002, text("skin"), "\x00", text(""), "\x00", text(""), nodeEnd)
	}
	return join(r.nodes-1, 0x03059000, content)
}

// block returns a block, and 1 if it counts.
func (r *randomBlocks) block(version int) (b []byte, counts int) {
	if r.IntN(20) == 0 && version >= 2 {
		return join(r.text(localKind), "\x00\x01\x02\x03", -1), 0
	}
	flags := []int{0, 0x1000, 0x8000, 0x8000, 0x8000, 0x20000, 0x28000, 0x48000, 0x80000, 0x108000, 0x20000000}[r.IntN(11)]
	b = join(r.name(), "\x00\x01\x02\x03", flags)
	if flags&0x8000 != 0 {
		b = join(b, r.id(), r.ref())
	}
	if version < 2 {
		return b, 1
	}
	if flags&0x80000 != 0 {
		b = join(b, r.ref())
	}
	if flags&0x100000 != 0 {
		b = join(b, r.ref())
	}
	if flags&0x40000 != 0 {
		b = join(b, 1, 5, 6, 0)
	}
	if flags&0x20000 != 0 {
		b = join(b, r.id(), 1, 2)
	}
	return b, 1
}

// Blocks of all kinds are read at once as they are read one by one, also where
// the file ends too early.
func TestPackedBlocks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	whole := 0
	for range 3000 {
		r := &randomBlocks{Rand: rnd, nodes: 1, whole: true}
		version := 1 + r.IntN(6)
		body := join(0x0304301F, 3, r.text([]int{localKind, globalKind}[r.IntN(2)]), 26, -1, text("name"), -1, -1, -1, 1, 1, 1, 0, version)
		var blocks []byte
		count := 0
		for range r.IntN(15) {
			b, counts := r.block(version)
			blocks = append(blocks, b...)
			count += counts
		}
		data := binaryFile(body, count, blocks, nodeEnd)
		checkRead(t, data, engine.Registry())
		cut := r.IntN(len(data))
		checkRead(t, data[:cut], engine.Registry())
		if r.whole {
			readWhole(t, data, engine.Registry())
			whole++
		}
	}
	if whole < 1000 {
		t.Errorf("only %d lists could be understood", whole)
	}
}
