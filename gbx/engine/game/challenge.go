package game

import "pakbox/gbx"

// Some chunks of newer maps are columns: they hold one value for each block
// or item and store no count. The functions here find the counts.

// freeBlock is the bit of a block's flags that takes it off the grid.
const freeBlock = 1 << 29

// standIn are the flags of a block that is not counted.
const standIn = 0xFFFFFFFF

// blocks returns the lists of blocks and baked blocks of the map.
func blocks(x *gbx.Coder) (placed, baked []CGameCtnChallengeBlock) {
	if c, ok := gbx.Sibling[*Chunk0304301F](x); ok {
		placed = c.Blocks
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
			if f := list[i].Flags; f&freeBlock != 0 && f != standIn {
				n++
			}
		}
	}
	return n
}
