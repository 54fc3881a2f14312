package maps

import (
	"iter"
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// storedBlocks is the list of blocks of a map that can be edited, in the form of
// later maps.
type storedBlocks struct {
	version uint32 // 0 in maps before TrackMania Sunrise
	list    func() []game.CGameCtnChallengeBlock
	// set stores another list. For each block, from is its index in the old
	// list, or -1.
	set func(list []game.CGameCtnChallengeBlock, from []int)
}

// placed returns the list of blocks where it can be edited.
func (m *Map) placed() (*storedBlocks, error) {
	unlimited := false
	if u, ok := find[*game.Chunk03043055](m); ok && u.Unlimiter.Data != nil {
		unlimited = true // it knows blocks by index
	}
	for i := range m.File.Body.Chunks {
		unlimited = unlimited || m.File.Body.Chunks[i].ID>>12 == 0x3F001
	}
	if unlimited {
		return nil, fault.New(fault.Unsupported, "the blocks of a TMUnlimiter map cannot be edited")
	}
	if c, ok := find[*game.Chunk0304301F](m); ok {
		return &storedBlocks{version: c.Version, list: c.Blocks.Unpack, set: func(list []game.CGameCtnChallengeBlock, _ []int) {
			c.Blocks.Blocks = game.PackBlocks(list)
		}}, nil
	}
	if c, ok := find[*game.Chunk03043013](m); ok {
		return &storedBlocks{list: func() []game.CGameCtnChallengeBlock { return c.Blocks }, set: func(list []game.CGameCtnChallengeBlock, _ []int) { c.Blocks = list }}, nil
	}
	if c, ok := find[*game.Chunk0304300F](m); ok {
		return &storedBlocks{
			list: func() (list []game.CGameCtnChallengeBlock) {
				for b := range firstBlocks(c) {
					list = append(list, *b)
				}
				return list
			},
			set: func(list []game.CGameCtnChallengeBlock, from []int) { setFirstBlocks(c, list, from) },
		}, nil
	}
	return nil, fault.New(fault.Unsupported, "blocks of this old kind of map cannot be edited")
}

// In the first maps blocks are nodes. The bits of their flags stand elsewhere
// than in later maps: 12 bits for the form, 12 for the variant that was chosen by
// chance, all set for none, and 4 bits in the order of later maps: ground, joins
// blocks, pillar, has a skin. In real files forms and variants need 6 bits, as
// later maps have them.
const (
	firstForm   = 0x3F
	firstChance = 0x3F // as many bits, 6 higher in later maps and 12 higher here
	firstRest   = 0xF  // from bit 12 on in later maps, from bit 24 on here
	noChance    = 0xFFF
)

// laterFlags are the flags of a block of the first maps as later maps have them.
func laterFlags(f uint32) uint32 {
	return f&firstForm | f>>12&firstChance<<6 | f>>24&firstRest<<12
}

// firstFlags is the opposite.
func firstFlags(f uint32) uint32 {
	chance := f >> 6 & firstChance
	if chance == firstChance {
		chance = noChance
	}
	return f&firstForm | chance<<12 | f>>12&firstRest<<24
}

// firstBlocks are the blocks of the first maps, as later maps store them.
func firstBlocks(c *game.Chunk0304300F) iter.Seq[*game.CGameCtnChallengeBlock] {
	return func(yield func(*game.CGameCtnChallengeBlock) bool) {
		for _, r := range c.Blocks {
			if !isFirstBlock(r) {
				continue
			}
			b, _ := gbx.Find[*game.Chunk03057002](r.Node)
			later := &game.CGameCtnChallengeBlock{
				Name: b.BlockModel.ID, Direction: b.Direction, Coord: b.Coord, Flags: game.CGameCtnChallengeBlockFlags(laterFlags(b.Flags)),
			}
			if !b.Skin.IsNil() {
				later.Custom = &game.CGameCtnChallengeBlockCustom{Author: b.BlockModel.Author, Skin: b.Skin}
			}
			if !yield(later) {
				return
			}
		}
	}
}

func isFirstBlock(r gbx.Ref) bool {
	_, ok := gbx.Find[*game.Chunk03057002](r.Node)
	return ok
}

// classFirstBlock is the class of the blocks of the first maps.
const classFirstBlock = 0x24007000

// setFirstBlocks stores blocks as nodes. A node whose block is as it was stays.
func setFirstBlocks(c *game.Chunk0304300F, list []game.CGameCtnChallengeBlock, from []int) {
	old := slices.DeleteFunc(slices.Clone(c.Blocks), func(r gbx.Ref) bool { return !isFirstBlock(r) }) // as firstBlocks counts
	kept := make([]bool, len(old))
	c.Blocks = make([]gbx.Ref, len(list))
	for i := range list {
		b, ref := &list[i], gbx.Ref{}
		if k := from[i]; k < 0 {
			ref = gbx.NewRef(&gbx.Node{Class: classFirstBlock, Chunks: []gbx.Chunk{{ID: classFirstBlock | 2, Body: &game.Chunk03057002{
				BlockModel: gbx.Ident{ID: b.Name, Collection: c.MapInfo.Collection, Author: gbx.NewID(nadeo)},
			}}}})
		} else if ref = old[k]; kept[k] {
			ref = copyRef(ref) // a block that stands twice is two nodes
		} else {
			kept[k] = true
		}
		first, _ := gbx.Find[*game.Chunk03057002](ref.Node)
		first.BlockModel.ID, first.Direction, first.Coord = b.Name, b.Direction, b.Coord
		if uint32(b.Flags) != laterFlags(first.Flags) {
			first.Flags = firstFlags(uint32(b.Flags))
		}
		if first.Skin = (gbx.Ref{}); b.Custom != nil {
			first.Skin, first.BlockModel.Author = b.Custom.Skin, b.Custom.Author
		}
		c.Blocks[i] = ref
	}
}
