// Package blocks knows the blocks that the games bring along: how many cells
// they take, where roads enter and leave, what they are on the way, and which
// block is their mirror image. Maps name their blocks and say nothing else
// about them.
//
// The catalogue is made from tables by internal/tools/catalogue. Each entry says
// how sure it is.
package blocks

import (
	"iter"
	"slices"
	"strings"

	"pakbox/gbx"
)

// Block is a kind of block.
type Block struct {
	Name        string
	Environment string // the collection that has it, such as Stadium2020
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
	// Mirror is the block that is the mirror image in x; "" if none is known.
	// MirrorTurn is the direction that the image of a block facing north has;
	// it means nothing for blocks that shape themselves.
	Mirror     string
	MirrorTurn int
	ByVariant  bool // the block takes its shape from its flags
	Confidence Confidence
}

// Cells are the cells that a block takes before it is turned.
type Cells struct {
	Size gbx.Int3 // of the box; 0 where it is not known
	Full bool     // the block takes every cell of the box
	mask []byte   // bits of x first, then z, then y, the lowest first
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

// List goes through the cells.
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

// End is a stretch of a side of the box at which the surface of a block ends.
type End struct {
	Side Side
	Cell int // along the side, towards growing x or z
	// From and To are heights in metres above the floor of the lowest cell, at
	// the end with the lower x or z and at the other.
	From, To float64
	Width    float64 // metres that the surface takes of the side; 0 for all of it
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

// Role is what a block is on the way through a map.
type Role uint8

// The roles.
const (
	NoRole Role = iota
	Start
	Checkpoint
	Finish
	StartFinish // of a race with laps
)

var roleNames = [...]string{"none", "start", "checkpoint", "finish", "startfinish"}

func (r Role) String() string { return roleNames[r] }

// Waypoint is the tag that maps of ManiaPlanet and later give to such a block,
// or "".
func (r Role) Waypoint() string {
	return [...]string{"", "Spawn", "Checkpoint", "Goal", "StartFinish"}[r]
}

// Confidence is how sure an entry is: A is measured on meshes or many maps, B
// has one good source or several maps, C follows a rule for names or few maps, D
// is a guess, - nothing.
type Confidence byte

func (c Confidence) String() string { return string(rune(c)) }

// Cells are the cells that the block takes on the ground or above it. Where
// only one of them is known, it stands for both.
func (b *Block) Cells(ground bool) *Cells {
	if ground && b.Ground.Known() || !b.Air.Known() {
		return &b.Ground
	}
	return &b.Air
}

// families holds the catalogues whose blocks an environment can use too.
var families = map[string]string{
	"BlueBay": "Stadium2020", "GreenCoast": "Stadium2020", "RedIsland": "Stadium2020", "WhiteShore": "Stadium2020",
}

// tableOf is the name of the part of the catalogue with the blocks of a
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

// Find returns a block of an environment, by the name of its collection; nil
// for one that is not known.
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

// Environments lists the collections that the catalogue has.
func Environments() []string { return slices.Sorted(catalogueNames()) }

// All goes through the blocks of a collection by name.
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

// Has reports whether the family has a word: a "wall loop" is a wall and a loop.
func (b *Block) Has(word string) bool {
	for w := range strings.FieldsSeq(b.Family) {
		if w == word {
			return true
		}
	}
	return false
}
