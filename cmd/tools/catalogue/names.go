package main

import (
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"pakbox/nadeo/blocks"
)

// complete fills in missing fields from the names of blocks.
func (c catalogue) complete() {
	for environment, rows := range c {
		for name, r := range rows {
			if r.family == "" || r.family == "other" && environment != "Stadium2020" {
				r.family, r.radius = familyOf(name)
			}
			if environment != "Stadium2020" {
				r.role = roleOf(name)
			}
			if c, ok := blocks.ClimbOf(environment, name); ok && r.radius == "" && (r.ground == "" || r.ground == "1x1x1") {
				r.ground, r.air = fmt.Sprintf("1x1x%d", c.Long), ""
			}
			if environment == "Canyon" && wallRide.MatchString(name) {
				r.ground, r.air, r.confidence = "1x1x2", "", "C"
			}
			if border.MatchString(name) || r.surface == blocks.Transition && environment != "Stadium2020" {
				r.mirror, r.turn = "self", "v"
			}
			if r.mirror != "" && r.turn != "" && r.turn != "?" {
				continue
			}
			scenery := strings.Contains(r.family, "deco") || strings.Contains(r.family, "pillar") ||
				strings.Contains(r.family, "other") || strings.Contains(r.family, "terrain")
			r.mirror, r.turn = mirrorOf(rows, name)
			if r.confidence == "-" {
				r.confidence = "D"
			}
			if r.mirror == "" || !scenery && r.confidence == "D" {
				r.mirror, r.turn = "", ""
			}
		}
	}
}

// agree makes mirror images mutual: the image of a block's image is the block itself. It
// adds blocks that the tables name only as images.
func (c catalogue) agree() {
	for _, rows := range c {
		for _, r := range rows {
			// Only a square block fills the same cells after a quarter turn.
			if b := unpack(r.ground); b.w != b.d && (r.turn == "1" || r.turn == "3") {
				r.mirror, r.turn = "", ""
			}
		}
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			r := rows[name]
			if other := sides.Replace(name); other != name && rows[other] != nil && r.mirror != "" && r.mirror != "self" &&
				rows[r.mirror] != nil && rows[r.mirror].mirror != name {
				r.mirror = other
			}
			if r.mirror == "" || r.mirror == "self" {
				continue
			}
			image := rows[r.mirror]
			switch {
			case image == nil:
				added := *r
				added.mirror, added.confidence = name, "D"
				rows[r.mirror] = &added
			case image.mirror != name && rows[image.mirror] != nil && rows[image.mirror].mirror == r.mirror:
				r.mirror, r.turn = "", "" // the image belongs to another block
			default:
				image.mirror, image.turn = name, r.turn
				if image.ground == "" && image.air == "" {
					image.ground, image.air = r.ground, r.air
				} else if r.ground == "" && r.air == "" {
					r.ground, r.air = image.ground, image.air
				}
			}
		}
	}
}

// words in names give the family; the first match counts.
var words = []struct{ word, family string }{
	{"Clip", "clip"}, {"Pillar", "pillar"}, {"Support", "pillar"}, {"Loop", "loop"}, {"Tilt", "banked"}, {"BiSlope", "slope"}, {"Slope", "slope"},
	{"Curve", "curve"}, {"Diag", "diagonal"}, {"Tunnel", "tunnel"}, {"Advert", "deco"}, {"Sign", "deco"}, {"Tree", "deco"}, {"Building", "deco"},
	{"Checkpoint", "straight"}, {"StartLine", "straight"}, {"Finish", "straight"}, {"Turbo", "straight"}, {"Straight", "straight"},
	{"Platform", "platform"}, {"Road", "straight"}, {"Cross", "branch"}, {"Branch", "branch"}, {"Gate", "gate"}, {"Wall", "wall"}, {"Hill", "terrain zone"},
}

var curveSize = regexp.MustCompile(`Curve([1-6])`)

// wallRide matches walls of Canyon's arenas that bend over two cells. On a real map both
// forms stand in two directions, and what cars drove on begins two cells before the wall.
var wallRide = regexp.MustCompile(`^ArenaWallRideLoop(Start|End)$`)

// familyOf derives the family from the name.
func familyOf(name string) (family, radius string) {
	if m := curveSize.FindStringSubmatch(name); m != nil {
		radius = m[1]
	}
	for _, w := range words {
		if strings.Contains(name, w.word) {
			return w.family, radius
		}
	}
	if zone.MatchString(name) {
		return "terrain zone", radius
	}
	n := strings.ToLower(name)
	for _, w := range groundWords {
		if strings.Contains(n, w) {
			return "terrain zone", radius
		}
	}
	for _, w := range sceneryWords {
		if strings.Contains(n, w) {
			return "deco", radius
		}
	}
	return "other", radius
}

// zone matches the names of some parts of the ground: Ice, Snow2ToSnow3.
var zone = regexp.MustCompile(`^(Ice|Snow|Desert)[0-9]?(To|$)`)

// border matches the names of slopes and shores between two parts of the ground. Their
// form depends on their flags: on real maps, variants 0, 5 and 9 of each have neighbours of
// the higher part on the sides that those of Stadium and ManiaPlanet have.
var border = regexp.MustCompile(`^(Hills|TundraHills|SnowToSnow|SnowToIce|Ice0ToIce|HillsToHills|ForestToLake|RallyRockyGrass(Hills|Cliffs)|` +
	`DesertTo(Desert|River|Rock)|RockToRock|Coast(Dirt|Water)Cliff|IslandHills6|IslandBeach|BayDocks)$`)

// groundWords and sceneryWords occur in names of blocks without another known word: parts
// of the ground, and things that nobody drives on.
var (
	groundWords = []string{
		"grass", "dirt", "water", "sea", "sand", "beach", "hill", "cliff", "lake", "river", "pool", "tundra", "desertto", "snowto", "rockto",
		"forestto", "hillsto", "iceto", "rallyflat", "rocky", "land", "mountain", "canyon", "field", "terra",
	}
	sceneryWords = []string{
		"rock", "hotel", "village", "house", "antenne", "saguaro", "inflatable", "sculpt", "fabric", "control", "airship", "club", "cargo",
		"derrick", "windmill", "container", "light", "temple", "shops", "docks", "harbor", "esplanade", "parvis", "stage", "canopy", "structure",
		"reservoir", "barrel", "castle", "screen", "flag", "bush", "fence", "deco", "forest", "podium", "powerline", "celltower", "adpanel",
	}
)

// roleOf derives the role of a block before ManiaPlanet from its name, as the games do.
func roleOf(name string) string {
	n := strings.ToLower(name)
	switch {
	case strings.Contains(n, "startfinish"), strings.Contains(n, "multilap"):
		return "startfinish"
	case strings.Contains(n, "checkpoint"):
		return "checkpoint"
	case strings.Contains(n, "finish"):
		return "finish"
	case strings.Contains(n, "startline"), strings.HasSuffix(strings.TrimSuffix(n, "mirror"), "start") && !notStart.MatchString(n):
		return "start"
	}
	return ""
}

// notStart matches names such as LoopStart: they end in Start, but a loop or slope begins
// there, not the race.
var notStart = regexp.MustCompile("slope|loop|ring|wallride|tilt|curve|transition")

var (
	sides  = strings.NewReplacer("Left", "Right", "Right", "Left", "left", "right", "right", "left")
	corner = regexp.MustCompile(`Corner|Curve|Turn|GT[0-9]`)
)

// mirrorOf finds the mirror image of a block by name, and the turn of the image that
// suits the cells of both.
func mirrorOf(rows map[string]*row, name string) (mirror, turn string) {
	mirror = name
	for _, other := range []string{
		sides.Replace(name), name + "Mirror", name + "_Mirror", strings.TrimSuffix(strings.TrimSuffix(name, "Mirror"), "_"),
		strings.TrimSuffix(name, "L") + "R", strings.TrimSuffix(name, "R") + "L",
	} {
		ends := strings.HasSuffix(other, "R") || strings.HasSuffix(other, "L")
		if other != name && rows[other] != nil && (!ends || len(other) == len(name)) {
			mirror = other
			break
		}
	}
	order := []int{0, 2, 3, 1}
	switch {
	case mirror == name && corner.MatchString(name):
		order = []int{3, 1, 0, 2}
	case strings.Contains(name, "TShaped"):
		order = []int{2, 0, 3, 1}
	}
	a, b := rows[name], rows[mirror]
	best := 0.0
	for _, t := range order {
		if f := min(fit(a.ground, b.ground, t), fit(a.air, b.air, t)); f > best+0.01 {
			best, turn = f, fmt.Sprint(t)
		}
	}
	if best < enough {
		return "", ""
	}
	if mirror == name {
		mirror = "self"
	}
	return mirror, turn
}

// enough is the share of cells that a block and its mirror image must have in common. The
// games' own files differ in a cell or two.
const enough = 0.6

// fit returns the share of cells that block a, mirrored in x, has in common with block b,
// turned. If one of them has no cells, the result is 1.
func fit(a, b string, turn int) float64 {
	if a == "" || b == "" {
		return 1
	}
	one, two := unpack(a), unpack(b)
	for range turn {
		two = two.turned()
	}
	if one.w != two.w || one.h != two.h || one.d != two.d {
		return 0
	}
	both := 0
	for c := range one.has {
		if two.has[[3]int{one.w - 1 - c[0], c[1], c[2]}] {
			both++
		}
	}
	return float64(both) / float64(len(one.has)+len(two.has)-both)
}

// box is the cells of a block.
type box struct {
	w, h, d int
	has     map[[3]int]bool
}

func unpack(text string) box {
	b := box{has: map[[3]int]bool{}}
	size, mask, part := strings.Cut(text, ":")
	fmt.Sscanf(size, "%dx%dx%d", &b.w, &b.h, &b.d)
	bits := new(big.Int)
	bits.SetString(mask, 16)
	i := 0
	for y := range b.h {
		for z := range b.d {
			for x := range b.w {
				if !part || bits.Bit(i) == 1 {
					b.has[[3]int{x, y, z}] = true
				}
				i++
			}
		}
	}
	return b
}

// turned returns a box after a quarter turn.
func (b box) turned() box {
	t := box{w: b.d, h: b.h, d: b.w, has: map[[3]int]bool{}}
	for c := range b.has {
		t.has[[3]int{b.d - 1 - c[2], c[1], c[0]}] = true
	}
	return t
}
