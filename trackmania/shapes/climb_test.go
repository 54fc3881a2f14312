package shapes

import (
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
	for key, p := range learned() {
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
	for _, q := range learned()["Valley Road4WayFreeLoopStart"].spots {
		all += q.weight
		if h := heightAt(list, float32(q.x), float32(q.z)); math.Abs(h-q.height) < 2 {
			near += q.weight
		}
	}
	if all < 20 || near < 0.8*all {
		t.Errorf("%.0f of %.0f samples lie on the loop", near, all)
	}
}
