package trackmania

import (
	"math"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
)

// A block that faces north faces +z, one that faces east faces -x: cars drive
// off in the direction of their start block.
func TestDirections(t *testing.T) {
	ways := [4]gbx.Vec3{{Z: 1}, {X: -1}, {Z: -1}, {X: 1}}
	right, wrong := 0, 0
	eachFile(t, replayFolders, func(c corpusFile) {
		r, ok := gbx.Find[*game.Chunk03093002](c.file.Body)
		if !ok || len(r.Map) == 0 {
			return
		}
		f, err := gbx.Parse(r.Map, engine.Registry())
		if err != nil {
			return
		}
		m, _ := MapOf(f)
		direction := -1
		for _, b := range m.Blocks() {
			if n := strings.ToLower(b.Name); !b.Free && (strings.Contains(n, "startline") || strings.Contains(n, "startfinish") || b.Waypoint == "Spawn") {
				direction = b.Direction
			}
		}
		for _, g := range GhostsOf(c.file) {
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

// Items that store the cell they stand in tell at what height the grid begins.
func TestFloor(t *testing.T) {
	for file, want := range map[string]float64{
		"03043000/223b9d46373b.Map.Gbx": 5, "03043000/3b640027c6e0.Map.Gbx": 8, "03093000/7ec31d6b4cea.Replay.Gbx": 15,
		"03093000/6f6dce8c6dce.Gbx": 8, "03043000/ed61a14dcfed.Map.Gbx": 8, "03043000/b9370766056f.Map.Gbx": 5, "03043000/49db2d012eef.Map.Gbx": 15,
	} {
		if got := mapOf(t, mapBytes(t, file)).Floor(); got != want {
			t.Errorf("%s: %g, want %g", file, got, want)
		}
	}
}
