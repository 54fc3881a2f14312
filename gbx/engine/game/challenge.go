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
	Blocks
	// Uncounted is how many more real blocks there are than the file counts:
	// one known tool leaves some beyond the count. It is negative where the
	// list is cut short.
	Uncounted int32
}

// minBlock is the fewest bytes a block takes.
const minBlock = 10

// Code reads or writes the list.
func (l *BlockList) Code(x *gbx.Coder, version int) {
	count := counted(l.list, version) - uint32(l.Uncounted)
	x.U32(&count, "count")
	if x.Packed() {
		gbx.SizedList(x, &l.list, l.size(x, count), minBlock, "blocks")
		l.codePacked(x, version)
		other := otherBlock{version: version}
		readOn(x, version, count, &l.list, func(p *packedBlock) { other.code(x, &l.Blocks, p) })
	} else {
		l.codeUnpacked(x, func(list *[]CGameCtnChallengeBlock) {
			gbx.SizedList(x, list, l.size(x, count), minBlock, "blocks")
			codeBlocks(x, version, *list)
			readOn(x, version, count, list, func(b *CGameCtnChallengeBlock) { b.Code(x, version) })
			x.EndList()
		})
	}
	if x.Reading() && version >= 2 {
		l.Uncounted = int32(counted(l.list, version) - count)
	}
}

// size is the length of the list when writing, and its least length when
// reading.
func (l *BlockList) size(x *gbx.Coder, count uint32) int {
	if x.Reading() {
		return int(count)
	}
	return l.Len()
}

// readOn reads what follows when some of the blocks did not count: as many
// more as are missing, and stand-ins after them.
func readOn[T block](x *gbx.Coder, version int, count uint32, list *[]T, read func(b *T)) {
	if !x.Reading() || version < 2 {
		return
	}
	for counted := counted(*list, version); ; {
		// A name begins with a bit that no chunk ID has.
		if w, ok := x.Peek(); !ok || counted >= count && w>>30 != 1 {
			return
		}
		b := gbx.Append(x, list, "blocks")
		if b == nil {
			return
		}
		read(b)
		if !(*b).isStandIn() {
			counted++
		}
	}
}

// block is a block in one of its two forms.
type block interface {
	packedBlock | CGameCtnChallengeBlock
	isStandIn() bool
}

func (p packedBlock) isStandIn() bool            { return p.flags == standIn }
func (c CGameCtnChallengeBlock) isStandIn() bool { return c.Flags == standIn }

// counted is the number of blocks that are no stand-ins.
func counted[T block](list []T, version int) uint32 {
	n := uint32(len(list))
	if version < 2 {
		return n
	}
	for i := range list {
		if list[i].isStandIn() {
			n--
		}
	}
	return n
}

// blocks returns the lists of blocks and baked blocks of the map.
func blocks(x *gbx.Coder) (placed, baked Blocks) {
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
	return placed.Len() + baked.Len() + itemCount(x)
}

func macroblockMemberCount(x *gbx.Coder) int {
	placed, _ := blocks(x)
	return placed.Len() + itemCount(x)
}

func freeBlockCount(x *gbx.Coder) int {
	n := 0
	placed, baked := blocks(x)
	for _, list := range [][]packedBlock{placed.list, baked.list} {
		for i := range list {
			if f := list[i].flags; f&CGameCtnChallengeBlockFlagsIsFree != 0 && f != standIn {
				n++
			}
		}
	}
	return n
}
