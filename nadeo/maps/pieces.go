package maps

import (
	"math"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/blocks"
)

// The game adds pieces to some blocks, such as the posts and beams of a gate that can be
// made wider. A piece is a baked block: it stays on the map when its block goes, and cars
// hit it.

// pieceMark is in the names of pieces, behind the name of their block:
// GateExpandableFinishLeftVFC.
const pieceMark = "FC"

// pieceReach is the distance in metres, beyond the size of a block, in which its pieces
// begin.
const pieceReach = 48

// pieceOwner returns the index of the block that a piece belongs to, or -1. It is the
// nearest block whose name begins the name of the piece. A longer name wins, because
// GateFinishWide has other pieces than GateFinish.
func (f *Frame) pieceOwner(piece *Block, list []PlacedBlock, byName map[string][]int) int {
	at := strings.LastIndex(piece.Name, pieceMark)
	for length := at; length > 0; length-- {
		candidates := byName[piece.Name[:length]]
		if candidates == nil {
			continue
		}
		nearest, least := -1, math.Inf(1)
		for _, i := range candidates {
			b := &list[i].Block
			if b.Free != piece.Free {
				continue
			}
			reach := float64(pieceReach)
			if size, ok := f.size(b); ok {
				reach += float64(max(size.X, size.Z)) * float64(f.Cell.X)
			}
			if d := distance(f.corner(piece), f.corner(b)); d < least && d <= reach {
				nearest, least = i, d
			}
		}
		return nearest
	}
	return -1
}

// corner returns the position of a block in metres.
func (f *Frame) corner(b *Block) gbx.Vec3 {
	if b.Free {
		return b.Position
	}
	return f.metres(b.Coord)
}

func distance(a, b gbx.Vec3) float64 {
	x, y, z := float64(a.X-b.X), float64(a.Y-b.Y), float64(a.Z-b.Z)
	return math.Sqrt(x*x + y*y + z*z)
}

// lostPieces returns the indices of the baked blocks that belong to blocks which are gone:
// removed, moved, or given another model.
func (m *Map) lostPieces(was, want []PlacedBlock) map[int]bool {
	if m.BakedBlockCount() == 0 {
		return nil
	}
	stays := make(map[int]*PlacedBlock, len(want))
	for i := range want {
		if stays[want[i].from] == nil {
			stays[want[i].from] = &want[i]
		}
	}
	byName, gone, any := map[string][]int{}, make([]bool, len(was)), false
	for i := range was {
		byName[was[i].Name] = append(byName[was[i].Name], i)
		now := stays[was[i].from]
		gone[i] = now == nil || now.Name != was[i].Name || !samePlace(&now.Block, &was[i].Block)
		any = any || gone[i]
	}
	if !any {
		return nil
	}
	lost, f, at := map[int]bool{}, m.Frame(), -1
	for piece := range m.EachBakedBlock() {
		at++
		if strings.Contains(piece.Name, pieceMark) {
			if owner := f.pieceOwner(piece, was, byName); owner >= 0 && gone[owner] {
				lost[at] = true
			}
		}
	}
	return lost
}

// StrayPieces returns the pieces of gates whose block is not near them: another program
// deleted or moved the gate alone. The game shows nothing there, and cars crash.
func (m *Map) StrayPieces() (out []Block) {
	var list []PlacedBlock
	var byName map[string][]int
	f := m.Frame()
	for piece := range m.EachBakedBlock() {
		if !m.isPiece(piece) {
			continue
		}
		if byName == nil { // few maps have pieces
			list, byName = m.placedBlocks(), map[string][]int{}
			for i := range list {
				byName[list[i].Name] = append(byName[list[i].Name], i)
			}
		}
		if f.pieceOwner(piece, list, byName) < 0 {
			out = append(out, *piece)
		}
	}
	return out
}

// isPiece reports whether the name of a baked block is that of a gate of the catalogue
// with the mark of a piece. The pieces of walls and platforms are shared by many blocks:
// their names do not lead to one.
func (m *Map) isPiece(b *Block) bool {
	at := strings.LastIndex(b.Name, pieceMark)
	for length := at; length > 0; length-- {
		if kind := blocks.Find(m.Collection(), b.Name[:length]); kind != nil {
			return kind.Has("gate")
		}
	}
	return false
}

// dropPieces removes baked blocks by their indices, and their values in the columns. The
// map's list of blocks has placed blocks, of which free ones are off the grid.
func (m *Map) dropPieces(lost map[int]bool, placed, free int) {
	c, ok := find[*game.Chunk03043048](m)
	if !ok || len(lost) == 0 {
		return
	}
	var list []game.CGameCtnChallengeBlock
	var from []int
	var frees []int // indices of the free ones that stay
	shown, freeBaked := -1, 0
	old := c.BakedBlocks.Unpack()
	for i := range old {
		isFree := old[i].Flags != game.StandIn && old[i].Flags.Free()
		if old[i].Flags != game.StandIn {
			shown++
		}
		if old[i].Flags == game.StandIn || !lost[shown] {
			list, from = append(list, old[i]), append(from, i)
			if isFree {
				frees = append(frees, freeBaked)
			}
		}
		if isFree {
			freeBaked++
		}
	}
	c.BakedBlocks = game.PackBlocks(list)
	part := columnPart{placed, len(old), m.ItemCount()}
	if x, ok := find[*game.Chunk0304305F](m); ok {
		x.FreeBlocks = arranged(x.FreeBlocks, columnPart{free, freeBaked, max(0, len(x.FreeBlocks)-free-freeBaked)}, frees, game.CGameCtnChallengeFreeBlock{})
	}
	if x, ok := find[*game.Chunk03043062](m); ok {
		x.Colors = arranged(x.Colors, part, from, 0)
	}
	if x, ok := find[*game.Chunk03043068](m); ok {
		x.LightmapQualities = arranged(x.LightmapQualities, part, slices.Clone(from), 0)
	}
}
