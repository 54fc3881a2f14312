// Package blocks is a catalogue of the blocks that the games provide: the cells they
// take, where roads enter and leave, whether they are a start, checkpoint or finish, and
// which block is their mirror image. A map only names its blocks.
//
// The catalogue is made from tables by cmd/tools/catalogue. Each entry has a
// [Confidence].
package blocks

import (
	"iter"
	"slices"
	"strings"

	"pakbox/gbx"
)

// Block is one entry of the catalogue.
type Block struct {
	Name        string
	Environment string // the collection with this block, such as Stadium2020
	// Ground and Air are the cells that the block takes on the ground and
	// above it, before it is turned.
	Ground, Air Cells
	// Rise is the number of cells by which the block's lowest cell lies above
	// its coordinate: -1 for parts that reach into the ground.
	Rise    int
	Family  string // straight, curve, slope, loop, …; "" if nothing is known
	Radius  int    // of a curve, in cells; 0 for none
	Ends    []End  // where the surface meets the sides of the box
	Role    Role
	Surface string // tech, dirt, ice, …; "" if it is not known
	// Mirror is the name of the block that is the mirror image in x; "" if unknown.
	// MirrorTurn is the direction of the image if the block faces north. It has no
	// meaning for blocks whose form depends on their flags (ByVariant).
	Mirror     string
	MirrorTurn int
	ByVariant  bool // the form of the block depends on its flags
	Confidence Confidence
}

// Cells are the cells that a block takes before it is turned.
type Cells struct {
	Size gbx.Int3 // of the bounding box; 0 if unknown
	Full bool     // the block takes every cell of the box
	mask []byte   // one bit for each cell of the box, lowest bit first: x counts fastest, then z, then y
}

// Known reports whether the size is known.
func (c *Cells) Known() bool { return c.Size.X > 0 }

// Has reports whether the block takes a cell of its box.
func (c *Cells) Has(x, y, z int32) bool {
	if x < 0 || y < 0 || z < 0 || x >= c.Size.X || y >= c.Size.Y || z >= c.Size.Z {
		return false
	}
	i := x + c.Size.X*(z+c.Size.Z*y)
	return c.Full || int(i/8) < len(c.mask) && c.mask[i/8]>>(i%8)&1 == 1
}

// List iterates over the cells that the block takes.
func (c *Cells) List() iter.Seq[gbx.Int3] {
	return func(yield func(gbx.Int3) bool) {
		for y := range c.Size.Y {
			for z := range c.Size.Z {
				for x := range c.Size.X {
					if c.Has(x, y, z) && !yield(gbx.Int3{X: x, Y: y, Z: z}) {
						return
					}
				}
			}
		}
	}
}

// End is a place where the surface of a block meets a side of its box, so that another
// block can continue it.
type End struct {
	Side Side
	Cell int // number of the cell along the side, counted towards growing x or z
	// From and To are the heights of the surface in metres above the floor of the lowest
	// cell: From at the corner with the lower x or z, To at the other corner.
	From, To float64
	Width    float64 // metres of the side that the surface takes; 0 for the whole side
}

// Side is a side of a block before it is turned. Side s of a block with
// direction d looks to (s+d) mod 4.
type Side uint8

// The sides: z grows to the north, x to the west.
const (
	North Side = iota
	East
	South
	West
)

func (s Side) String() string { return "NESW"[s : s+1] }

// Role is the part a block plays in a race: start, checkpoint, finish.
type Role uint8

// The roles.
const (
	NoRole Role = iota
	Start
	Checkpoint
	Finish
	StartFinish // start and finish of a race with laps
)

var roleNames = [...]string{"none", "start", "checkpoint", "finish", "startfinish"}

func (r Role) String() string { return roleNames[r] }

// Waypoint returns the tag that maps since ManiaPlanet give to blocks of this role, ""
// for none.
func (r Role) Waypoint() string {
	return [...]string{"", "Spawn", "Checkpoint", "Goal", "StartFinish"}[r]
}

// Confidence grades an entry. A: measured on meshes or many maps. B: one good source or
// several maps. C: follows from a rule about names, or from few maps. D: a guess. -:
// nothing is known.
type Confidence byte

func (c Confidence) String() string { return string(rune(c)) }

// Cells returns the cells that the block takes on the ground, or above it. If only one of
// the two is known, it serves for both.
func (b *Block) Cells(ground bool) *Cells {
	if ground && b.Ground.Known() || !b.Air.Known() {
		return &b.Ground
	}
	return &b.Air
}

// families names, for some environments, another catalogue whose blocks they can use too.
var families = map[string]string{
	"BlueBay": "Stadium2020", "GreenCoast": "Stadium2020", "RedIsland": "Stadium2020", "WhiteShore": "Stadium2020",
}

// tableOf returns the name of the part of the catalogue that has the blocks of a
// collection.
func tableOf(collection string) string {
	switch collection {
	case "Speed":
		return "Desert"
	case "Alpine":
		return "Snow"
	}
	return collection
}

// Find returns a block by the name of its collection and its own name, nil if it is
// unknown.
func Find(collection, name string) *Block {
	table := tableOf(collection)
	if b := in(table)[name]; b != nil {
		return b
	}
	if more := families[table]; more != "" {
		return in(more)[name]
	}
	return nil
}

// Knows reports whether the catalogue has the blocks of a collection.
func Knows(collection string) bool { return len(in(tableOf(collection))) > 0 }

// Environments lists the collections in the catalogue.
func Environments() []string { return slices.Sorted(catalogueNames()) }

// All iterates over the blocks of a collection, sorted by name.
func All(collection string) iter.Seq[*Block] {
	table := in(tableOf(collection))
	names := make([]string, 0, len(table))
	for name := range table {
		names = append(names, name)
	}
	slices.Sort(names)
	return func(yield func(*Block) bool) {
		for _, name := range names {
			if !yield(table[name]) {
				return
			}
		}
	}
}

// Has reports whether a word is part of the family: the family "wall loop" has the words
// wall and loop.
func (b *Block) Has(word string) bool {
	for w := range strings.FieldsSeq(b.Family) {
		if w == word {
			return true
		}
	}
	return false
}
