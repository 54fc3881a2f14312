package maps

import (
	"iter"
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// storedBlocks gives access to a map's list of blocks for editing, in the form of later
// maps.
type storedBlocks struct {
	version uint32 // 0 in maps before TrackMania Sunrise
	list    func() []game.CGameCtnChallengeBlock
	// set stores another list. from has the index of each block in the old list, or -1.
	set func(list []game.CGameCtnChallengeBlock, from []int)
}

// placed returns the list of blocks, or an error if it cannot be edited.
func (m *Map) placed() (*storedBlocks, error) {
	unlimited := false
	if u, ok := find[*game.Chunk03043055](m); ok && u.Unlimiter.Data != nil {
		unlimited = true // its data refers to blocks by index
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

// In the first maps blocks are nodes, and their flags have another layout: 12 bits for
// the form, 12 bits for the random variant (all set for none), and 4 bits in the order of
// later maps: ground, clip, pillar, has a skin. In real files the form and the variant
// fit into the 6 bits that later maps have.
const (
	firstForm   = 0x3F
	firstChance = 0x3F // 6 bits: from bit 6 in later maps, from bit 12 in the first maps
	firstRest   = 0xF  // 4 bits: from bit 12 in later maps, from bit 24 in the first maps
	noChance    = 0xFFF
)

// laterFlags converts flags of the first maps to those of later maps.
func laterFlags(f uint32) uint32 {
	return f&firstForm | f>>12&firstChance<<6 | f>>24&firstRest<<12
}

// firstFlags is the inverse of laterFlags.
func firstFlags(f uint32) uint32 {
	chance := f >> 6 & firstChance
	if chance == firstChance {
		chance = noChance
	}
	return f&firstForm | chance<<12 | f>>12&firstRest<<24
}

// firstBlocks returns the blocks of the first maps, in the form of later maps.
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

// setFirstBlocks stores blocks as nodes. The node of an unchanged block stays.
func setFirstBlocks(c *game.Chunk0304300F, list []game.CGameCtnChallengeBlock, from []int) {
	old := slices.DeleteFunc(slices.Clone(c.Blocks), func(r gbx.Ref) bool { return !isFirstBlock(r) }) // the list as firstBlocks counts it
	kept := make([]bool, len(old))
	c.Blocks = make([]gbx.Ref, len(list))
	for i := range list {
		b, ref := &list[i], gbx.Ref{}
		if k := from[i]; k < 0 {
			ref = gbx.NewRef(&gbx.Node{Class: classFirstBlock, Chunks: []gbx.Chunk{{ID: classFirstBlock | 2, Body: &game.Chunk03057002{
				BlockModel: gbx.Ident{ID: b.Name, Collection: c.MapInfo.Collection, Author: gbx.NewID(nadeoAuthor)},
			}}}})
		} else if ref = old[k]; kept[k] {
			ref = copyRef(ref) // a block that occurs twice needs two nodes
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
