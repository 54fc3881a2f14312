package blocks

import (
	"regexp"
	"sync"
)

// Climb is how a road of Canyon or Valley rises, as derived from its name. The tables have
// neither lengths nor heights of these roads. Neighbours on real maps show both: the road
// goes on behind so many cells, and so many cells higher.
type Climb struct {
	Long     int // length in cells, from south to north
	From, To int // heights of the southern and the northern end above the usual one, in cells
	form     form
}

// form is the way between the two heights.
type form byte

const (
	steady form = iota
	starts      // flat at the southern end
	ends        // flat at the northern end
	eased       // flat at both ends
	arched      // a crest or a dip between two ends of one height
)

// climbs are the rules for names; the first that matches counts. Slopes of the roads rise
// by one cell for each cell of their length, those of the arenas by two.
var climbs = sync.OnceValue(func() []climbRule {
	rule := func(environment, name string, c Climb) climbRule {
		return climbRule{environment, regexp.MustCompile(name), c}
	}
	return []climbRule{
		rule("Valley", `Bridge.*Hills|^Viaduc(Straight|Curve)`, Climb{1, 1, 1, steady}),
		rule("Valley", `(Bridge|^Viaduc).*GrassCliff2`, Climb{1, 2, 2, steady}),
		rule("Valley", `(Bridge|^Viaduc).*GrassCliff4`, Climb{1, 4, 4, steady}),
		rule("Valley", `^Road.*SlopeBase2x1OnHill`, Climb{2, 1, 0, eased}),
		rule("Valley", `^Road.*HillStraight2`, Climb{2, 1, 0, ends}),
		rule("Canyon|Valley", `Curve|Diag|Loop|WallRide|Hallway|Border|Cliff|Hill|^Deco|^Rail|Pillar|Support|Roof|Clip|Air$`, Climb{}),
		rule("Canyon", `^Arena.*BiSlopeStraight`, Climb{1, 0, 1, steady}),
		rule("Canyon", `^Arena.*BiSlopeStart`, Climb{2, 0, 1, starts}),
		rule("Canyon", `^Arena.*BiSlopeEnd`, Climb{2, 0, 1, ends}),
		rule("Canyon|Valley", `^Arena.*SlopeStraight`, Climb{1, 0, 2, steady}),
		rule("Canyon|Valley", `^Arena.*SlopeStart`, Climb{1, 0, 1, starts}),
		rule("Canyon|Valley", `^Arena.*SlopeEnd`, Climb{1, 0, 1, ends}),
		rule("Canyon|Valley", `^Arena.*SlopeBase`, Climb{1, 0, 1, eased}),
		rule("Canyon", `^RoadMainSlopeBase|^Road.*SlopeBase2`, Climb{2, 0, 1, eased}),
		rule("Canyon|Valley", `Road.*BiSlopeStart`, Climb{2, 0, 1, starts}),
		rule("Canyon|Valley", `Road.*BiSlopeEnd`, Climb{2, 0, 1, ends}),
		rule("Canyon|Valley", `Road.*BiSlope`, Climb{2, 0, 1, eased}),
		rule("Canyon|Valley", `Road.*SlopeBase`, Climb{1, 0, 1, eased}),
		rule("Valley", `Road.*SlopeUTop`, Climb{1, 0, 0, arched}),
		rule("Valley", `Road.*SlopeUBottom`, Climb{1, 1, 1, arched}),
		rule("Canyon|Valley", `Road.*(Slope(S|T|R|C|U|D)|(Turbo2?|[Pp]oint)Up)`, Climb{1, 0, 1, steady}),
		rule("Canyon|Valley", `Road.*(Turbo2?|[Pp]oint)Down`, Climb{1, 1, 0, steady}),
	}
})

type climbRule struct {
	environments string
	name         *regexp.Regexp
	climb        Climb
}

// ClimbOf returns the climb of a road, false if its name gives none.
func ClimbOf(environment, name string) (Climb, bool) {
	if environment != "Canyon" && environment != "Valley" {
		return Climb{}, false
	}
	for _, r := range climbs() {
		if (r.environments == environment || r.environments == "Canyon|Valley") && r.name.MatchString(name) {
			return r.climb, r.climb.Long > 0
		}
	}
	return Climb{}, false
}

// At returns the height in cells at t of the way, from 0 in the south to 1 in the north.
func (c Climb) At(t float64) float64 {
	switch c.form {
	case starts:
		t *= t
	case ends:
		t = 1 - (1-t)*(1-t)
	case eased:
		t = t * t * (3 - 2*t)
	case arched:
		// It leaves and meets slopes that rise by one cell in each.
		bulge := t * (1 - t)
		if c.From > 0 {
			bulge = -bulge
		}
		return float64(c.From) + bulge
	}
	return float64(c.From) + float64(c.To-c.From)*t
}
