package trackmania_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/testkit/mapsample"
	"pakbox/trackmania"
)

// near compares places and angles, which are 32 bits of float.
func near(a, b gbx.Vec3) bool {
	return math.Abs(float64(a.X-b.X))+math.Abs(float64(a.Y-b.Y))+math.Abs(float64(a.Z-b.Z)) < 1e-3
}

// TestTurningAndMirroring: places in a box of 3 by 5 cells, worked out by hand.
func TestTurningAndMirroring(t *testing.T) {
	f := mapsample.New(t).Frame()
	if f.Cell != (gbx.Vec3{X: 32, Y: 8, Z: 32}) {
		t.Fatal(f.Cell)
	}
	box := trackmania.Box{Min: gbx.Int3{X: 1, Z: 2}, Max: gbx.Int3{X: 3, Z: 6}} // from 32, 64 to 128, 224 m
	at, turn := gbx.Vec3{X: 42, Y: 9, Z: 84}, gbx.Vec3{X: 0.3, Y: 0.1, Z: 0.2}  // 10, 20 m from its corner
	quarter := float32(math.Pi / 2)
	for _, test := range []struct {
		quarters int
		at       gbx.Vec3
		yaw      float32
	}{
		{0, at, 0.3}, {4, at, 0.3}, {-4, at, 0.3},
		{1, gbx.Vec3{X: 32 + 160 - 20, Y: 9, Z: 64 + 10}, 0.3 - quarter},
		{-3, gbx.Vec3{X: 32 + 160 - 20, Y: 9, Z: 64 + 10}, 0.3 - quarter},
		{2, gbx.Vec3{X: 32 + 96 - 10, Y: 9, Z: 64 + 160 - 20}, 0.3 - 2*quarter},
		{3, gbx.Vec3{X: 32 + 20, Y: 9, Z: 64 + 96 - 10}, 0.3 + quarter},
	} {
		it := trackmania.Item{Position: at, YawPitchRoll: turn}
		f.TurnItem(&it, box, test.quarters)
		if !near(it.Position, test.at) || !near(it.YawPitchRoll, gbx.Vec3{X: test.yaw, Y: 0.1, Z: 0.2}) {
			t.Errorf("%d quarters: %v, %v, want %v, %g", test.quarters, it.Position, it.YawPitchRoll, test.at, test.yaw)
		}
		it = trackmania.Item{Position: at, YawPitchRoll: turn}
		f.SpinItem(&it, test.quarters)
		if it.Position != at || !near(it.YawPitchRoll, gbx.Vec3{X: test.yaw, Y: 0.1, Z: 0.2}) {
			t.Errorf("spun by %d quarters: %v, %v", test.quarters, it.Position, it.YawPitchRoll)
		}
		b := trackmania.Block{Free: true, Position: at, YawPitchRoll: turn}
		f.SpinBlock(&b, test.quarters)
		if b.Position != at || !near(b.YawPitchRoll, gbx.Vec3{X: test.yaw, Y: 0.1, Z: 0.2}) {
			t.Errorf("a block spun by %d quarters: %v, %v", test.quarters, b.Position, b.YawPitchRoll)
		}
		b = trackmania.Block{Coord: gbx.Int3{X: 2, Y: 9, Z: 3}, Direction: 1}
		f.SpinBlock(&b, test.quarters)
		if want := ((1+test.quarters)%4 + 4) % 4; b.Direction != want || b.Coord != (gbx.Int3{X: 2, Y: 9, Z: 3}) {
			t.Errorf("a block of the grid spun by %d quarters: %d", test.quarters, b.Direction)
		}
	}
	for axis, want := range map[trackmania.Axis]gbx.Vec3{trackmania.AxisX: {X: 32 + 96 - 10, Y: 9, Z: 84}, trackmania.AxisZ: {X: 42, Y: 9, Z: 64 + 160 - 20}} {
		it := trackmania.Item{Position: at, YawPitchRoll: turn}
		f.MirrorItem(&it, box, axis)
		if !near(it.Position, want) {
			t.Errorf("mirrored: %v, want %v", it.Position, want)
		}
		// Once more, and all is as it was.
		f.MirrorItem(&it, box, axis)
		if !near(it.Position, at) || !near(it.YawPitchRoll, turn) {
			t.Errorf("mirrored twice: %v, %v", it.Position, it.YawPitchRoll)
		}
		b := trackmania.Block{Name: "ALeft", Free: true, Position: at, YawPitchRoll: turn}
		f.MirrorBlock(&b, box, axis)
		if b.Name != "ARight" || near(b.Position, at) {
			t.Errorf("%+v", b)
		}
		f.MirrorBlock(&b, box, axis)
		if b.Name != "ALeft" || !near(b.Position, at) || !near(b.YawPitchRoll, turn) {
			t.Errorf("a free block mirrored twice: %v, %v", b.Position, b.YawPitchRoll)
		}
	}
	// A free block that is not turned has its corner on the other side.
	b := trackmania.Block{Free: true, Position: at}
	f.MirrorBlock(&b, box, trackmania.AxisX)
	if !near(b.Position, gbx.Vec3{X: 118 - 32, Y: 9, Z: 84}) {
		t.Errorf("%v", b.Position)
	}
}

// TestCellAt: places in cells, and places that are none.
func TestCellAt(t *testing.T) {
	f := mapsample.New(t).Frame()
	floor := int32(f.Floor)
	nowhere := int32(-1 << 30)
	nan := float32(math.NaN())
	for _, test := range []struct {
		at   gbx.Vec3
		want gbx.Int3
	}{
		{gbx.Vec3{}, gbx.Int3{Y: floor}}, {gbx.Vec3{X: 31.9, Y: 7.9, Z: 31.9}, gbx.Int3{Y: floor}}, {gbx.Vec3{X: 32, Y: 8, Z: 64}, gbx.Int3{X: 1, Y: floor + 1, Z: 2}},
		{gbx.Vec3{X: -0.1, Y: -0.1, Z: -33}, gbx.Int3{X: -1, Y: floor - 1, Z: -2}}, {gbx.Vec3{X: nan, Y: 1e30, Z: -1e30}, gbx.Int3{X: nowhere, Y: nowhere, Z: nowhere}},
	} {
		if got := f.CellAt(test.at); got != test.want {
			t.Errorf("%v: %v, want %v", test.at, got, test.want)
		}
		free := trackmania.Block{Free: true, Position: test.at, Coord: gbx.Int3{X: 7}}
		if got := f.CellOf(&free); got != test.want {
			t.Errorf("a free block at %v: %v", test.at, got)
		}
	}
	if got := f.CellOf(&trackmania.Block{Coord: gbx.Int3{X: 7}}); got != (gbx.Int3{X: 7}) {
		t.Error(got)
	}
}

// TestFlagsOfBlocks: each is set and taken back alone.
func TestFlagsOfBlocks(t *testing.T) {
	b := trackmania.Block{Flags: 5}
	b.SetGround(true)
	if !b.Ground() || b.Ghost() || b.Pillar() {
		t.Errorf("%#x", b.Flags)
	}
	b.SetGhost(true)
	b.SetGround(false)
	if b.Ground() || !b.Ghost() {
		t.Errorf("%#x", b.Flags)
	}
	b.SetGhost(false)
	if b.Flags != 5 {
		t.Errorf("%#x", b.Flags)
	}
}

// TestGamesByVersion: which game a program was.
func TestGamesByVersion(t *testing.T) {
	for _, test := range []struct{ version, build, title, want string }{
		{"3.3.0", "2013-12-31", "", "ManiaPlanet 2"}, {"3.3.0", "2014-01-01", "", "ManiaPlanet 3"}, {"3.3.0", "2016-12-31", "", "ManiaPlanet 3"}, {"3.3.0", "2017-01-01", "", "ManiaPlanet 4"},
		{"3.3.0", "2019-11-19_18_50", "TMStadium@nadeo", "ManiaPlanet 4"}, {"3.3.0", "2020-01-01", "", "Trackmania (2020)"}, {"3.3.0", "", "", "Trackmania (2020)"},
		{"3.3.0", "2016-01-01", "TMTurbo@nadeolabs", "TrackMania Turbo"}, {"3.1.0", "", "", "ManiaPlanet"}, {"2.11.26", "", "", "TrackMania Forever"},
		{"0.2.0.0", "", "", "TrackMania United"}, {"0.1.9.6", "", "", "TrackMania United"}, {"0.1.8.7", "", "", "TrackMania United"}, {"0.1.8.0", "", "", "TrackMania Nations ESWC"},
		{"0.1.7.9", "", "", "TrackMania Nations ESWC"}, {"0.1.6.0", "", "", "TrackMania Sunrise eXtreme"}, {"0.1.4.8", "", "", "TrackMania Sunrise or Original"}, {"1.0", "", "", ""}, {"", "", "", ""},
	} {
		if got := (trackmania.Origin{Version: test.version, Build: test.build, Title: test.title}).Game(); got != test.want {
			t.Errorf("%v: %q", test, got)
		}
	}
}

// TestReadIcon: pictures are read, what is none and what is too large refused.
func TestReadIcon(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 7, 5))); err != nil {
		t.Fatal(err)
	}
	m, err := trackmania.ReadIcon(b.Bytes())
	if err != nil || fmt.Sprint(m.Bounds()) != "(0,0)-(7,5)" {
		t.Errorf("%v (%v)", m, err)
	}
	for _, bad := range [][]byte{nil, []byte("no picture"), b.Bytes()[:b.Len()/2]} {
		if _, err := trackmania.ReadIcon(bad); fault.KindOf(err) != fault.Corrupt {
			t.Errorf("%d bytes: %v", len(bad), err)
		}
	}
}
