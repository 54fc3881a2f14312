package game_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/code"
	"pakbox/gbx/engine/game"
)

// plainGenealogies is a list of nodes that is coded one by one, in a block of its
// own as in a map, where nodes have no numbers.
type plainGenealogies struct {
	around gbx.Encapsulation
	nodes  []gbx.Ref
}

func (c *plainGenealogies) Code(x *gbx.Coder) {
	in := x.Encapsulated(&c.around, "encapsulated")
	code.List(x, &c.nodes, 4, "nodes")
	for i := range c.nodes {
		x.Ref(&c.nodes[i], x.ElemName(i))
	}
	x.EndList()
	x.EndEncapsulated(&c.around, in)
}

// packedGenealogies is the same list, packed.
type packedGenealogies struct {
	around gbx.Encapsulation
	game.Genealogies
}

func (c *packedGenealogies) Code(x *gbx.Coder) {
	in := x.Encapsulated(&c.around, "encapsulated")
	c.Genealogies.Code(x, "nodes")
	x.EndEncapsulated(&c.around, in)
}

const genealogyClass, genealogyChunk = 0x0311D000, 0x0311D002

func genealogyRegistry(content func() gbx.Body) *gbx.Registry {
	return gbx.NewRegistry([]gbx.ClassInfo{
		{ID: blocksClass, Name: "CTest", Chunks: []gbx.ChunkInfo{{ID: blocksChunk, New: content}}},
		{ID: genealogyClass, Name: "CGameCtnZoneGenealogy", Chunks: []gbx.ChunkInfo{{ID: genealogyChunk, New: func() gbx.Body { return new(game.Chunk0311D002) }}}},
	})
}

// someGenealogies makes up nodes: mostly such as maps have, each often like the one
// before; and none, ones of another class, ones with no chunk or two.
func someGenealogies(random *rand.Rand, n int) []gbx.Ref {
	id := func() gbx.ID {
		switch random.IntN(10) {
		case 0:
			return gbx.NoID
		case 1:
			return gbx.NewGlobalID(fmt.Sprint("zone", random.IntN(5)))
		}
		return gbx.NewID(fmt.Sprint("zone", random.IntN(5)))
	}
	chunk := func() gbx.Chunk {
		c := &game.Chunk0311D002{CurrentIndex: random.Uint32N(4), Direction: random.Uint32N(4), CurrentZoneID: id()}
		for range random.IntN(4) {
			c.ZoneIDs = append(c.ZoneIDs, id())
		}
		return gbx.Chunk{ID: genealogyChunk, Body: c}
	}
	var list []gbx.Ref
	for range n {
		node := &gbx.Node{Class: genealogyClass, Chunks: []gbx.Chunk{chunk()}}
		switch random.IntN(24) {
		case 0:
			list = append(list, gbx.Ref{})
			continue
		case 1:
			node.Chunks[0].Skip = true
		case 2:
			node.Chunks = append(node.Chunks, chunk())
		case 3:
			node.Chunks = nil
		case 4:
			node.Class = blocksClass
			node.Chunks = nil
		case 5, 6, 7, 8, 9, 10, 11, 12:
			if len(list) > 0 && list[len(list)-1].Node != nil {
				node.Class, node.Chunks = list[len(list)-1].Node.Class, list[len(list)-1].Node.Chunks
			}
		}
		list = append(list, gbx.NewRef(node))
	}
	return list
}

// genealogyText is a node as text.
func genealogyText(r gbx.Ref) string {
	if r.Node == nil {
		return "none"
	}
	text := r.Node.Class.String()
	for _, c := range r.Node.Chunks {
		g := c.Body.(*game.Chunk0311D002)
		text += fmt.Sprintf(" (%v %t: %d %d %+v", c.ID, c.Skip, g.CurrentIndex, g.Direction, g.CurrentZoneID)
		for _, id := range g.ZoneIDs {
			text += fmt.Sprintf(", %+v", id)
		}
		text += ")"
	}
	return text
}

// Nodes that were written one by one are read at once as they are one by one, and
// written at once to the same bytes; so they are when they are packed from memory,
// and when they come from a document.
func TestGenealogiesOneByOne(t *testing.T) {
	plain := genealogyRegistry(func() gbx.Body { return new(plainGenealogies) })
	packed := genealogyRegistry(func() gbx.Body { return new(packedGenealogies) })
	for seed := range uint64(100) {
		nodes := someGenealogies(rand.New(rand.NewPCG(seed, 2)), int(seed))
		f := gbx.New(&gbx.Node{Class: blocksClass, Chunks: []gbx.Chunk{{ID: blocksChunk, Body: &plainGenealogies{nodes: nodes}}}}, plain)
		data, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		want := parse(t, data, plain).Body.Chunks[0].Body.(*plainGenealogies).nodes
		quick := parse(t, data, packed)
		got := &quick.Body.Chunks[0].Body.(*packedGenealogies).Genealogies
		same := func(how string) {
			t.Helper()
			if got.Len() != len(want) {
				t.Fatalf("%d nodes, want %d", got.Len(), len(want))
			}
			for i, r := range got.Unpack() {
				if got, want := genealogyText(r), genealogyText(want[i]); got != want {
					t.Fatalf("%s, node %d is %s, want %s", how, i, got, want)
				}
			}
			if body, err := quick.EncodeBody(); err != nil || !bytes.Equal(body, quick.BodyBytes()) {
				t.Fatalf("%s, %d nodes are written differently (%v)", how, got.Len(), err)
			}
		}
		same("read at once")
		*got = game.PackGenealogies(got.Unpack())
		same("packed anew")
		sameDocument(t, quick, packed, data)
	}
}
