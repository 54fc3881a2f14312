package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/internal/testkit/mapsample"
	"pakbox/trackmania"
	"pakbox/trackmania/compare"
)

// The pictures in testdata were looked at by people. A change of a drawing
// shows as a difference of files, which -update writes anew: look at them.

// golden compares a picture with the one that is kept.
func golden(t *testing.T, name string, c *Canvas) {
	t.Helper()
	var b bytes.Buffer
	if err := c.SVG(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	if len(ours) != len(theirs) {
		t.Errorf("%s: %d shapes, want %d", name, len(ours), len(theirs))
	}
	for i := range min(len(ours), len(theirs)) {
		if !sameShape(ours[i], theirs[i]) {
			t.Errorf("%s:%d is\n%s, want\n%s", path, i+1, ours[i], theirs[i])
			return
		}
	}
}

var svgNumbers = regexp.MustCompile(`-?\d+(\.\d+)?`)

// sameShape allows numbers that are rounded otherwise: not all processors
// multiply and add in two steps.
func sameShape(a, b string) bool {
	if a == b {
		return true
	}
	if svgNumbers.ReplaceAllString(a, "0") != svgNumbers.ReplaceAllString(b, "0") {
		return false
	}
	ours, theirs := svgNumbers.FindAllString(a, -1), svgNumbers.FindAllString(b, -1)
	for i := range ours {
		x, _ := strconv.ParseFloat(ours[i], 64)
		y, _ := strconv.ParseFloat(theirs[i], 64)
		if math.Abs(x-y) > 0.015 {
			return false
		}
	}
	return true
}

// town is a map with something of every kind: a track with curves and slopes on
// three levels, blocks of many cells, ground, scenery, and items.
func town(t *testing.T) *trackmania.Map {
	t.Helper()
	m := mapsample.New(t)
	for i, name := range []string{
		"RoadTechCurve3", "RoadTechCurve2", "StadiumCastle4x4", "RoadTechCheckpoint", "RoadTechStraight", "RoadTechStraight",
		"DecoWallBase", "StadiumGrass", "RoadTechSlopeBase", "PlatformTechBase",
	} {
		b := trackmania.Block{Name: name, Coord: gbx.Int3{X: int32(14 + 3*(i%5)), Y: int32(9 + i%4), Z: int32(27 + 5*(i/5))}, Direction: i % 4}
		if err := m.AddBlock(b); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 { // one above the other
		if err := m.AddBlock(trackmania.Block{Name: "RoadTechStraight", Coord: gbx.Int3{X: 22, Y: int32(9 + i), Z: 24}}); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// island is a map so wide that a cell is a few pixels.
func island(t *testing.T) *trackmania.Map {
	t.Helper()
	m := mapsample.New(t)
	for i, at := range []gbx.Int3{{X: 1, Y: 9, Z: 1}, {X: 250, Y: 20, Z: 5}, {X: 100, Y: 12, Z: 120}, {X: 60, Y: 9, Z: 70}} {
		name := []string{"RoadTechCheckpoint", "RoadTechCheckpoint", "RoadTechMultilap", "StadiumCastle4x4"}[i]
		if err := m.AddBlock(trackmania.Block{Name: name, Coord: at, Direction: i}); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestMapPictures(t *testing.T) {
	golden(t, "map", Map(town(t)))
	golden(t, "island", Map(island(t)))
}

// drive is a run with everything that a picture of one shows: bends, a
// respawn, and a while of which nothing is known.
func drive() []trackmania.Sample {
	var s []trackmania.Sample
	for i := range 120 {
		at, x, z := i*100, float32(i)*2, 30*math.Sin(float64(i)/15)
		if i >= 50 {
			x -= 60 // back to the checkpoint
		}
		if i >= 90 {
			at += 3000
		}
		gas, brake := 1.0, 0.0
		if i%40 > 30 {
			gas, brake = 0, 0.6
		}
		s = append(s, trackmania.Sample{
			Time: gbx.Time(at), Position: gbx.Vec3{X: 600 + x, Y: 10, Z: float32(770 + z)},
			Speed: 20 + 15*math.Sin(float64(i)/9), Gas: gas, Brake: brake, Steer: math.Cos(float64(i) / 15),
		})
	}
	return s
}

func TestRunPictures(t *testing.T) {
	other := drive()[:80]
	for i := range other {
		other[i].Position.Z += 12
	}
	run := Run{
		Title: "Sample map", Subtitle: "Ada", Time: 14_500, Checkpoints: []gbx.Time{2300, 8000, 14_500},
		Lines: []trackmania.Line{{Samples: drive()}, {Samples: other}},
	}
	golden(t, "run", DrawRun(run))
	// What was pressed is drawn rather than what the samples say of it.
	run.Inputs = []trackmania.Input{
		{Time: 0, Name: "Accelerate", Value: 1}, {Time: 1500, Name: "Accelerate"}, {Time: 1500, Name: "Brake", Value: 1}, {Time: 1800, Name: "Brake"},
		{Time: 2000, Name: "SteerLeft", Value: 1}, {Time: 2500, Name: "SteerRight", Value: 1}, {Time: 3000, Name: "SteerLeft"}, {Time: 3500, Name: "SteerRight"},
		{Time: 4000, Name: "Steer", Value: trackmania.Full / 2, Analog: true}, {Time: 5000, Name: "Steer", Value: -trackmania.Full / 4, Analog: true}, {Time: 6000, Name: "Steer", Analog: true},
		{Time: 6500, Name: "AccelerateReal", Value: trackmania.Full / 2, Analog: true}, {Time: 7000, Name: "AccelerateReal", Analog: true},
		{Time: 7000, Name: "BrakeReal", Value: trackmania.Full, Analog: true}, {Time: 7500, Name: "BrakeReal", Analog: true},
		{Time: 8000, Name: "Gas", Value: trackmania.Full, Analog: true}, {Time: 9000, Name: "Gas", Value: -trackmania.Full / 2, Analog: true}, {Time: 9500, Name: "Gas", Analog: true},
	}
	golden(t, "inputs", DrawRun(run))
	golden(t, "unseen", DrawRun(Run{Title: "Sample map", Subtitle: "Ada", Time: 14_500, Inputs: run.Inputs}))
}

// race are two runs on the town's track.
func race() []compare.Run {
	runs := []compare.Run{
		{Name: "Ada", Time: 11_000, Samples: drive()[:49]},
		{Name: "Grace of a very long name indeed", Time: gbx.NoTime},
		{Name: "漢字", Time: 4900},
	}
	for i := range 60 {
		s := runs[0].Samples[min(i, 48)]
		s.Time, s.Position.X, s.Position.Z, s.Speed, s.Steer = gbx.Time(i*110), 600+float32(i)*1.7, s.Position.Z+3, s.Speed*0.9, -s.Steer
		runs[1].Samples = append(runs[1].Samples, s)
		s.Time, s.Position.X, s.Position.Z = gbx.Time(i*90), 600+float32(i)*2.1, s.Position.Z-6
		runs[2].Samples = append(runs[2].Samples, s)
	}
	runs[0].Time = 4800
	for i := range runs {
		runs[i].Checkpoints = []gbx.Time{2000 + gbx.Time(100*i), runs[i].Time}
	}
	return runs
}

func TestComparisonPictures(t *testing.T) {
	runs := race()
	golden(t, "comparison", DrawComparison(compare.Runs(runs[0], runs[1:]...), town(t)))
}

// TestFilmPictures compares frames pixel by pixel: what shapes look like when
// they are painted.
func TestFilmPictures(t *testing.T) {
	f, err := NewFilm(race(), town(t), image.Pt(480, 270), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 5} {
		path := filepath.Join("testdata", fmt.Sprintf("film-%d.png", i))
		got := f.Frame(i)
		if *update {
			var b bytes.Buffer
			if err := png.Encode(&b, got); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if n, at := differ(got, want); n > 0 {
			t.Errorf("%s: %d pixels are others, one at %v", path, n, at)
		}
	}
	// Frames last half a second, the last one two.
	var b bytes.Buffer
	if err := f.APNG(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	frames := chunkOf(b.Bytes()[8:], chunkFrame)
	for i, c := range frames {
		want := "\x00\x64\x00\xc8"
		if i == len(frames)-1 {
			want = "\x01\x90\x00\xc8"
		}
		if string(c[20:24]) != want {
			t.Errorf("frame %d is shown for % x", i, c[20:24])
		}
	}
	if moves := chunkOf(b.Bytes()[8:], chunkMoves)[0]; len(frames) != f.Frames() || int(moves[3]) != len(frames) {
		t.Errorf("%d frames of %d, said to be %d", len(frames), f.Frames(), moves[3])
	}
}

// differ counts the pixels that are more than a little others.
func differ(a, b image.Image) (n int, last image.Point) {
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			d := func(a, b uint32) uint32 { return max(a, b) - min(a, b) }
			if max(d(r, r2), d(g, g2), d(bl, b2)) > 4<<8 {
				n, last = n+1, image.Pt(x, y)
			}
		}
	}
	return n, last
}
