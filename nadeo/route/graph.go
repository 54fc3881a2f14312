package route

import (
	"math"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
	"pakbox/nadeo/maps"
)

// Piece is a block with known ends.
type Piece struct {
	Block  int // its number in the list of blocks
	Kind   *blocks.Block
	Joints []Joint

	next []end // for each joint, the joint that continues it; its piece is -1 for none
}

// Graph has the pieces of a map, and how they are joined.
type Graph struct {
	Blocks []maps.Block
	Pieces []Piece

	m     *maps.Map
	cell  gbx.Vec3
	at    map[side][]end
	taken map[gbx.Int3]int // number of the block in a cell, from 1

	budget int // steps that the search for a route may still take
}

// side is a side of a cell. Its height is only about right.
type side struct {
	x, z     int32
	way, row int
}

// end is a joint of a piece.
type end struct{ piece, joint int }

// crowd is the number of ends on one side of a cell that are compared. Only damaged maps
// have more.
const crowd = 16

// Of returns the graph of a map.
func Of(m *maps.Map) *Graph { return OfBlocks(m, m.Blocks()) }

// OfBlocks is [Of] for a list of blocks that are not on the map yet.
func OfBlocks(m *maps.Map, list []maps.Block) *Graph {
	g := &Graph{Blocks: list, m: m, cell: m.CellSize(), at: map[side][]end{}, taken: map[gbx.Int3]int{}}
	for i := range list {
		g.add(i)
	}
	for i := range g.Pieces {
		p := &g.Pieces[i]
		for k := range p.Joints {
			p.next[k] = g.find(end{i, k})
		}
	}
	return g
}

// add adds a block of the list.
func (g *Graph) add(i int) {
	b := &g.Blocks[i]
	var kind *blocks.Block
	if !maps.IsOwnModel(b.Name, b.Author) {
		kind = g.m.Kind(b)
	}
	if b.Free {
		return
	}
	for _, c := range maps.CellsOf(kind, b) {
		g.taken[c] = i + 1
	}
	joints := Joints(kind, b, g.cell.Y)
	if len(joints) == 0 {
		return
	}
	for k, j := range joints {
		at := j.side()
		g.at[at] = append(g.at[at], end{len(g.Pieces), k})
	}
	g.Pieces = append(g.Pieces, Piece{Block: i, Kind: kind, Joints: joints, next: make([]end, len(joints))})
}

func (j Joint) side() side { return side{j.X, j.Z, j.Way, int(math.Round(j.Height()))} }

// find returns the end that continues another one.
func (g *Graph) find(e end) end {
	j := g.joint(e)
	at := j.side()
	at.way = (at.way + 2) % 4
	for _, row := range []int{0, 1, -1} {
		at.row = j.side().row + row
		list := g.at[at]
		for _, other := range list[:min(len(list), crowd)] {
			if other.piece != e.piece && j.meets(g.joint(other)) {
				return other
			}
		}
	}
	return end{-1, 0}
}

func (g *Graph) joint(e end) Joint { return g.Pieces[e.piece].Joints[e.joint] }

// next returns the end that continues an end, false if nothing does.
func (g *Graph) next(e end) (end, bool) {
	n := g.Pieces[e.piece].next[e.joint]
	return n, n.piece >= 0
}

// block returns the block of a piece.
func (g *Graph) block(piece int) *maps.Block { return &g.Blocks[g.Pieces[piece].Block] }

// isRoad reports whether a block belongs to a road with two sides. Cars leave platforms
// anywhere.
func isRoad(kind *blocks.Block) bool {
	for _, word := range []string{"Road", "StadiumRoad", "StadiumLoop"} {
		if len(kind.Name) >= len(word) && kind.Name[:len(word)] == word {
			return true
		}
	}
	return false
}

// isGoal reports whether a run ends at a block of this kind.
func isGoal(kind *blocks.Block) bool {
	return kind.Role == blocks.Finish || kind.Role == blocks.StartFinish
}

// Joined counts the ends of a piece that are joined to another piece.
func (g *Graph) Joined(piece int) (n int) {
	for _, next := range g.Pieces[piece].next {
		if next.piece >= 0 {
			n++
		}
	}
	return n
}
