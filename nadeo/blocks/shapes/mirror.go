package shapes

import (
	"fmt"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

// name is the key of the block's profile in profiles.txt.
func (k Key) name() string {
	name := k.Kind.Environment + " " + k.Kind.Name
	if k.Kind.ByVariant {
		name += fmt.Sprint("/", k.Variant)
	}
	return name
}

func (k Key) size() gbx.Int3 { return CellsOf(k.Kind, k.Ground).Size }

// image returns the mirror image of a block, and the quarter turns that the image needs.
// It returns false if the image is unknown or takes other cells.
func (k Key) image() (Key, int, bool) {
	found, ok := k.Kind.ImageOf(k.Variant)
	if !ok {
		return k, 0, false
	}
	image := Key{Kind: k.Kind, Ground: k.Ground, Variant: found.Flags}
	if found.Name != k.Kind.Name {
		image.Kind = blocks.Find(k.Kind.Environment, found.Name)
	}
	if image.Kind == nil {
		return k, 0, false
	}
	a, b := k.size(), image.size()
	if found.Turn%2 == 1 {
		b.X, b.Z = b.Z, b.X
	}
	return image, found.Turn, a == b
}

// better reports whether more is known about a than about its mirror image b: by the
// number of ends, then by the recorded cars, then, to decide at all, by name.
func better(a, b Key) bool {
	if x, y := len(a.Kind.Ends), len(b.Kind.Ends); x != y {
		return x > y
	}
	samples := func(k Key) int {
		if p := k.profile(gbx.Vec3{}); p != nil {
			return p.samples
		}
		return 0
	}
	if x, y := samples(a), samples(b); x != y {
		return x > y
	}
	return a.name() < b.name()
}

// reflected mirrors the surface of a block.
func reflected(list []Slab, turn int, wide, long float64) []Slab {
	way := func(v gbx.Vec3) gbx.Vec3 {
		x, z := blocks.Reflect(float64(v.X), float64(v.Z), turn, 0, 0)
		return gbx.Vec3{X: float32(x), Y: v.Y, Z: float32(z)}
	}
	out := make([]Slab, len(list))
	for i, s := range list {
		x, z := blocks.Reflect(float64(s.Top.X), float64(s.Top.Z), turn, wide, long)
		s.Top.X, s.Top.Z = float32(x), float32(z)
		s.Normal, s.Along = way(s.Normal), way(s.Along)
		s.Right = scaled(way(s.Right), -1) // a mirrored frame would be left-handed; this makes it right-handed again
		out[i] = s
	}
	return out
}
