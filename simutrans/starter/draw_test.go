package starter

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const cell = 64

var sky = color.NRGBA{0xE7, 0xFF, 0xFF, 0xFF}

// drawn is the picture of a kind of object.
func drawn(t *testing.T, kind string) *image.NRGBA {
	t.Helper()
	_, data, _, err := Object(kind, "a", cell)
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewNRGBA(m.Bounds())
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			out.Set(x, y, m.At(x, y))
		}
	}
	return out
}

// part is one cell of a picture.
func part(m *image.NRGBA, row, column int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, cell, cell))
	for y := range cell {
		for x := range cell {
			out.SetNRGBA(x, y, m.NRGBAAt(column*cell+x, row*cell+y))
		}
	}
	return out
}

// on returns the pixel of a place on a tile: its corners are in the middle of the upper
// edge of the lower half, at the right end, at the lowest point and at the left end.
func on(m *image.NRGBA, x, y, z float64) color.NRGBA {
	top, right, left := [2]float64{cell / 2, cell / 2}, [2]float64{cell, cell * 3 / 4}, [2]float64{0, cell * 3 / 4}
	px := top[0] + x*(right[0]-top[0]) + y*(left[0]-top[0])
	py := top[1] + x*(right[1]-top[1]) + y*(left[1]-top[1]) - z*cell/2
	return m.NRGBAAt(int(px), int(py))
}

// The filled area is the convex hull: the pixels whose middle is in a triangle of three of
// the points.
func TestFill(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	ink := color.NRGBA{1, 2, 3, 255}
	for range 200 {
		points := make([]point, 3+r.IntN(6))
		for i := range points {
			points[i] = point{r.Float64()*40 - 4, r.Float64()*40 - 4} // some beyond the cell
		}
		given := slices.Clone(points)
		c := &canvas{image.NewNRGBA(image.Rect(0, 0, 48, 48)), 8, 8, 32}
		c.fill(ink, points...)
		if !slices.Equal(points, given) {
			t.Fatal("the points were changed")
		}
		for y := range 48 {
			for x := range 48 {
				want := x >= 8 && y >= 8 && x < 40 && y < 40 && inTriangle(points, float64(x-8)+0.5, float64(y-8)+0.5)
				if got := c.m.NRGBAAt(x, y) == ink; got != want {
					t.Fatalf("%v: the pixel %d, %d is filled: %v", points, x-8, y-8, got)
				}
			}
		}
	}
}

func inTriangle(points []point, x, y float64) bool {
	side := func(a, b point) float64 { return (b.x-a.x)*(y-a.y) - (b.y-a.y)*(x-a.x) }
	for _, a := range points {
		for _, b := range points {
			for _, c := range points {
				if side(a, b) > 0 && side(b, c) > 0 && side(c, a) > 0 {
					return true
				}
			}
		}
	}
	return false
}

// A way reaches exactly those edges of its tile that its name lists.
func TestWays(t *testing.T) {
	m := drawn(t, "way")
	for i, name := range ways {
		tile := part(m, i/8, i%8)
		for direction, edge := range map[string][2]float64{"n": {0.5, 0.04}, "s": {0.5, 0.96}, "w": {0.04, 0.5}, "e": {0.96, 0.5}} {
			if got := on(tile, edge[0], edge[1], 0) == asphalt; got != strings.Contains(name, direction) {
				t.Errorf("%s reaches the edge %s: %v", name, direction, got)
			}
		}
		if on(tile, 0.5, 0.5, 0) != asphalt || on(tile, 0.1, 0.1, 0) != sky || on(tile, 0.9, 0.9, 0) != sky {
			t.Errorf("%s: wrong in the middle or at the corners", name)
		}
	}
	// Slopes: the edge that is a quarter higher, and the one opposite to it.
	for column, edges := range [][2][2]float64{{{0.5, 0.03}, {0.5, 0.97}}, {{0.03, 0.5}, {0.97, 0.5}}, {{0.97, 0.5}, {0.03, 0.5}}, {{0.5, 0.97}, {0.5, 0.03}}} {
		tile := part(m, 2, column)
		for i, z := range []float64{0.25, 0} {
			if on(tile, edges[i][0], edges[i][1], z) != asphalt {
				t.Errorf("slope %d does not reach %v in the height %g", column, edges[i], z)
			}
		}
		if on(tile, 0.5, 0.5, 0.125) != asphalt || count(tile) < cell*cell/20 || count(tile) > cell*cell/4 {
			t.Errorf("slope %d: %d pixels", column, count(tile))
		}
	}
	// Diagonals: from edge to edge, past the middle of the tile.
	for i, name := range []string{"ne", "se", "nw", "sw"} {
		tile := part(m, 2, 4+i)
		for direction, edge := range map[string][2]float64{"n": {0.5, 0.04}, "s": {0.5, 0.96}, "w": {0.04, 0.5}, "e": {0.96, 0.5}} {
			if got := on(tile, edge[0], edge[1], 0) == asphalt; got != strings.Contains(name, direction) {
				t.Errorf("diagonal %s reaches the edge %s: %v", name, direction, got)
			}
		}
		corner := map[string][2]float64{"ne": {0.9, 0.1}, "se": {0.9, 0.9}, "nw": {0.1, 0.1}, "sw": {0.1, 0.9}}[name]
		between := [2]float64{(corner[0]*3 + 1) / 5, (corner[1]*3 + 1) / 5}
		if on(tile, corner[0], corner[1], 0) != sky || on(tile, 1-corner[0], 1-corner[1], 0) != sky || on(tile, between[0], between[1], 0) != asphalt {
			t.Errorf("diagonal %s: wrong at its corner or beside it", name)
		}
	}
	icon, cursor := part(m, 3, 0), part(m, 3, 1)
	if icon.NRGBAAt(cell/2, cell/5) != asphalt || icon.NRGBAAt(cell/4, cell*17/20) != asphalt || icon.NRGBAAt(cell/4, cell/5) != sky || icon.NRGBAAt(cell*3/4, cell/5) != sky {
		t.Error("the icon is not a road that leads away")
	}
	if !bytes.Equal(cursor.Pix, part(m, 0, slices.Index(ways, "ns")).Pix) {
		t.Error("the cursor is not a straight way")
	}
	if count(part(m, 3, 2)) != 0 {
		t.Error("a cell without a meaning is drawn")
	}
}

// count is the number of pixels that are drawn.
func count(m *image.NRGBA) (n int) {
	for i := 0; i < len(m.Pix); i += 4 {
		if !bytes.Equal(m.Pix[i:i+4], []byte{sky.R, sky.G, sky.B, sky.A}) {
			n++
		}
	}
	return n
}

// differences counts the pixels in which a cell differs from the mirror image of another.
func differences(a, b *image.NRGBA, same func(a, b color.NRGBA) bool) (n int) {
	for y := range cell {
		for x := range cell {
			if !same(a.NRGBAAt(x, y), b.NRGBAAt(cell-1-x, y)) {
				n++
			}
		}
	}
	return n
}

// Seen along a tile from its top to its lowest corner, east and south change
// places in a mirror. So do the vehicles.
func TestVehicles(t *testing.T) {
	m := drawn(t, "vehicle")
	order := strings.Fields("s w sw se n e ne nw")
	step := map[string][2]float64{"s": {0, 1}, "w": {-1, 0}, "n": {0, -1}, "e": {1, 0}, "sw": {-0.7, 0.7}, "se": {0.7, 0.7}, "ne": {0.7, -0.7}, "nw": {-0.7, -0.7}}
	mirror := map[string]string{"s": "e", "e": "s", "w": "n", "n": "w", "sw": "ne", "ne": "sw", "se": "se", "nw": "nw"}
	opposite := map[string]string{"s": "n", "e": "w", "w": "e", "n": "s", "sw": "ne", "ne": "sw", "se": "nw", "nw": "se"}
	seen := map[string]*image.NRGBA{}
	for i, name := range order {
		seen[name] = part(m, 0, i)
	}
	equal := func(a, b color.NRGBA) bool { return a == b }
	for name, tile := range seen {
		if n := differences(tile, seen[mirror[name]], equal); n > 12 {
			t.Errorf("%s is not %s in a mirror: %d pixels", name, mirror[name], n)
		}
		// The roof of the cabin is in front of the middle, and only there.
		front := on(tile, 0.5+0.14*step[name][0], 0.5+0.14*step[name][1], 0.24)
		behind := on(seen[opposite[name]], 0.5+0.14*step[name][0], 0.5+0.14*step[name][1], 0.24)
		if front != shade(3) || behind == shade(3) {
			t.Errorf("%s: the cabin in front is %v, behind %v", name, front, behind)
		}
		// It ends a quarter of the tile before and behind the middle, above the ground.
		for _, side := range []float64{-1, 1} {
			inside := on(tile, 0.5+side*0.22*step[name][0], 0.5+side*0.22*step[name][1], 0.1)
			outside := on(tile, 0.5+side*0.42*step[name][0], 0.5+side*0.42*step[name][1], 0.1)
			if inside == sky || outside != sky {
				t.Errorf("%s, side %g: %v inside, %v outside", name, side, inside, outside)
			}
		}
		if n := count(tile); n < cell*cell/40 || n > cell*cell/8 {
			t.Errorf("%s: %d pixels", name, n)
		}
	}
}

// Buildings stand on the middle of their tile, with a light wall in the south and a dark
// one in the east; a house has a ridge, a factory a chimney.
func TestBuildings(t *testing.T) {
	solid := func(a, b color.NRGBA) bool { return (a == sky) == (b == sky) }
	for _, kind := range []string{"building", "factory"} {
		m := part(drawn(t, kind), 0, 0)
		if on(m, 0.5, 0.83, 0.1) != wall || on(m, 0.83, 0.5, 0.1) != dark || on(m, 0.07, 0.93, 0) != sky || on(m, 0.93, 0.07, 0) != sky || on(m, 0.95, 0.95, 0) != sky {
			t.Errorf("%s: the walls are %v and %v", kind, on(m, 0.5, 0.83, 0.1), on(m, 0.83, 0.5, 0.1))
		}
		if on(m, 0.5, 0.8, 0.35) != roof {
			t.Errorf("%s: the roof is %v", kind, on(m, 0.5, 0.8, 0.35))
		}
		if n := differences(m, m, solid); n > 40 {
			t.Errorf("%s: one side is %d pixels larger than the other", kind, n)
		}
		if got, want := on(m, 0.35, 0.35, 0.75) == dark, kind == "factory"; got != want {
			t.Errorf("%s has a chimney: %v", kind, got)
		}
		if got, want := on(m, 0.5, 0.5, 0.6) != sky, kind == "building"; kind == "building" && got != want {
			t.Errorf("%s has a ridge: %v", kind, got)
		}
	}
}
