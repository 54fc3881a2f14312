package blocks

// variantBits are the flags with the shape of a block that shapes itself.
const variantBits = 0x3F

// roadTurns are the directions of the mirror images of roads that shape
// themselves, by variant: alone, dead end, corner, straight, T, cross. Joints of
// roads in real maps tell.
var roadTurns = map[uint32]int{0: 0, 1: 0, 2: 3, 3: 0, 4: 2, 5: 0}

// borderTurns are the same for borders of terrain. Variants 6 and 7 have one
// more corner of the other terrain, on one side or the other, and 8 has both.
var borderTurns = map[uint32]int{0: 1, 1: 0, 2: 1, 3: 3, 4: 0, 5: 0, 6: 0, 7: 0, 8: 0, 9: 3, 10: 3, 11: 0, 12: 2, 13: 0}

// Image is the block that stands for another one in a mirror. Its direction is
// (Turn - d) mod 4 for a block of direction d mirrored in x, and two more in z.
type Image struct {
	Name  string
	Turn  int
	Flags uint32
}

// ImageOf returns the mirror image of a block with some flags; false where it
// is not known.
func (b *Block) ImageOf(flags uint32) (Image, bool) {
	if !b.ByVariant {
		return Image{b.Mirror, b.MirrorTurn, flags}, b.Mirror != "" && b.Ground.Known()
	}
	turns, variant := roadTurns, flags&variantBits
	if !b.Has("road") {
		turns = borderTurns
		if variant == 6 || variant == 7 {
			flags ^= 6 ^ 7
		}
	}
	turn, ok := turns[variant]
	return Image{b.Mirror, turn, flags}, ok
}

// Reflect is the place of a mirror image that belongs to a place of a block
// whose box has a width and a length in metres. The image of a block that looks
// north is turned.
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
