package shapes

import (
	"maps"
	"math"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/trackmania/blocks"
)

// What the names of Canyon's and Valley's roads tell about their heights is what recorded
// cars show: of most samples the height is the one of the rule
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
	list := Of(Key{Kind: Assumed("Valley", "Road4WayFreeLoopStart")}, cell)
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
