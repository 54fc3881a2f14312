package maps_test

import (
	"math"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/roomtest"
	"pakbox/nadeo/runs"
)

// A block that faces north faces +z, one that faces east faces -x: cars drive
// off in the direction of their start block.
func TestDirections(t *testing.T) {
	ways := [4]gbx.Vec3{{Z: 1}, {X: -1}, {Z: -1}, {X: 1}}
	right, wrong := 0, 0
	roomtest.Each(t, roomtest.ReplayFolders, func(c roomtest.File) {
		r, ok := gbx.Find[*game.Chunk03093002](c.File.Body)
		if !ok || len(r.Map) == 0 {
			return
		}
		f, err := gbx.Parse(r.Map, engine.Registry())
		if err != nil {
			return
		}
		m, _ := maps.Of(f)
		direction := -1
		for _, b := range m.Blocks() {
			if n := strings.ToLower(b.Name); !b.Free && (strings.Contains(n, "startline") || strings.Contains(n, "startfinish") || b.Waypoint == "Spawn") {
				direction = b.Direction
			}
		}
		for _, g := range runs.GhostsOf(c.File) {
			lines, _ := g.Telemetry()
			if len(lines) == 0 || direction < 0 {
				continue
			}
			from := lines[0].Samples[0].Position
			for _, s := range lines[0].Samples {
				dx, dz := s.Position.X-from.X, s.Position.Z-from.Z
				if math.Hypot(float64(dx), float64(dz)) < 20 {
					continue
				}
				if w := ways[direction]; w.X*dx+w.Z*dz > 14 {
					right++
				} else {
					wrong++
				}
				break
			}
		}
	})
	if t.Logf("%d runs as the block faces, %d not", right, wrong); right < 100 || wrong > right/20 {
		t.Errorf("%d runs as the block faces, %d not", right, wrong)
	}
}
