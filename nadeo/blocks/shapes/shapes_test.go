package shapes

import (
	"math"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

var cell = gbx.Vec3{X: 32, Y: 8, Z: 32}

// heightAt is the height of the surface of a block at a place, or NaN.
func heightAt(list []Slab, x, z float32) float64 {
	for _, s := range list {
		// The place on the plane of the slab, straight up or down.
		d := gbx.Vec3{X: x - s.Top.X, Z: z - s.Top.Z}
		d.Y = -(d.X*s.Normal.X + d.Z*s.Normal.Z) / s.Normal.Y
		if math.Abs(float64(dot(d, s.Right))) <= s.Wide/2+0.2 && math.Abs(float64(dot(d, s.Along))) <= max(s.Long, s.Edge)/2+0.2 {
			return float64(s.Top.Y + d.Y)
		}
	}
	return math.NaN()
}

// Heights of surfaces match the tables of facts, or the cars of recorded runs.
func TestHeights(t *testing.T) {
	for _, c := range []struct {
		environment, name string
		x, z              float32
		want              float64
	}{
		{"Stadium2020", "RoadTechStraight", 16, 16, 2},
		{"Stadium2020", "RoadTechSlopeBase", 16, 1, 2}, {"Stadium2020", "RoadTechSlopeBase", 16, 31, 10}, {"Stadium2020", "RoadTechSlopeBase", 16, 16, 6},
		{"Stadium2020", "PlatformTechSlope2Straight", 16, 16, 10}, {"Stadium2020", "PlatformTechSlope2Straight", 2, 31, 17.5},
		{"Stadium2020", "RoadTechCurve3", 56.6, 39.4, 2}, // on the circle of 80 m about 0, 96
		{"Stadium2020", "RoadTechTiltStraight", 6, 16, 8.1},
		{"Stadium2020", "RoadBumpStraight", 16, 16, 4.5},
		{"Stadium", "StadiumCircuitBase", 16, 16, 7.7}, {"Stadium", "StadiumRoadMainSlopeStraight", 16, 4, 2.1}, {"Stadium", "StadiumRoadMainSlopeStraight", 16, 28, 8},
		{"Stadium", "StadiumRoadMainGTCurve3", 56.6, 39.4, 1.1},
		{"Bay", "BayHarbor", 12, 12, 7.7},               // scenery that cars drive on
		{"Bay", "BayPlatformBase", 12, 12, 7.7},         // some cars drove on what stands below it
		{"Canyon", "Cliff12RoadMedBase1", 12, 12, -0.3}, // nobody drove there: as high as the roads of its environment
	} {
		kind := blocks.Find(c.environment, c.name)
		got := heightAt(Of(Key{Kind: kind}, cell), c.x, c.z)
		if !(math.Abs(got-c.want) < 0.7) {
			t.Errorf("%s at %g, %g: %.2f, want %g", c.name, c.x, c.z, got, c.want)
		}
	}
	if got := heightAt(Of(Key{Kind: blocks.Find("Stadium2020", "RoadTechCurve3")}, cell), 4, 92); !math.IsNaN(got) {
		t.Errorf("the corner of a curve has a surface at %g", got)
	}
}

// Every block of the catalogue has a surface of a few flat parts whose axes are
// square to each other.
func TestEveryBlock(t *testing.T) {
	n, most := 0, 0
	for _, environment := range blocks.Environments() {
		for b := range blocks.All(environment) {
			if !b.Ground.Known() {
				continue
			}
			list := Of(Key{Kind: b, Ground: true}, cell)
			n++
			most = max(most, len(list))
			for _, s := range list {
				if v := cross(s.Right, s.Normal); !(length(minus(v, s.Along)) < 1e-3) || s.Normal.Y < 0 && !b.Has("loop") || !(s.Wide >= 0 && s.Wide < 2000 && s.Long < 2000) {
					t.Fatalf(`environment = %s b.Name = %s: s = %+v; want the way to lead along s.Along, s.Up.Y at least 0 but for loops, s.Wide from 0 to 2000, s.Long below 2000`, environment, b.Name, s)
				}
			}
		}
	}
	if n < 6000 || most > 400 {
		t.Errorf("%d blocks, the largest of %d parts", n, most)
	}
}

// A loop is a circle: half of one ends upside down above where it begins, beside it,
// and a quarter ends upright.
func TestLoops(t *testing.T) {
	for _, c := range []struct {
		environment, name string
		low, high         float32
	}{
		{"Stadium2020", "RoadTechDiagLeftLoop11X", 2, 84.4}, {"Stadium", "StadiumLoopLeft", 1.3, 86.7},
		{"Stadium2020", "PlatformTechLoopStart", 2, 32}, {"Stadium", "StadiumPlatformLoopEnd", 0, 30.7},
	} {
		list := Of(Key{Kind: blocks.Find(c.environment, c.name)}, cell)
		lowest, highest := float32(1e9), float32(-1e9)
		for _, s := range list {
			half := float32(s.Long) / 2
			for _, end := range []gbx.Vec3{plus(s.Top, scaled(s.Along, half)), minus(s.Top, scaled(s.Along, half))} {
				lowest, highest = min(lowest, end.Y), max(highest, end.Y)
			}
		}
		if lowest < c.low-0.5 || lowest > c.low+0.5 || highest < c.high-0.5 || highest > c.high+0.5 {
			t.Errorf("%s: from %g to %g m, want %g to %g", c.name, lowest, highest, c.low, c.high)
		}
		if up := list[len(list)-1].Normal.Y; c.high > 40 && up > -0.9 {
			t.Errorf("%s does not end upside down: %g", c.name, up)
		}
	}
}

// A curve without known ends is an arc about one corner of its box, as wide as its road,
// and leaves that corner and the one opposite free.
func TestBends(t *testing.T) {
	for _, c := range []struct {
		environment, name string
		southWest         bool
		half              float32
	}{
		{"Island", "IslandHighWayGTCurve2", true, 16}, {"Island", "IslandHighWayGTCurve3", true, 16}, {"Island", "IslandHighWayTiltGTCurve3", true, 16},
		{"Bay", "BayTunnelGTCurve3", true, 16}, {"Bay", "BayRoadGTCurve2", false, 13}, {"Coast", "CoastTunnelGTCurve3", false, 16},
		{"Coast", "CoastRoadGTCurve3", true, 13}, {"Snow", "AlpineIceRoadGTCurve2", true, 13}, {"Desert", "SpeedClassicGtCurve", true, 16},
		{"Rally", "RallyTunnelGTCurve2", true, 16}, {"Stadium", "StadiumRoadDirtHighGTCurve2", false, 13}, {"Stadium", "StadiumTubeCurve2", false, 16},
		{"Stadium2020", "RoadWaterCurve4", false, 13},
	} {
		kind := blocks.Find(c.environment, c.name)
		cell := cell
		if c.environment == "Island" {
			cell, c.half = gbx.Vec3{X: 64, Y: 8, Z: 64}, 32
		}
		list := Of(Key{Kind: kind}, cell)
		size := float32(kind.Air.Size.X) * cell.X
		middle := size - cell.X/2
		for _, p := range []struct {
			from float32 // metres from the corner that the curve is about
			road bool
		}{
			{4, false}, {middle - c.half - 3, false}, {middle - c.half + 3, true}, {middle, true}, {middle + c.half - 6, true}, {middle + c.half + 4, false},
		} {
			x, z := p.from*math.Sqrt2/2, size-p.from*math.Sqrt2/2
			if c.southWest {
				x, z = z, x
			}
			if math.IsNaN(heightAt(list, x, z)) == p.road {
				t.Errorf("%s %g m from its corner: a road is %t, want %t", c.name, p.from, !p.road, p.road)
			}
		}
	}
}
