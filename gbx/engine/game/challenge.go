package game

import "pakbox/gbx"

// Some chunks of newer maps are columns: they hold one value for each block
// or item and store no count. The functions here find the counts.

// standIn are the flags of a block that is not counted. Editors outside the
// game leave such blocks behind, also after the last one that counts. Before
// list version 2 the flags mean what their bits say.
const standIn = 0xFFFFFFFF

// BlockList is the list of blocks on a map.
type BlockList struct {
	Blocks []CGameCtnChallengeBlock
	// Uncounted is how many more real blocks there are than the file counts:
	// one known tool leaves some beyond the count. It is negative where the
	// list is cut short.
	Uncounted int32
}

// minBlock is the fewest bytes a block takes.
const minBlock = 10

// Code reads or writes the list.
func (l *BlockList) Code(x *gbx.Coder, version int) {
	count := l.counted(version) - uint32(l.Uncounted)
	x.U32(&count, "count")
	gbx.SizedList(x, &l.Blocks, l.size(x, count), minBlock, "blocks")
	counted := uint32(0)
	for i := range l.Blocks {
		b := &l.Blocks[i]
		x.Elem(i, b)
		b.Code(x, version)
		x.EndElem()
		if !b.isStandIn(version) {
			counted++
		}
	}
	if x.Reading() && version >= 2 {
		l.readStandIns(x, version, count, counted)
	}
	x.EndList()
}

// size is the length of the list when writing, and its least length when
// reading.
func (l *BlockList) size(x *gbx.Coder, count uint32) int {
	if x.Reading() {
		return int(count)
	}
	return len(l.Blocks)
}

// readStandIns reads what follows when some of the blocks did not count: as
// many more as are missing, and stand-ins after them.
func (l *BlockList) readStandIns(x *gbx.Coder, version int, count, counted uint32) {
	for {
		// A name begins with a bit that no chunk ID has.
		if w, ok := x.Peek(); !ok || counted >= count && w>>30 != 1 {
			break
		}
		b := gbx.Append(x, &l.Blocks, "blocks")
		if b == nil {
			break
		}
		b.Code(x, version)
		if !b.isStandIn(version) {
			counted++
		}
	}
	l.Uncounted = int32(counted - count)
}

// counted is the number of blocks that are no stand-ins.
func (l *BlockList) counted(version int) uint32 {
	n := uint32(0)
	for i := range l.Blocks {
		if !l.Blocks[i].isStandIn(version) {
			n++
		}
	}
	return n
}

func (c *CGameCtnChallengeBlock) isStandIn(version int) bool {
	return version >= 2 && c.Flags == standIn
}

// blocks returns the lists of blocks and baked blocks of the map.
func blocks(x *gbx.Coder) (placed, baked []CGameCtnChallengeBlock) {
	if c, ok := gbx.Sibling[*Chunk0304301F](x); ok {
		placed = c.Blocks.Blocks
	}
	if c, ok := gbx.Sibling[*Chunk03043048](x); ok {
		baked = c.BakedBlocks
	}
	return placed, baked
}

func itemCount(x *gbx.Coder) int {
	if c, ok := gbx.Sibling[*Chunk03043040](x); ok {
		return len(c.Items)
	}
	return 0
}

func elementCount(x *gbx.Coder) int {
	placed, baked := blocks(x)
	return len(placed) + len(baked) + itemCount(x)
}

func macroblockMemberCount(x *gbx.Coder) int {
	placed, _ := blocks(x)
	return len(placed) + itemCount(x)
}

func freeBlockCount(x *gbx.Coder) int {
	n := 0
	placed, baked := blocks(x)
	for _, list := range [][]CGameCtnChallengeBlock{placed, baked} {
		for i := range list {
			if f := list[i].Flags; f&CGameCtnChallengeBlockFlagsIsFree != 0 && f != standIn {
				n++
			}
		}
	}
	return n
}
