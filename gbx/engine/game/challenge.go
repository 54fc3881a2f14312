package game

import (
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// Some chunks of newer maps have a value for each block or item without storing a count.
// The functions here find these counts.

// StandIn is the flags word of a block that does not count. Editors other than the game's
// leave such blocks behind. Before version 2 of the list the flags have other meanings.
const StandIn CGameCtnChallengeBlockFlags = 0xFFFFFFFF

// Free reports whether the block stands off the grid.
func (f CGameCtnChallengeBlockFlags) Free() bool {
	return f&CGameCtnChallengeBlockFlagsIsFree != 0 && f != StandIn
}

// Ghost reports whether the block was placed inside another one.
func (f CGameCtnChallengeBlockFlags) Ghost() bool {
	return f&CGameCtnChallengeBlockFlagsIsGhost != 0 && f != StandIn
}

// BlockList is the list of blocks on a map.
type BlockList struct {
	Blocks
	// Uncounted is how many real blocks the list has beyond its stored count. One tool
	// writes such lists. It is negative if blocks are missing at the end.
	Uncounted int32
}

// minBlock is the fewest bytes a block takes.
const minBlock = 10

// Code reads or writes the list.
func (l *BlockList) Code(x *gbx.Coder, version int) {
	count := l.counted(version) - uint32(l.Uncounted)
	x.U32(&count, "count")
	if back := x.PassList("blocks", l); back != nil {
		defer back()
	}
	if x.Packed() {
		code.SizedList(x, &l.list, l.size(x, count), minBlock, "blocks")
		l.codePacked(x, version)
		l.readOn(x, version, count)
	} else {
		l.codeUnpacked(x, func(list *[]CGameCtnChallengeBlock) {
			code.SizedList(x, list, l.size(x, count), minBlock, "blocks")
			codeBlocks(x, version, *list)
			readOn(x, version, count, list)
			x.EndList()
		})
	}
	if x.Reading() && version >= 2 {
		l.Uncounted = int32(l.counted(version) - count)
	}
}

// size is the length of the list when writing, and its smallest length when reading.
func (l *BlockList) size(x *gbx.Coder, count uint32) int {
	if x.Reading() {
		return int(count)
	}
	return l.Len()
}

// readOn reads further blocks that the stored count does not include, and stand-ins after
// them.
func (l *BlockList) readOn(x *gbx.Coder, version int, count uint32) {
	if !x.Reading() || version < 2 {
		return
	}
	for goesOn(x, l.counted(version), count) {
		p := code.Append(x, &l.list, "blocks")
		if p == nil {
			return
		}
		other := otherBlock{version: version}
		other.code(x, &l.Blocks, p)
	}
}

// readOn is the same for an unpacked list.
func readOn(x *gbx.Coder, version int, count uint32, list *[]CGameCtnChallengeBlock) {
	if !x.Reading() || version < 2 {
		return
	}
	counted := uint32(0)
	for i := range *list {
		counted += (*list)[i].counts()
	}
	for goesOn(x, counted, count) {
		b := code.Append(x, list, "blocks")
		if b == nil {
			return
		}
		b.Code(x, version)
		counted += b.counts()
	}
}

// goesOn reports whether another block follows. The word of a name has a bit that no
// chunk ID has.
func goesOn(x *gbx.Coder, counted, count uint32) bool {
	w, ok := x.Peek()
	return ok && (counted < count || w>>30 == 1)
}

// counts returns 1 for a block that is not a stand-in.
func (c *CGameCtnChallengeBlock) counts() uint32 {
	if c.Flags == StandIn {
		return 0
	}
	return 1
}

func (l *Blocks) counted(version int) uint32 {
	if version < 2 {
		return uint32(len(l.list))
	}
	return uint32(len(l.list)) - l.standIns
}

// blocks returns the lists of blocks and baked blocks of the map.
func blocks(x *gbx.Coder) (placed, baked Blocks) {
	if c, ok := code.Sibling[*Chunk0304301F](x); ok {
		placed = c.Blocks.Blocks
	}
	if c, ok := code.Sibling[*Chunk03043048](x); ok {
		baked = c.BakedBlocks
	}
	return placed, baked
}

func itemCount(x *gbx.Coder) int {
	if c, ok := code.Sibling[*Chunk03043040](x); ok {
		return len(c.Items)
	}
	return 0
}

func elementCount(x *gbx.Coder) int {
	placed, baked := blocks(x)
	return placed.Len() + baked.Len() + itemCount(x)
}

func macroblockMemberCount(x *gbx.Coder) int {
	placed, _ := blocks(x)
	return placed.Len() + itemCount(x)
}

func freeBlockCount(x *gbx.Coder) int {
	placed, baked := blocks(x)
	_, n := placed.Count()
	_, m := baked.Count()
	return n + m
}
