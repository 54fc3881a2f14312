package scene

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

// Of free water only the top layer is shown, in each column, and no other block is left
// out for lying below it.
func TestWaterInLayers(t *testing.T) {
	m := mapsample.New(t)
	before := len(Of(m).Blocks)
	at := func(name string, x, y, z float32, free bool) maps.Block {
		return maps.Block{Name: name, Free: free, Position: gbx.Vec3{X: x, Y: y, Z: z}, Coord: gbx.Int3{X: 1, Y: 20, Z: 1}}
	}
	const water = "DecoWallWaterBase"
	if err := m.AddBlock(
		at(water, 32, 8, 32, true), at(water, 32, 24, 32, true), at(water, 32, 16, 32, true), // one column
		at(water, 64, 8, 32, true), at(water, 32, 12, 64, true), // two others
		at("RoadTechStraight", 32, 4, 32, true)); err != nil {
		t.Fatal(err)
	}
	s := Of(m)
	var heights []int
	for _, b := range s.Blocks[before:] {
		if strings.HasPrefix(b.Name, water) {
			heights = append(heights, int(b.Center.Y-Thickness/2)) // the surface is a little above the floor
		}
	}
	if want := []int{24, 8, 12}; !slices.Equal(heights, want) {
		t.Errorf("water in the heights %v, want %v", heights, want)
	}
	if last := s.Blocks[len(s.Blocks)-1]; last.Name != "RoadTechStraight" {
		t.Errorf("the last block is %s", last.Name)
	}
	left := 0
	for _, l := range s.Omissions {
		if l.Why == underWater {
			left = l.Blocks
		}
	}
	if left != 2 {
		t.Errorf("%d blocks are left out under water, want 2", left)
	}
	list := []maps.Block{at(water, 1, -5, 1, true), at(water, 1, -7, 1, true), at(water, 2, 3, 1, false), at("Water", 3, 9, 3, true)}
	if levels := waterLevels(list); len(levels) != 1 || levels[[2]int32{1, 1}] != -5 {
		t.Errorf("levels = %v; want levels of length 1, levels[[2]int32{1, 1}] = -5", levels)
	}
}

// A rotation is found from the axes that it makes, whatever it is: also half a turn about
// any axis, for which three of the four forms divide by nothing.
func TestTurnTo(t *testing.T) {
	axes := []gbx.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	angles := [][3]float64{{}, {math.Pi}, {0, math.Pi}, {0, 0, math.Pi}, {math.Pi, math.Pi / 2}, {math.Pi / 2, math.Pi}, {math.Pi / 2, math.Pi / 2, math.Pi}, {3, 0.1, 0.1}, {0.1, 3, 0.1}, {0.1, 0.1, 3}}
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		angles = append(angles, [3]float64{r.Float64() * 7, r.Float64() * 7, r.Float64() * 7})
	}
	for _, a := range angles {
		m := rotation(a[0], a[1], a[2])
		x, y, z := apply(m, axes[0]), apply(m, axes[1]), apply(m, axes[2])
		turn := turnTo(x, y, z)
		if n := turn[0]*turn[0] + turn[1]*turn[1] + turn[2]*turn[2] + turn[3]*turn[3]; math.Abs(float64(n)-1) > 1e-5 {
			t.Errorf("%v: %v has the length %g", a, turn, n)
		}
		for i, want := range []gbx.Vec3{x, y, z} {
			if got := turn.Apply(axes[i]); !close3(got, want) {
				t.Errorf("%v: %v turns %v to %v, want %v", a, turn, axes[i], got, want)
			}
		}
	}
}

// The box around the tracks is wider by two cells, and by a tenth of its longer side.
func TestAround(t *testing.T) {
	s := &Scene{Cell: gbx.Vec3{X: 32, Y: 8, Z: 32}, Blocks: []Thing{{Kind: Track, Center: gbx.Vec3{X: 100, Y: 10, Z: 200}}, {Kind: Track, Center: gbx.Vec3{X: 140, Y: 30, Z: 500}}}}
	s.bounds()
	if got, want := s.Around(), ([2]gbx.Vec3{{X: 100 - 94, Y: 10 - 16, Z: 200 - 94}, {X: 140 + 94, Y: 30 + 16, Z: 500 + 94}}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	none := &Scene{Cell: s.Cell, Size: gbx.Int3{X: 4, Y: 4, Z: 4}}
	none.bounds()
	if box := none.Around(); box[0] != box[1] {
		t.Errorf("without tracks: %v", box)
	}
	for p, want := range map[gbx.Vec3]bool{
		{X: 1, Y: 2, Z: 3}: true, {X: float32(math.Inf(1)), Y: float32(math.Inf(-1))}: false, {Y: float32(math.Inf(1))}: false, {Z: float32(math.Inf(-1))}: false, {X: math.MaxFloat32, Y: math.MaxFloat32}: true,
	} {
		if finite(p) != want {
			t.Errorf("%v: !want = %v; want finite(p) = %v", p, !want, want)
		}
	}
	if finite(gbx.Vec3{Y: float32(math.NaN())}) {
		t.Error("finite(NaN) = true")
	}
}

// The cell of a block that stands free is the one that contains its corner.
func TestCellOf(t *testing.T) {
	s := &Scene{Cell: gbx.Vec3{X: 32, Y: 8, Z: 32}, Floor: -64}
	free := maps.Block{Free: true, Position: gbx.Vec3{X: 70, Y: -20, Z: 97}, Coord: gbx.Int3{X: 9, Y: 9, Z: 9}}
	if got := s.cellOf(&free); got != (gbx.Int3{X: 2, Y: 5, Z: 3}) {
		t.Errorf("got = %v; want gbx.Int3{X: 2, Y: 5, Z: 3}", got)
	}
	free.Free = false
	if got := s.cellOf(&free); got != free.Coord {
		t.Errorf("got = %v; want %v", got, free.Coord)
	}
}
