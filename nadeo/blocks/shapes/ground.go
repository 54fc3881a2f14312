package shapes

import (
	"regexp"
	"strconv"
	"sync"

	"pakbox/nadeo/blocks"
)

// Ground of the environments with hills: flats, and the slopes between two of them. A flat
// is as high as the upper side of its cell, and what stands on it has the next level
// (blocks of ManiaPlanet: the floor of its cell, and the same level). On real maps, the
// higher flat beside a slope has its level and the lower one so many levels less; in
// ManiaPlanet the lower flat has its level, and the name gives the other one.
var grounds = map[string]map[string]int{
	"Rally":  {"RallyFlat": 0, "RallyRockyGrass": 0, "Lake": 0, "ForestToLake": 0, "RallyRockyGrassHills": 1, "HillsToHills": 2, "RallyRockyGrassCliffs": 3},
	"Snow":   {"AlpineTundra": 0, "AlpineSnowBase": 0, "Ice": 0, "Ice0": 0, "SnowToIce": 0, "Ice0ToIce": 0, "Hills": 1, "TundraHills": 1, "SnowToSnow": 3},
	"Desert": {"SpeedBase": 0, "SpeedRock": 0, "River": 0, "DesertToRiver": 0, "DesertToDesert": 3},
	"Coast":  {"CoastDirt": 0, "CoastDirtCliff": 3},
	"Island": {"IslandGrass": 0, "IslandHills6": 6},

	"Stadium": {"StadiumDirtHill": 2, "StadiumPool": 0, "StadiumWater": 0},
}

// Shift returns how much higher in metres a block lies than its shape. The Stadium's dirt
// begins at level 0 in the first games and at level 9 in ManiaPlanet, and each hill is two
// levels high, so that the level reveals the game. In ManiaPlanet it is stored as the ground
// of the other environments: a flat has the level of what stands on it, and a hill that of
// its foot.
func Shift(kind *blocks.Block, level int32) float64 {
	if kind.Environment != "Stadium" || level%2 == 0 {
		return 0
	}
	switch kind.Name {
	case "StadiumDirt", "StadiumDirtBorder":
		return -7
	case "StadiumDirtHill":
		return 9
	}
	return 0
}

// dirtBelow is how far in metres the Stadium's dirt lies below the upper side of its cells.
const dirtBelow = 0.3

// poolDeep is how far in metres the floor of the Stadium's pools lies below its grass, as
// photographs show it.
const poolDeep = 2

// hillName matches the slopes of ManiaPlanet and Trackmania: the number is their height in
// cells.
var hillName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(Grass|Forest|Dirt|Land)(Hill|Cliff)([0-9]*)$`)
})

// hillCorners are, by variant, the heights of a slope's corners in the south-east,
// south-west, north-east and north-west, and of its middle: 0 is the lower flat, 1 the
// higher. Neighbours of 9,000 slopes on real maps of five environments show: the south of
// variant 5 is high, of variant 9 the corner in the south-west, and of 0 all but the one in
// the north-west. The others are ridges and ends of ridges, which reach half the height.
var hillCorners = map[uint32][5]float64{
	0: {1, 1, 1, 0, 0.75}, 1: {1, 1, 0, 0, 0.5}, 2: {0, 0, 0, 0, 0.5}, 5: {1, 1, 0, 0, 0.5}, 6: {0, 0, 0, 0, 0.5}, 7: {0, 0, 0, 0, 0.5},
	8: {0, 0, 0, 0, 0.5}, 9: {0, 1, 0, 0, 0.25}, 10: {0, 0, 0, 0, 0.5}, 11: {0, 0, 0, 0, 0.5}, 12: {0, 0, 0, 0, 0.5}, 13: {0, 0, 0, 0, 0.5},
}

// transitionName matches ground where three heights meet, given in cells.
var transitionName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Z][a-z]+([0-9]+)_[A-Z][a-z]+([0-9]+)_[A-Z][a-z]+([0-9]+)$`)
})

// transition returns the heights of the corners and the middle of such a block, in cells.
// Slopes beside 300 of them show: the north is flat, at the lowest height in variants 0
// and 1, then the middle and the highest one, and each pair is mirrored. Of further
// variants only the mean is certain.
func transition(variant uint32, levels [3]float64) [5]float64 {
	mean := (levels[0] + levels[1] + levels[2]) / 3
	if variant > 5 {
		return [5]float64{mean, mean, mean, mean, mean}
	}
	n := variant / 2
	north, one, two := levels[n], levels[(2-n)/2], levels[2-n/2]
	if variant%2 == 1 {
		one, two = two, one
	}
	return [5]float64{one, two, north, north, (one + two + 2*north) / 4}
}

// slope is the form of a flat or a slope of the ground: its heights in metres at 0 and 1,
// and between them the corners and the middle.
type slope struct {
	low, high float64
	corners   [5]float64
}

// at is the height at a place, as fractions of the width and length.
func (g *slope) at(x, z float64) float64 {
	c := g.corners
	h := (c[0]*(1-x)+c[1]*x)*(1-z) + (c[2]*(1-x)+c[3]*x)*z
	mean := (c[0] + c[1] + c[2] + c[3]) / 4
	h += (c[4] - mean) * 16 * x * (1 - x) * z * (1 - z)
	return g.low + (g.high-g.low)*h
}

// hill returns the height of the ground at each place, nil for other blocks. Photographs show
// round hills in the Stadium and in Rally, and hills with edges elsewhere.
func (s *shape) hill() func(x, z float64) float64 {
	g := s.slope()
	if g == nil {
		return nil
	}
	ease := func(t float64) float64 { return t }
	if e := s.Kind.Environment; e == "Stadium" || e == "Rally" {
		ease = func(t float64) float64 { return t * t * (3 - 2*t) }
	}
	return func(x, z float64) float64 { return g.at(ease(x/s.wide), ease(z/s.long)) }
}

// ground returns the surface of a flat or a slope of the ground.
func (s *shape) ground() *profile {
	g := s.slope()
	if g == nil {
		return nil
	}
	p := &profile{}
	const n = 4
	for i := range n + 1 {
		for j := range n + 1 {
			x, z := float64(i)/n, float64(j)/n
			p.spots = append(p.spots, spot{x * s.wide, z * s.long, g.at(x, z), 1})
		}
	}
	return p
}

// slope finds the form of a flat or a slope of the ground.
func (s *shape) slope() *slope {
	k := s.Kind
	cells, known := grounds[k.Environment][k.Name]
	low, high := float64(s.cell.Y)*float64(1-cells), float64(s.cell.Y)
	if k.Environment == "Stadium" {
		low, high = low-dirtBelow, high-dirtBelow
		if k.Name != "StadiumDirtHill" {
			high -= poolDeep
		}
	}
	if m := hillName().FindStringSubmatch(k.Name); m != nil && k.ByVariant {
		n, _ := strconv.Atoi(m[3])
		low = s.usualHeight()
		high, known = low+float64(max(n, 1))*float64(s.cell.Y), true
	}
	corners, climbs := hillCorners[s.Variant]
	if m := transitionName().FindStringSubmatch(k.Name); m != nil && k.ByVariant {
		var levels [3]float64
		for i, word := range m[1:] {
			levels[i], _ = strconv.ParseFloat(word, 64)
		}
		low = s.usualHeight()
		high, known, climbs = low+float64(s.cell.Y), true, true
		corners = transition(s.Variant, levels)
	}
	climbs = climbs && k.ByVariant && high > low
	if !known || s.cells.Size.X != 1 || s.cells.Size.Z != 1 {
		return nil
	}
	if !climbs {
		corners = [5]float64{1, 1, 1, 1, 1}
	}
	return &slope{low, high, corners}
}
