package maps

import (
	"io"
	"math"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/blocks"
)

// custom is a block that the map embeds. It is made from a block of the game, with other
// meshes for its variants, and takes the same cells.
type custom struct {
	kind *blocks.Block // the catalogue's entry for the block it is made from; nil if unknown
	file *gbx.File
	same map[sameKey]bool // whether a variant is its own mirror image
}

type sameKey struct{ variant, turn int }

// customEnd is the end of such blocks' names on maps.
const customEnd = "_CustomBlock"

// maxCustom limits the size of an embedded block's file.
const maxCustom = 64 << 20

// custom returns what is known about an embedded block, nil for other blocks.
func (f *Frame) custom(b *Block) *custom {
	if !strings.HasSuffix(b.Name, customEnd) {
		return nil
	}
	c, ok := f.customs[b.Name]
	if !ok {
		c = f.readCustom(b.Name)
		if f.customs == nil {
			f.customs = map[string]*custom{}
		}
		f.customs[b.Name] = c
	}
	return c
}

// readCustom reads an embedded block. Without its file nothing is known about it.
func (f *Frame) readCustom(name string) *custom {
	c := &custom{same: map[sameKey]bool{}}
	all, err := f.m.EmbeddedFiles()
	if err != nil {
		return c
	}
	e := all.Model(name)
	if e == nil {
		return c
	}
	in, err := e.Open()
	if err != nil {
		return c
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxCustom))
	if err != nil {
		return c
	}
	if c.file, err = gbx.Parse(data, engine.Registry()); err != nil {
		return c
	}
	if model, ok := gbx.Find[*gamedata.Chunk2E002019](c.file.Body); ok {
		if made, ok := gbx.Find[*gamedata.Chunk2E025000](model.EntityModelEdition.Node); ok {
			c.kind = blocks.Find(f.m.Collection(), made.ArchetypeBlockInfoID.String())
		}
	}
	return c
}

// size returns how many cells a block takes before it is turned, if known.
func (f *Frame) size(b *Block) (gbx.Int3, bool) {
	c := f.custom(b)
	switch {
	case c == nil:
		return f.m.BlockSize(b)
	case c.kind == nil:
		return gbx.Int3{}, false
	}
	return c.kind.Cells(b.Ground()).Size, c.kind.Ground.Known()
}

// image returns the mirror image of the block. That is the block itself if the game's
// block is its own image and the mesh of the variant is symmetric.
func (c *custom) image(b *Block, cell gbx.Vec3) (blocks.Image, bool) {
	image := blocks.Image{Name: b.Name, Flags: b.Flags}
	if c.kind == nil {
		return image, false
	}
	of, ok := c.kind.ImageOf(b.Flags)
	if !ok || of.Name != c.kind.Name || of.Flags != b.Flags {
		return image, false
	}
	image.Turn = of.Turn
	key := sameKey{b.Variant(), of.Turn}
	same, ok := c.same[key]
	if !ok {
		same = c.symmetric(key, c.kind.Cells(b.Ground()).Size, cell)
		c.same[key] = same
	}
	return image, same
}

// symmetric reports whether the mesh of a variant equals its mirror image: nearly all
// corners have an image within some centimetres.
func (c *custom) symmetric(key sameKey, size gbx.Int3, cell gbx.Vec3) bool {
	scene, err := mesh.Read(c.file, mesh.Options{Variant: func(n int) bool { return n == key.variant }})
	if err != nil {
		return false
	}
	const step, enough = 0.25, 0.97
	at := func(x, y, z float64) [3]int {
		return [3]int{int(math.Round(x / step)), int(math.Round(y / step)), int(math.Round(z / step))}
	}
	var list [][3]float64
	taken := map[[3]int]bool{}
	scene.Visit(func(n *mesh.Node, t mesh.Transform) {
		if n.Mesh == nil {
			return
		}
		for _, part := range n.Mesh.Parts {
			for _, p := range part.Positions {
				p = t.Point(p)
				x, y, z := float64(p.X), float64(p.Y), float64(p.Z)
				list = append(list, [3]float64{x, y, z})
				for i := range 8 { // rounding up and down: a place near the edge of a step is in both
					d := func(bit int) float64 { return (float64(i>>bit&1) - 0.5) * step / 2 }
					taken[at(x+d(0), y+d(1), z+d(2))] = true
				}
			}
		}
	})
	found := 0
	for _, p := range list {
		x, z := blocks.Reflect(p[0], p[2], key.turn, float64(size.X)*float64(cell.X), float64(size.Z)*float64(cell.Z))
		if taken[at(x, p[1], z)] {
			found++
		}
	}
	return float64(found) >= enough*float64(len(list))
}
