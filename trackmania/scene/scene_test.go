package scene

import (
	"math"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/trackmania"
)

// Cars drive over what the scene shows: most samples of the runs in real replays
// have a slab of the track in the cell below them, or beside it. A wrong height,
// a swapped axis or a cell of another size would leave hardly any.
func TestLinesRunOverTheScene(t *testing.T) {
	type tally struct{ maps, samples, near int }
	seen := map[string]*tally{}
	for _, data := range corpus.GBX(t) {
		m, g := drivenMap(data)
		if g == nil {
			continue
		}
		lines, err := g.Telemetry()
		if err != nil {
			continue
		}
		s, k := Of(m), m.Collection()+" "+m.Title()
		if seen[k] == nil {
			seen[k] = &tally{}
		}
		seen[k].maps++
		for i := range lines[0].Samples {
			seen[k].samples++
			if s.over(lines[0].Samples[i].Position) {
				seen[k].near++
			}
		}
	}
	if len(seen) < 10 {
		t.Errorf("only %d environments have runs", len(seen))
	}
	for k, n := range seen {
		if share := float64(n.near) / float64(max(1, n.samples)); share < 0.55 {
			t.Errorf("%s: %.2f of %d samples on %d maps are near a slab", k, share, n.samples, n.maps)
		}
	}
}

// drivenMap is a map with a run on it: a map with its proof, or a replay with
// its map.
func drivenMap(data []byte) (*trackmania.Map, *trackmania.Ghost) {
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil, nil
	}
	if m, err := trackmania.MapOf(f); err == nil {
		return m, m.ValidationGhost()
	}
	r, err := trackmania.ReplayOf(f)
	if err != nil || len(r.Ghosts()) == 0 || r.MapFile() == nil {
		return nil, nil
	}
	inner, err := gbx.Parse(r.MapFile(), engine.Registry())
	if err != nil {
		return nil, nil
	}
	m, err := trackmania.MapOf(inner)
	if err != nil {
		return nil, nil
	}
	return m, r.Ghosts()[0]
}

// over reports whether a slab is at most a level and a half below a place, or a
// little above it, in its own cell or the next.
func (s *Scene) over(p gbx.Vec3) bool {
	for i := range s.Blocks {
		t := &s.Blocks[i]
		dx, dy, dz := math.Abs(float64(p.X-t.At.X)), float64(p.Y-t.At.Y), math.Abs(float64(p.Z-t.At.Z))
		if t.Kind == Track && dx <= float64(s.Cell.X) && dz <= float64(s.Cell.Z) && dy > -2 && dy < 1.5*float64(s.Cell.Y) {
			return true
		}
	}
	return false
}

func TestTurn(t *testing.T) {
	quarter := turnOf(gbx.Vec3{X: math.Pi / 2})
	if got := quarter.apply(gbx.Vec3{X: 1}); math.Abs(float64(got.Z)+1) > 1e-6 {
		t.Errorf("a quarter to the left of x is %v", got)
	}
	up := turnOf(gbx.Vec3{Y: math.Pi / 2})
	if got := up.apply(gbx.Vec3{Y: 1}); math.Abs(float64(got.Z)-1) > 1e-6 {
		t.Errorf("a quarter about x of y is %v", got)
	}
	p := Placed{At: gbx.Vec3{X: 10}, Pivot: gbx.Vec3{X: 1}, Turn: quarter, Scale: 2}
	m := p.Matrix()
	// The pivot itself stands where the item does.
	x, z := m[0]*1+m[12], m[2]*1+m[14]
	if math.Abs(float64(x)-10) > 1e-5 || math.Abs(float64(z)) > 1e-5 {
		t.Errorf("the pivot is at %g, %g", x, z)
	}
	if turnOf(gbx.Vec3{X: float32(math.NaN())}) != noTurn {
		t.Error("what is no number turns something")
	}
}

// A block of several cells has a slab in each, as the picture from above draws
// it: real maps of TrackMania United have many such.
func TestBlocksOfSeveralCells(t *testing.T) {
	larger := 0
	for _, data := range corpus.GBX(t, "03043000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			continue
		}
		m, err := trackmania.MapOf(f)
		if err != nil {
			continue
		}
		slabs := map[int][]gbx.Int3{}
		for _, k := range Of(m).Blocks {
			if k.Cell != nil {
				slabs[k.Index] = append(slabs[k.Index], *k.Cell)
			}
		}
		blocks := m.Blocks()
		for i, got := range slabs {
			columns := map[[2]int32]bool{}
			for _, c := range m.Cells(&blocks[i]) {
				columns[[2]int32{c.X, c.Z}] = true
			}
			if len(got) != len(columns) {
				t.Fatalf("%s has %d slabs on %d cells of the ground", blocks[i].Name, len(got), len(columns))
			}
			if len(got) > 1 {
				larger++
			}
		}
	}
	if larger < 1000 {
		t.Errorf("only %d blocks take several cells", larger)
	}
}
