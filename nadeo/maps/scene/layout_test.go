package scene

import (
	"fmt"
	"math"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

// rotation is the product of rotations about y, x and z as matrices, by rows.
func rotation(yaw, pitch, roll float64) (r [3][3]float64) {
	sy, cy := math.Sincos(yaw)
	sp, cp := math.Sincos(pitch)
	sr, cr := math.Sincos(roll)
	times := func(a, b [3][3]float64) (c [3][3]float64) {
		for i := range 3 {
			for j := range 3 {
				for k := range 3 {
					c[i][j] += a[i][k] * b[k][j]
				}
			}
		}
		return c
	}
	about := times([3][3]float64{{cy, 0, sy}, {0, 1, 0}, {-sy, 0, cy}}, [3][3]float64{{1, 0, 0}, {0, cp, -sp}, {0, sp, cp}})
	return times(about, [3][3]float64{{cr, -sr, 0}, {sr, cr, 0}, {0, 0, 1}})
}

func apply(r [3][3]float64, p gbx.Vec3) gbx.Vec3 {
	at := func(i int) float32 {
		return float32(r[i][0]*float64(p.X) + r[i][1]*float64(p.Y) + r[i][2]*float64(p.Z))
	}
	return gbx.Vec3{X: at(0), Y: at(1), Z: at(2)}
}

func close3(a, b gbx.Vec3) bool {
	return math.Abs(float64(a.X-b.X))+math.Abs(float64(a.Y-b.Y))+math.Abs(float64(a.Z-b.Z)) < 1e-3
}

// Turns and matrices do what rotations as matrices do, which is another way to
// the same.
func TestTurnsAreRotations(t *testing.T) {
	for _, a := range []gbx.Vec3{{}, {X: 0.5}, {Y: 0.7}, {Z: -0.9}, {X: 1, Y: 0.3, Z: -2}, {X: -3, Y: 1.2, Z: 0.4}} {
		r := rotation(float64(a.X), float64(a.Y), float64(a.Z))
		turn := turnOf(a)
		placed := Instance{Position: gbx.Vec3{X: 100, Y: 20, Z: -30}, Pivot: gbx.Vec3{X: 1, Y: 2, Z: 3}, Turn: turn, Scale: 2.5}
		m := placed.Matrix()
		for _, p := range []gbx.Vec3{{X: 1}, {Y: 1}, {Z: 1}, {X: 3, Y: -4, Z: 5}} {
			if got, want := turn.Apply(p), apply(r, p); !close3(got, want) {
				t.Errorf("%v turns %v to %v, want %v", a, p, got, want)
			}
			// Moved by the pivot, scaled, turned, and moved to its place.
			want := add(placed.Position, apply(r, gbx.Vec3{X: 2.5 * (p.X + 1), Y: 2.5 * (p.Y + 2), Z: 2.5 * (p.Z + 3)}))
			got := gbx.Vec3{
				X: m[0]*p.X + m[4]*p.Y + m[8]*p.Z + m[12],
				Y: m[1]*p.X + m[5]*p.Y + m[9]*p.Z + m[13],
				Z: m[2]*p.X + m[6]*p.Y + m[10]*p.Z + m[14],
			}
			if !close3(got, want) {
				t.Errorf("%v puts %v at %v, want %v", a, p, got, want)
			}
		}
		if m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 {
			t.Errorf("the last row is %v %v %v %v", m[3], m[7], m[11], m[15])
		}
	}
	if got := turnOf(gbx.Vec3{X: float32(math.NaN())}); got != noTurn {
		t.Errorf("a turn by nothing is %v", got)
	}
}

// The sample in metres: a straight of five blocks in the tenth level, whose
// surface lies two metres above the floor of their cells, one that stands free,
// three items, one mesh.
func TestSample(t *testing.T) {
	s := Of(mapsample.New(t))
	if s.Cell != (gbx.Vec3{X: 32, Y: 8, Z: 32}) || s.Floor != -64 || len(s.Blocks) != 6 || len(s.Items) != 3 {
		t.Fatalf("s = %+v; want s.Cell = gbx.Vec3{X: 32, Y: 8, Z: 32}, s.Floor = -64, s.Blocks of length 6, s.Items of length 3", s)
	}
	for i, b := range s.Blocks[:5] {
		if want := (gbx.Vec3{X: 32*float32(20+i) + 16, Y: -64 + 9*8 + 2 - Thickness/2, Z: 32*24 + 16}); !close3(b.Center, want) || *b.Cell != (gbx.Int3{X: int32(20 + i), Y: 9, Z: 24}) || b.Direction != 1 || b.Color != i || b.Index != i || !close3(b.Turn.Apply(gbx.Vec3{Y: 1}), gbx.Vec3{Y: 1}) || !close3(b.Extent, gbx.Vec3{X: 26, Y: Thickness, Z: 32}) {
			t.Errorf("block %d: %+v, want it at %v", i, b, want)
		}
	}
	free := s.Blocks[5]
	want := add(gbx.Vec3{X: 700.5, Y: 40, Z: 800}, apply(rotation(0.5, 0, 0), gbx.Vec3{X: 16, Y: 2 - Thickness/2, Z: 16}))
	if !close3(free.Center, want) || free.Cell != nil || free.Direction != -1 {
		t.Errorf("%+v, want it at %v", free, want)
	}
	for i, it := range s.Items {
		if it.Center != (gbx.Vec3{X: 650 + 20*float32(i), Y: 8, Z: 750}) || it.Index != i || it.Direction != -1 || it.Extent != (gbx.Vec3{X: 3, Y: 3, Z: 3}) {
			t.Errorf("item %d: %+v", i, it)
		}
	}
	if len(s.Models) != 1 || s.Models[0].Name != "Items/Tree.Item.Gbx" || len(s.Models[0].Instances) != 2 || s.Models[0].Instances[1].Position.X != 670 || s.Models[0].Instances[1].Item != 1 {
		t.Errorf("s.Models = %+v", s.Models)
	}
	if s.Min != (gbx.Vec3{X: 656, Y: 8, Z: 750}) || !close3(s.Max, gbx.Vec3{X: 784, Y: want.Y, Z: want.Z}) {
		t.Errorf("from %v to %v", s.Min, s.Max)
	}
}

// Bounds leave out scenery, places that no camera can look at, and one thing
// of fifty on either side.
func TestBounds(t *testing.T) {
	thing := func(kind Kind, way Way, x, y, z float32) Thing {
		return Thing{Kind: kind, Way: way, Center: gbx.Vec3{X: x, Y: y, Z: z}}
	}
	line := func(n int) (list []Thing) {
		for i := range n {
			list = append(list, thing(Track, NoWay, float32(i), float32(2*i), float32(3*i)))
		}
		return list
	}
	for name, test := range map[string]struct {
		blocks, items []Thing
		want          string
	}{
		"nothing":        {nil, nil, "{0 -64 0} {1536 256 1536}"},
		"scenery only":   {[]Thing{thing(Scenery, NoWay, 5, 5, 5)}, nil, "{0 -64 0} {1536 256 1536}"},
		"a way":          {[]Thing{thing(Scenery, Start, 5, 6, 7)}, nil, "{5 6 7} {5 6 7}"},
		"blocks, items":  {[]Thing{thing(Track, NoWay, 5, 60, 7)}, []Thing{thing(Track, NoWay, 9, 6, 8), thing(Scenery, NoWay, 99, 99, 99)}, "{5 6 7} {9 60 8}"},
		"forty-nine":     {line(49), nil, "{0 0 0} {48 96 144}"},
		"fifty":          {line(50), nil, "{1 2 3} {48 96 144}"},
		"far away":       {[]Thing{thing(Track, NoWay, 1, 2, 3), thing(Track, NoWay, 1e5, 0, 0), thing(Track, NoWay, 0, -1e5, 0), thing(Track, NoWay, 0, 0, 2e5)}, nil, "{1 2 3} {1 2 3}"},
		"at no place":    {[]Thing{thing(Track, NoWay, 1, 2, 3), thing(Track, NoWay, float32(math.NaN()), 0, 0), thing(Track, NoWay, 0, float32(math.Inf(-1)), 0)}, nil, "{1 2 3} {1 2 3}"},
		"nearly too far": {[]Thing{thing(Track, NoWay, 99999, -99999, 0)}, nil, "{99999 -99999 0} {99999 -99999 0}"},
	} {
		s := &Scene{Blocks: test.blocks, Items: test.items, Cell: gbx.Vec3{X: 32, Y: 8, Z: 32}, Floor: -64, Size: gbx.Int3{X: 48, Y: 40, Z: 48}}
		s.bounds()
		if got := fmt.Sprint(s.Min, s.Max); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// A block has one slab for each cell of the ground, the lowest.
func TestSlabs(t *testing.T) {
	s := &Scene{Cell: gbx.Vec3{X: 32, Y: 8, Z: 32}}
	slabs := s.slabs(Thing{Name: "a"}, []gbx.Int3{{X: 1, Y: 5, Z: 1}, {X: 1, Y: 4, Z: 1}, {X: 1, Y: 6, Z: 1}, {X: 2, Y: 7, Z: 1}, {X: 1, Y: 8, Z: 2}})
	var got string
	for _, t := range slabs {
		got += fmt.Sprint(*t.Cell, t.Center, " ")
	}
	if want := "{1 4 1} {48 32.6 48} {2 7 1} {80 56.6 48} {1 8 2} {48 64.6 80} "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Blocks that the game adds and nobody drives on are omitted, and so are blocks without a
// position.
func TestBlocksThatAreShown(t *testing.T) {
	s := &Scene{Cell: gbx.Vec3{X: 32, Y: 8, Z: 32}}
	nowhere := gbx.Vec3{X: float32(math.Inf(1))}
	for name, test := range map[string]struct {
		b    maps.Block
		want bool
	}{
		"road":         {maps.Block{Name: "RoadTechStraight"}, true},
		"free":         {maps.Block{Name: "RoadTechStraight", Free: true}, true},
		"free nowhere": {maps.Block{Name: "RoadTechStraight", Free: true, Position: nowhere}, false},
	} {
		if _, ok := s.block(0, &test.b); ok != test.want {
			t.Errorf("%s: ok = %v; want %v", name, ok, test.want)
		}
	}
	for name, it := range map[string]maps.Item{
		"position": {Position: nowhere, Scale: 1}, "pivot": {Pivot: nowhere, Scale: 1}, "scale": {Scale: float32(math.NaN())},
	} {
		if p, ok := PlaceItem(0, &it); ok {
			t.Errorf("an item without a %s stands at %+v", name, p)
		}
	}
	if p, ok := PlaceItem(7, &maps.Item{Position: gbx.Vec3{X: 1}, Scale: 2}); !ok || p.Item != 7 || p.Position.X != 1 || p.Scale != 2 {
		t.Errorf("p = %+v; want ok = true, p.Item = 7, p.At.X = 1, p.Scale = 2", p)
	}
}

// The colour of a block or item follows from its way, its paint and its surface.
func TestTint(t *testing.T) {
	for want, thing := range map[string]Thing{
		"start [38 204 77]":   {Way: Start, Color: 3, Surface: "ice"},
		"white [242 242 242]": {Color: 1, Surface: "ice"},
		"black [31 31 36]":    {Color: 5, Surface: "ice"},
		"ice [158 212 242]":   {Color: 0, Surface: "ice"},
		"dirt [158 112 66]":   {Color: 6, Surface: "dirt"},
		"road [107 112 122]":  {Color: -1, Surface: "road"},
	} {
		name, tint := thing.Tint("")
		if got := fmt.Sprint(name, " ", tint); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
