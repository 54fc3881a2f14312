package blocks

// variantBits are the flags that give the form of a ByVariant block.
const variantBits = 0x3F

// roadTurns gives, for each variant of a ByVariant road, the direction of its mirror
// image. The variants are: alone, dead end, corner, straight, T, cross. The values come
// from the joints of roads in real maps.
var roadTurns = map[uint32]int{0: 0, 1: 0, 2: 3, 3: 0, 4: 2, 5: 0}

// borderTurns is the same for borders of terrain. Variants 6 and 7 have one more corner
// of the other terrain, each on its side; variant 8 has both corners.
var borderTurns = map[uint32]int{0: 1, 1: 0, 2: 1, 3: 3, 4: 0, 5: 0, 6: 0, 7: 0, 8: 0, 9: 3, 10: 3, 11: 0, 12: 2, 13: 0}

// Transition is the surface of ground where three heights meet.
const Transition = "terrain transition"

// Image is the mirror image of a block. If the block has direction d, the image has
// direction (Turn - d) mod 4 when mirrored in x, and two more when mirrored in z.
type Image struct {
	Name  string
	Turn  int
	Flags uint32
}

// ImageOf returns the mirror image of a block with these flags, false if it is unknown.
func (b *Block) ImageOf(flags uint32) (Image, bool) {
	if !b.ByVariant {
		return Image{b.Mirror, b.MirrorTurn, flags}, b.Mirror != "" && b.Ground.Known()
	}
	turns, variant := roadTurns, flags&variantBits
	if b.Surface == Transition {
		if variant < 6 {
			flags ^= 1 // 0 to 5 are three pairs of mirror images
		}
		return Image{b.Mirror, 0, flags}, true
	}
	if !b.Has("road") {
		turns = borderTurns
		if variant == 6 || variant == 7 {
			flags ^= 6 ^ 7
		}
	}
	turn, ok := turns[variant]
	return Image{b.Mirror, turn, flags}, ok
}

// Reflect maps a place on a block to the same place on its mirror image. wide and long
// are the size of the block's box in metres; turn is the direction of the image when the
// block faces north.
func Reflect(x, z float64, turn int, wide, long float64) (float64, float64) {
	switch turn {
	case 1:
		return z, x
	case 2:
		return x, long - z
	case 3:
		return long - z, wide - x
	}
	return wide - x, z
}
