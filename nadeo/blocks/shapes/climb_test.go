package shapes

import (
	"maps"
	"math"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

// The heights that the names of Canyon's and Valley's roads give match recorded
// cars: most samples have the height of the rule
// (some cars fly over the crest of a slope).
func TestClimbs(t *testing.T) {
	near, all, rules := 0.0, 0.0, 0
	keys := maps.Clone(lessonsOf("Canyon").learned())
	maps.Copy(keys, lessonsOf("Valley").learned())
	for key, p := range keys {
		environment, name, _ := strings.Cut(key, " ")
		climb, ok := blocks.ClimbOf(environment, name)
		if !ok {
			continue
		}
		rules++
		cell := gbx.Vec3{X: 32, Y: 8, Z: 32}
		if environment == "Canyon" {
			cell = gbx.Vec3{X: 64, Y: 16, Z: 64}
		}
		base := (&shape{Key: Key{Kind: StandIn(environment, name)}, cell: cell}).usualHeight()
		own, weight := 0.0, 0.0
		for _, q := range p.spots {
			want := base + climb.At(q.z/(float64(climb.Long)*float64(cell.Z)))*float64(cell.Y)
			weight += q.weight
			if math.Abs(q.height-want) < 1.5 {
				own += q.weight
			}
		}
		near, all = near+own, all+weight
		t.Logf("%s: %.0f of %.0f near", key, own, weight)
	}
	if rules < 15 || near < 0.85*all {
		t.Errorf("%d blocks, %.0f of %.0f samples near the heights of their names", rules, near, all)
	}
}

// Cars drove on Valley's loops where the arc is drawn.
func TestFreeLoop(t *testing.T) {
	list := Of(Key{Kind: Substitute("Valley", "Road4WayFreeLoopStart")}, cell)
	near, all := 0.0, 0.0
	for _, q := range lessonsOf("Valley").learned()["Valley Road4WayFreeLoopStart"].spots {
		all += q.weight
		if h := heightAt(list, float32(q.x), float32(q.z)); math.Abs(h-q.height) < 2 {
			near += q.weight
		}
	}
	if all < 20 || near < 0.8*all {
		t.Errorf("%.0f of %.0f samples lie on the loop", near, all)
	}
}

// Cars drove on the curved walls of Canyon's arenas where they are drawn, and the straight
// wall stands where the curved ones end.
func TestWallRide(t *testing.T) {
	canyon := gbx.Vec3{X: 64, Y: 16, Z: 64}
	list := Of(Key{Kind: blocks.Find("Canyon", "ArenaWallRideLoopStart")}, canyon)
	near, all := 0.0, 0.0
	for _, q := range lessonsOf("Canyon").learned()["Canyon ArenaWallRideLoopStart"].spots {
		all += q.weight
		if h := heightAt(list, float32(q.x), float32(q.z)); math.Abs(h-q.height) < 1.5 {
			near += q.weight
		}
	}
	if all < 15 || near < 0.8*all {
		t.Errorf("%.0f of %.0f samples lie on the wall", near, all)
	}
	last := list[len(list)-1]
	top := plus(last.Top, scaled(last.Along, float32(last.Long/2)))
	wall := Of(Key{Kind: blocks.Find("Canyon", "ArenaWallRideStraight")}, canyon)[0]
	if wall.Normal.Z < 0.99 || wall.Top.Y != 8 || math.Abs(float64(wall.Top.Z-top.Z)) > 1 || math.Abs(float64(top.Y)-96) > 1 {
		t.Errorf("the curve ends at %v, and the wall stands at %v and faces %v", top, wall.Top, wall.Normal)
	}
	for name, want := range map[string]gbx.Vec3{ // a place of the last part
		"ArenaWallRideStartStraight": {X: 32, Y: -arenaBelow, Z: 61},
		"ArenaWallRideLoopEnd":       {X: 32, Y: 80, Z: 124},
	} {
		list := Of(Key{Kind: blocks.Find("Canyon", name)}, canyon)
		if last := list[len(list)-1]; length(minus(last.Top, want)) > 2 {
			t.Errorf("%s ends at %v", name, last.Top)
		}
	}
	if list := Of(Key{Kind: blocks.Find("Canyon", "RoadArena"), Ground: true, Variant: 3}, canyon); len(list) != 1 || math.Abs(float64(list[0].Top.Y)-15.65) > 0.1 {
		t.Errorf("the ground of an arena: %+v", list)
	}
}

// Roads of Canyon lie higher in the air, where both ends of a slope do.
func TestRaised(t *testing.T) {
	canyon := gbx.Vec3{X: 64, Y: 16, Z: 64}
	for _, c := range []struct {
		name         string
		ground       bool
		south, north float64
	}{
		{"RoadRaceStraight", true, -0.35, -0.35},
		{"RoadRaceStraight", false, 1.9, 1.9},
		{"RoadRaceBiSlopeStart", true, -0.35, 17.9},
		{"RoadRaceBiSlopeStart", false, 1.9, 17.9},
		{"RoadRaceTurboDown", true, 17.9, -0.35},
		{"RoadRaceToArena", true, 15.65, 18},
		{"RoadRaceToArena", false, 15.65, 18},
	} {
		s := newShape(Key{Kind: StandIn("Canyon", c.name), Ground: c.ground}, canyon)
		if south, north := s.profile.at(32, 2), s.profile.at(32, s.long-2); math.Abs(south-c.south) > 1 || math.Abs(north-c.north) > 1.5 {
			t.Errorf("%s, ground %v: %.2f m in the south and %.2f m in the north", c.name, c.ground, south, north)
		}
	}
	if got := AirHeight(StandIn("Valley", "Road4WayStraight"), 0); got != 0 {
		t.Errorf("roads of Valley lie %v m higher in the air", got)
	}
}

// A slope of the ground meets the flats beside it, and a transition three of them: the
// heights are those that neighbours on real maps have.
func TestGround(t *testing.T) {
	for _, c := range []struct {
		environment, name string
		variant           uint32
		corners           [4]float64 // south-east, south-west, north-east, north-west, in cells above the lowest
	}{
		{"Valley", "GrassHill1", 5, [4]float64{1, 1, 0, 0}}, {"Valley", "GrassCliff4", 9, [4]float64{0, 4, 0, 0}}, {"Valley", "GrassHill1", 0, [4]float64{1, 1, 1, 0}},
		{"Valley", "Grass0_Grass1_Grass2", 0, [4]float64{1, 2, 0, 0}}, {"Valley", "Grass0_Grass2_Grass4", 3, [4]float64{4, 0, 2, 2}},
		{"Valley", "Grass0_Grass1_Grass2", 5, [4]float64{1, 0, 2, 2}}, {"Rally", "HillsToHills", 5, [4]float64{2, 2, 0, 0}},
		{"Stadium", "StadiumDirtHill", 9, [4]float64{0, 2, 0, 0}},
	} {
		p := newShape(Key{Kind: blocks.Find(c.environment, c.name), Variant: c.variant}, cell).profile
		lowest := math.Inf(1)
		for _, q := range p.spots {
			lowest = min(lowest, q.height)
		}
		for _, q := range p.spots {
			if (q.x == 0 || q.x == 32) && (q.z == 0 || q.z == 32) {
				if got, want := (q.height-lowest)/8, c.corners[int(q.x/32)+2*int(q.z/32)]; math.Abs(got-want) > 0.01 {
					t.Errorf("%s/%d at %g, %g: %g cells, want %g", c.name, c.variant, q.x, q.z, got, want)
				}
			}
		}
	}
}

// The Stadium's dirt meets its hills in both ways in which maps store it: the lower flat
// beside a hill is as high as the hill's foot, and the higher one as its top.
func TestDirt(t *testing.T) {
	heights := func(name string, variant uint32, level int32) (low, high float64) {
		kind := blocks.Find("Stadium", name)
		low, high = math.Inf(1), math.Inf(-1)
		for _, q := range newShape(Key{Kind: kind, Ground: true, Variant: variant}, cell).profile.spots {
			h := q.height + float64(level)*8 + Shift(kind, level)
			low, high = min(low, h), max(high, h)
		}
		return low, high
	}
	for _, c := range []struct{ foot, hill, top int32 }{{0, 2, 2}, {9, 9, 11}} { // TrackMania Forever, ManiaPlanet
		foot, _ := heights("StadiumDirt", 0, c.foot)
		low, high := heights("StadiumDirtHill", 5, c.hill)
		_, top := heights("StadiumDirt", 0, c.top)
		if math.Abs(low-foot) > 0.5 || math.Abs(high-top) > 0.5 {
			t.Errorf("a hill from %g to %g m between dirt at %g and %g m", low, high, foot, top)
		}
	}
}
