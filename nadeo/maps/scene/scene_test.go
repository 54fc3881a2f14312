package scene

import (
	"io"
	"math"
	"slices"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/items"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
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
func drivenMap(data []byte) (*maps.Map, *runs.Ghost) {
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil, nil
	}
	if m, err := maps.Of(f); err == nil {
		return m, runs.ValidationGhost(m)
	}
	r, err := runs.ReplayOf(f)
	if err != nil || len(r.Ghosts()) == 0 || r.MapFile() == nil {
		return nil, nil
	}
	inner, err := gbx.Parse(r.MapFile(), engine.Registry())
	if err != nil {
		return nil, nil
	}
	m, err := maps.Of(inner)
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
		dx, dy, dz := math.Abs(float64(p.X-t.Center.X)), float64(p.Y-t.Center.Y), math.Abs(float64(p.Z-t.Center.Z))
		if t.Kind == Track && dx <= float64(s.Cell.X) && dz <= float64(s.Cell.Z) && dy > -2 && dy < 1.5*float64(s.Cell.Y) {
			return true
		}
	}
	return false
}

func TestTurn(t *testing.T) {
	quarter := turnOf(gbx.Vec3{X: math.Pi / 2})
	if got := quarter.Apply(gbx.Vec3{X: 1}); math.Abs(float64(got.Z)+1) > 1e-6 {
		t.Errorf("a quarter to the left of x is %v", got)
	}
	up := turnOf(gbx.Vec3{Y: math.Pi / 2})
	if got := up.Apply(gbx.Vec3{Y: 1}); math.Abs(float64(got.Z)-1) > 1e-6 {
		t.Errorf("a quarter about x of y is %v", got)
	}
	p := Instance{Position: gbx.Vec3{X: 10}, Pivot: gbx.Vec3{X: -1}, Turn: quarter, Scale: 2}
	m := p.Matrix()
	// The point of the mesh that the pivot leads back from stands where the item does.
	x, z := m[0]*1+m[12], m[2]*1+m[14]
	if math.Abs(float64(x)-10) > 1e-5 || math.Abs(float64(z)) > 1e-5 {
		t.Errorf("the pivot is at %g, %g", x, z)
	}
	if turnOf(gbx.Vec3{X: float32(math.NaN())}) != noTurn {
		t.Error("turnOf(NaN) is not noTurn")
	}
}

// The slabs of a block lie on cells that the block takes, in real maps of all
// games, and large blocks have slabs on most of theirs.
func TestBlocksOfSeveralCells(t *testing.T) {
	larger, columns, covered, outside, all := 0, 0, 0, 0, 0
	for _, data := range corpus.GBX(t, "03043000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			continue
		}
		m, err := maps.Of(f)
		if err != nil {
			continue
		}
		slabs := map[int]map[[2]int32]bool{}
		for _, k := range Of(m).Blocks {
			if k.Cell != nil {
				if slabs[k.Index] == nil {
					slabs[k.Index] = map[[2]int32]bool{}
				}
				slabs[k.Index][[2]int32{k.Cell.X, k.Cell.Z}] = true
			}
		}
		blocks := m.Blocks()
		for i, got := range slabs {
			cells := map[[2]int32]bool{}
			for _, c := range m.Cells(&blocks[i]) {
				cells[[2]int32{c.X, c.Z}] = true
			}
			for at := range got {
				if all++; !cells[at] {
					outside++
				}
			}
			if len(cells) > 1 {
				larger++
				columns, covered = columns+len(cells), covered+len(got)
			}
		}
	}
	if outside*50 > all || covered*3 < columns {
		t.Errorf("%d of %d slabs lie outside of their blocks; %d of %d cells have one", outside, all, covered, columns)
	}
	if larger < 1000 {
		t.Errorf("only %d blocks take several cells", larger)
	}
}

// Maps store the way back from an item's pivot. For every embedded item with pivots in
// real maps, the negative of that way is among the pivots in the item's own
// file.
func TestPivots(t *testing.T) {
	seen := 0
	for path, data := range corpus.GBX(t) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			continue
		}
		m, err := maps.Of(f)
		if err != nil {
			continue
		}
		embedding, err := m.EmbeddedFiles()
		if err != nil {
			t.Fatal(err)
		}
		pivots := map[*maps.EmbeddedFile][]gbx.Vec3{}
		for _, it := range m.Items() {
			e := embedding.Model(it.Model.ID.String())
			if e == nil || it.Pivot == (gbx.Vec3{}) {
				continue
			}
			list, ok := pivots[e]
			if !ok {
				list = pivotsOf(t, e)
				pivots[e] = list
			}
			if len(list) == 0 {
				continue
			}
			seen++
			if !slices.Contains(list, gbx.Vec3{X: -it.Pivot.X, Y: -it.Pivot.Y, Z: -it.Pivot.Z}) {
				t.Errorf("%s: %s has pivot %v, its file %v", path, e.Name, it.Pivot, list)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d items with pivots", seen)
	}
}

func pivotsOf(t *testing.T, e *maps.EmbeddedFile) []gbx.Vec3 {
	in, err := e.Open()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	item, err := items.ModelOf(f)
	if err != nil {
		return nil
	}
	p, _ := item.Placement()
	return p.Pivots
}

// A turned block fills the cells that the catalogue of the map gives it.
func TestPlaceBlock(t *testing.T) {
	s := &Scene{Cell: gbx.Vec3{X: 32, Y: 8, Z: 16}, Floor: -64}
	for direction, want := range [][2]gbx.Vec3{
		{{X: 32, Y: -56, Z: 32}, {X: 96, Y: -56, Z: 80}},
		{{X: 32, Y: -56, Z: 32}, {X: 80, Y: -56, Z: 96}},
		{{X: 32, Y: -56, Z: 32}, {X: 96, Y: -56, Z: 80}},
		{{X: 32, Y: -56, Z: 32}, {X: 80, Y: -56, Z: 96}},
	} {
		b := &maps.Block{Coord: gbx.Int3{X: 1, Y: 1, Z: 2}, Direction: direction}
		p, ok := s.PlaceBlock(b, gbx.Int3{X: 2, Y: 1, Z: 3})
		m := p.Matrix()
		lo, hi := gbx.Vec3{X: 1e9, Y: 1e9, Z: 1e9}, gbx.Vec3{X: -1e9, Y: -1e9, Z: -1e9}
		for _, corner := range []gbx.Vec3{{}, {X: 64, Z: 48}} {
			x, y, z := corner.X*m[0]+corner.Z*m[8]+m[12], m[13], corner.X*m[2]+corner.Z*m[10]+m[14]
			lo = gbx.Vec3{X: min(lo.X, x), Y: min(lo.Y, y), Z: min(lo.Z, z)}
			hi = gbx.Vec3{X: max(hi.X, x), Y: max(hi.Y, y), Z: max(hi.Z, z)}
		}
		for _, d := range []float32{lo.X - want[0].X, lo.Y - want[0].Y, lo.Z - want[0].Z, hi.X - want[1].X, hi.Y - want[1].Y, hi.Z - want[1].Z} {
			if !ok || math.Abs(float64(d)) > 1e-3 {
				t.Errorf("direction %d: from %v to %v, want %v", direction, lo, hi, want)
				break
			}
		}
	}
}

// A map with more large blocks than any real one still has its scene, of a size
// that fits the map and not the cells that it claims.
func TestManyLargeBlocks(t *testing.T) {
	for _, data := range corpus.GBX(t, "03043000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		m, err := maps.Of(f)
		if err != nil || m.Collection() != "Stadium" || m.Title() != "" {
			continue
		}
		large := maps.Block{Name: "StadiumRoadMainGTCurve5"}
		if _, ok := m.BlockSize(&large); !ok {
			t.Fatal("the block is not known to be large")
		}
		cells := len(m.Cells(&large))
		n := 3 * maxSlabs / cells
		list := make([]maps.Block, n)
		for i := range list {
			list[i] = large
		}
		if err := m.AddBlock(list...); err != nil {
			t.Fatal(err)
		}
		if got := len(Of(m).Blocks); got < n || got > maxSlabs+n+cells {
			t.Errorf("%d slabs of %d blocks of %d cells", got, m.BlockCount(), cells)
		}
		return
	}
	t.Error("no map of Stadium")
}
