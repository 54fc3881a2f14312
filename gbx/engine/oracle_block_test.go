package engine_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// block is a block of any kind of list, with coordinates as the oracle has
// them.
type block struct {
	name                gbx.ID
	x, y, z             int
	direction           uint8
	flags               uint32
	ground, ghost, free bool
	skin, waypoint      bool
}

func (b block) line() string {
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%08X", b.name.String(), b.x, b.y, b.z, b.direction, b.flags)
}

// blockList turns a list of blocks into what can be compared.
func blockList(list []game.CGameCtnChallengeBlock, offset int) []block {
	var out []block
	for i := range list {
		c := &list[i]
		b := block{
			name: c.Name, direction: c.Direction, flags: uint32(c.Flags),
			x: int(c.Coord.X) - offset, y: int(c.Coord.Y), z: int(c.Coord.Z) - offset,
		}
		b.ground, b.ghost, b.free = b.flags&(1<<12) != 0, b.flags&(1<<28) != 0, b.flags&(1<<29) != 0
		b.skin = c.Custom != nil && c.Custom.Skin.Node != nil
		b.waypoint = c.Extra != nil && c.Extra.Waypoint.Node != nil
		out = append(out, b)
	}
	return out
}

func blocksChunk(s source) any {
	switch {
	case bodyChunk(s.node, 0x0304301F) != nil:
		return "0304301F"
	case bodyChunk(s.node, 0x03043013) != nil:
		return "03043013"
	case bodyChunk(s.node, 0x0304300F) != nil:
		return "0304300F"
	}
	return absent
}

func placedBlocks(s source) any {
	if c, ok := gbx.Find[*game.Chunk0304301F](s.node); ok {
		return blockValues(blockList(c.Blocks.Unpack(), truth(c.Version >= 6)), freePositions(s, true))
	}
	if c, ok := gbx.Find[*game.Chunk03043013](s.node); ok {
		return blockValues(blockList(c.Blocks, 0), nil)
	}
	c, ok := gbx.Find[*game.Chunk0304300F](s.node)
	if !ok {
		return absent
	}
	var list []block
	for _, r := range c.Blocks {
		if b, ok := gbx.Find[*game.Chunk03057002](r.Node); ok {
			list = append(list, block{
				name: b.BlockModel.ID, x: int(b.Coord.X), y: int(b.Coord.Y), z: int(b.Coord.Z),
				direction: b.Direction, flags: b.Flags, ground: b.Flags&(1<<12) != 0, skin: b.Skin.Node != nil,
			})
		}
	}
	return blockValues(list, nil)
}

// countedBlocks leaves out stand-ins and blocks beyond the count, as the
// independent reader does.
func countedBlocks(s source) any {
	c, ok := gbx.Find[*game.Chunk0304301F](s.node)
	if !ok {
		return absent
	}
	list := blockList(c.Blocks.Unpack(), truth(c.Version >= 6))
	list = slices.DeleteFunc(list, func(b block) bool { return b.flags == math.MaxUint32 })
	return blockValues(list[:len(list)-int(c.Blocks.Uncounted)], nil)
}

func bakedBlocks(s source) any {
	c, ok := gbx.Find[*game.Chunk03043048](s.node)
	if !ok {
		return absent
	}
	return blockValues(blockList(c.BakedBlocks.Unpack(), 1), freePositions(s, false))
}

// freePositions are where the free blocks are: first of the placed ones, then
// of the baked ones.
func freePositions(s source, placed bool) []game.CGameCtnChallengeFreeBlock {
	free, ok := gbx.Find[*game.Chunk0304305F](s.node)
	if !ok {
		return nil
	}
	n := 0
	if c, ok := gbx.Find[*game.Chunk0304301F](s.node); ok {
		for _, b := range c.Blocks.All() {
			if b.Flags != math.MaxUint32 && b.Flags&(1<<29) != 0 {
				n++
			}
		}
	}
	if placed {
		return free.FreeBlocks[:n]
	}
	return free.FreeBlocks[n:]
}

func blockValues(list []block, free []game.CGameCtnChallengeFreeBlock) any {
	h := sha256.New()
	names := map[string]bool{}
	v := map[string]any{}
	add := func(key string, n int) {
		sum, _ := v[key].(float64)
		v[key] = sum + float64(n)
	}
	for _, b := range list {
		names[b.name.String()] = true
		add("sum_x", b.x)
		add("sum_y", b.y)
		add("sum_z", b.z)
		add("ground", truth(b.ground))
		add("ghost", truth(b.ghost))
		add("free", truth(b.free))
		add("skins", truth(b.skin))
		add("waypoints", truth(b.waypoint))
		fmt.Fprintln(h, b.line())
	}
	for _, key := range []string{"sum_x", "sum_y", "sum_z", "ground", "ghost", "free", "skins", "waypoints"} {
		add(key, 0)
	}
	v["count"] = float64(len(list))
	v["distinct_names"] = float64(len(names))
	v["sha256"] = hex.EncodeToString(h.Sum(nil))
	v["first"] = nil
	if len(list) > 0 {
		v["first"] = list[0].line()
	}
	v["free_pos_sum"] = nil
	if len(free) > 0 {
		var x, y, z float64
		for _, f := range free {
			x += float64(f.Position.X)
			y += float64(f.Position.Y)
			z += float64(f.Position.Z)
		}
		v["free_pos_sum"] = []any{x, y, z}
	}
	return v
}
