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
	"time"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
	"pakbox/nadeo/runs"
	"pakbox/nadeo/runs/compare"
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

var (
	svgNumbers = regexp.MustCompile(`-?\d+(\.\d+)?`)
	svgOpacity = regexp.MustCompile(`-opacity="[^"]*"`)
)

// sameShape allows places that are rounded otherwise: not all processors
// multiply and add in two steps.
func sameShape(a, b string) bool {
	if a == b {
		return true
	}
	if svgNumbers.ReplaceAllString(a, "0") != svgNumbers.ReplaceAllString(b, "0") || svgOpacity.FindString(a) != svgOpacity.FindString(b) {
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
func town(t *testing.T) *maps.Map {
	t.Helper()
	m := mapsample.New(t)
	for i, name := range []string{
		"RoadTechCurve3", "RoadTechCurve2", "StadiumCastle4x4", "RoadTechCheckpoint", "RoadTechStraight", "RoadTechStraight",
		"DecoWallBase", "StadiumGrass", "RoadTechSlopeBase", "PlatformTechBase",
	} {
		b := maps.Block{Name: name, Coord: gbx.Int3{X: int32(14 + 3*(i%5)), Y: int32(9 + i%4), Z: int32(27 + 5*(i/5))}, Direction: i % 4}
		if err := m.AddBlock(b); err != nil {
			t.Fatal(err)
		}
	}
	// A pillar is not seen, unless it is on the way.
	for x, way := range []string{"", "Checkpoint"} {
		if err := m.AddBlock(maps.Block{Name: "RoadTechPillar", Coord: gbx.Int3{X: int32(15 + x), Y: 9, Z: 22}, Waypoint: way}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 { // one above the other
		if err := m.AddBlock(maps.Block{Name: "RoadTechStraight", Coord: gbx.Int3{X: 22, Y: int32(9 + i), Z: 24}}); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// island is a map so wide that a cell is a few pixels.
func island(t *testing.T) *maps.Map {
	t.Helper()
	m := mapsample.New(t)
	for i, at := range []gbx.Int3{{X: 1, Y: 9, Z: 1}, {X: 250, Y: 20, Z: 5}, {X: 100, Y: 12, Z: 120}, {X: 60, Y: 9, Z: 70}} {
		name := []string{"RoadTechCheckpoint", "RoadTechCheckpoint", "RoadTechMultilap", "StadiumCastle4x4"}[i]
		if err := m.AddBlock(maps.Block{Name: name, Coord: at, Direction: i}); err != nil {
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
func drive() []runs.Sample {
	var s []runs.Sample
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
		s = append(s, runs.Sample{
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
		Lines: []runs.Line{{Samples: drive()}, {Samples: other}},
	}
	golden(t, "run", DrawRun(run))
	// Recorded inputs are drawn rather than the values in the samples.
	run.Inputs = []runs.Input{
		{Time: 0, Name: "Accelerate", Value: 1}, {Time: 1500, Name: "Accelerate"}, {Time: 1500, Name: "Brake", Value: 1}, {Time: 1800, Name: "Brake"},
		{Time: 2000, Name: "SteerLeft", Value: 1}, {Time: 2500, Name: "SteerRight", Value: 1}, {Time: 3000, Name: "SteerLeft"}, {Time: 3500, Name: "SteerRight"},
		{Time: 4000, Name: "Steer", Value: runs.MaxAnalog / 2, Analog: true}, {Time: 5000, Name: "Steer", Value: -runs.MaxAnalog / 4, Analog: true}, {Time: 6000, Name: "Steer", Analog: true},
		{Time: 6500, Name: "AccelerateReal", Value: runs.MaxAnalog / 2, Analog: true}, {Time: 7000, Name: "AccelerateReal", Analog: true},
		{Time: 7000, Name: "BrakeReal", Value: runs.MaxAnalog, Analog: true}, {Time: 7500, Name: "BrakeReal", Analog: true},
		{Time: 8000, Name: "Gas", Value: runs.MaxAnalog, Analog: true}, {Time: 9000, Name: "Gas", Value: -runs.MaxAnalog / 2, Analog: true}, {Time: 9500, Name: "Gas", Analog: true},
	}
	golden(t, "inputs", DrawRun(run))
	golden(t, "unseen", DrawRun(Run{Title: "Sample map", Subtitle: "Ada", Time: 14_500, Inputs: run.Inputs}))
	// A car without known inputs or pedals, and one whose
	// gas is not a number for a while.
	silent := drive()[:40]
	for i := range silent {
		silent[i].Steer = math.NaN()
	}
	golden(t, "silent", DrawRun(Run{Title: "Sample map", Time: gbx.NoTime, Lines: []runs.Line{{Samples: silent}}}))
	odd := drive()[:40]
	for i := range 10 {
		odd[10+i].Gas = math.NaN()
	}
	golden(t, "odd", DrawRun(Run{Title: "Sample map", Time: 3000, Lines: []runs.Line{{Samples: odd}}}))
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
	golden(t, "comparison", DrawComparison(compare.Runs(runs[0], runs[1:]...), town(t), 0))
	// More runs than there are colours, and than are named; the first one declares
	// no time; on a map of an environment that has no colour.
	runs = runs[:1]
	runs[0].Time, runs[0].Samples = gbx.NoTime, runs[0].Samples[:15]
	for i := range 17 { // with the first, 18
		r := compare.Run{Name: fmt.Sprint("run ", i+2), Time: gbx.Time(1500 + 10*i)}
		for k, s := range runs[0].Samples {
			s.Time, s.Position.Z, s.Speed = gbx.Time(102*k), s.Position.Z+float32(i), s.Speed+float64(i)
			r.Samples = append(r.Samples, s)
		}
		r.Checkpoints = []gbx.Time{700 + gbx.Time(20*i), r.Time}
		runs = append(runs, r)
	}
	golden(t, "crowd", DrawComparison(compare.Runs(runs[0], runs[1:]...), elsewhere(t), 0))
}

// elsewhere is an empty map in an unknown environment, which is
// not for racing, and whose name is more than a line.
func elsewhere(t *testing.T) *maps.Map {
	t.Helper()
	m := mapsample.New(t)
	_, err := m.RemoveBlocks(func(*maps.Block) bool { return true })
	if err == nil {
		_, err = m.RemoveItems(func(*maps.Item) bool { return true })
	}
	if err != nil {
		t.Fatal(err)
	}
	c, _ := gbx.Find[*game.Chunk0304301F](m.File.Body)
	c.MapName, c.MapInfo.Collection = "Two\x0blines\tand more than there is room for, "+strings.Repeat("on and on, ", 9), gbx.NewID("Moon")
	for _, h := range m.File.Header.Chunks {
		switch h := h.Body.(type) {
		case *game.Header03043002:
			h.Mode = game.CGameCtnChallengePlayModePlatform
			h.MapInfo.Collection = gbx.NewID("Moon")
		case *game.Header03043003:
			h.MapInfo.Collection, h.MapName = gbx.NewID("Moon"), c.MapName
		}
	}
	if c, ok := gbx.Find[*game.Chunk0304301C](m.File.Body); ok {
		c.Mode = game.CGameCtnChallengePlayModePlatform
	}
	m.SetMedals(maps.Medals{})
	return m
}

// TestFilmPictures compares frames pixel by pixel: what shapes look like when
// they are painted.
func TestFilmPictures(t *testing.T) {
	f, err := NewFilm(race(), town(t), image.Pt(480, 270), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 5, 7} { // in the last one the brakes are pressed half
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
	if err := f.APNG(context.Background(), &b, nil); err != nil {
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
		t.Errorf("read %d frames, Frames() = %d, header declares %d", len(frames), f.Frames(), moves[3])
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

// tower is a map that is high and narrow, on one level.
func tower(t *testing.T) *maps.Map {
	t.Helper()
	m := mapsample.New(t)
	if _, err := m.RemoveBlocks(func(b *maps.Block) bool { return b.Free }); err != nil {
		t.Fatal(err)
	}
	for _, z := range []int32{1, 40, 90} {
		if err := m.AddBlock(maps.Block{Name: "RoadTechCheckpoint", Coord: gbx.Int3{X: 22, Y: 9, Z: z}}); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// forever is a map of a game whose blocks are known to take several cells, which
// nobody has driven yet.
func forever(t *testing.T) *maps.Map {
	t.Helper()
	m, err := maps.New(maps.Options{Game: nadeo.Forever, Environment: "Stadium", Name: "Old", UID: mapsample.UID})
	if err != nil {
		t.Fatal(err)
	}
	m.SetMedals(maps.Medals{Author: gbx.NoTime, Gold: gbx.NoTime, Silver: gbx.NoTime, Bronze: gbx.NoTime})
	for i, name := range []string{"StadiumCheckpointRing2x1H", "StadiumCircuitBorderGTCurve3In", "StadiumRoadMainGTCurve2", "StadiumRoadMain"} {
		if err := m.AddBlock(maps.Block{Name: name, Coord: gbx.Int3{X: int32(8 + 4*i), Y: 1, Z: 10}, Direction: i}); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// TestBoardPicture: two maps, one without a name; drivers with and without medals,
// dates and gaps; and a board of nobody.
func TestBoardPicture(t *testing.T) {
	day := time.Date(2026, 7, 3, 11, 0, 0, 0, time.UTC)
	list := []runs.BoardRow{
		{MapUID: "a", MapName: "$f00Loop", Rank: 1, Driver: nadeo.Player{Nick: "$o$0f0Ada"}, Time: 19538, Medal: "author", Date: day},
		{MapUID: "a", MapName: "$f00Loop", Rank: 2, Driver: nadeo.Player{Login: "grace of a name that is too long for its row, by far"}, Time: 20001, Gap: 463, Medal: "gold"},
		{MapUID: "b", Rank: 1, Driver: nadeo.Player{Nick: "Third"}, Time: 3_700_000},
	}
	golden(t, "board", DrawBoard(list, 0))
	golden(t, "board-narrow", DrawBoard(list, 400))
	if text := texts(DrawBoard(nil, 0)); text != "no run with a time and a map" {
		t.Errorf(`text = %v; want "no run with a time and a map"`, text)
	}
	var many []runs.BoardRow
	for i := range mostRows + 5 {
		many = append(many, runs.BoardRow{MapUID: "a", Rank: i + 1, Time: 1000})
	}
	if text := texts(DrawBoard(many, 0)); !strings.HasSuffix(text, "|and 5 more") {
		t.Errorf(`text[len(text)-100:] = %v; want text ending in "|and 5 more"`, text[len(text)-100:])
	}
}

// TestMoreMapPictures: a map that is higher than wide, and blocks of several
// cells at both sizes that a cell can have.
func TestMoreMapPictures(t *testing.T) {
	golden(t, "tower", Map(tower(t)))
	golden(t, "forever", Map(forever(t)))
	golden(t, "elsewhere", Map(elsewhere(t)))
	for name, scale := range map[string]float64{"cells": 30, "small-cells": 5} {
		c := newCanvas(200, 200)
		p := plan{lo: point{0, 0}, hi: point{200 / scale, 200 / scale}, low: 0, high: 10, scale: scale, w: 200, h: 200}
		cell := func(x, z float64) part {
			return part{mid: point{x + 0.5, z + 0.5}, a: point{0.5, 0}, b: point{0, 0.5}, height: 5}
		}
		k := mark{parts: []part{cell(2, 1), cell(3, 1), cell(2, 2)}}
		k.measure()
		c.mark(&k, &p, panel)
		far := mark{parts: []part{cell(1000/scale, 1)}}
		far.measure()
		c.mark(&far, &p, panel)
		golden(t, name, c)
	}
}

// TestPartsOfABlock: where a block of three cells about a corner is, and which blocks
// are whole cells, that hide others.
func TestPartsOfABlock(t *testing.T) {
	cell := func(x, z float64) part {
		return part{mid: point{x + 0.5, z + 0.5}, a: point{0.5, 0}, b: point{0, 0.5}, height: z}
	}
	k := mark{parts: []part{cell(10, 20), cell(11, 20), cell(10, 23)}}
	k.measure()
	if k.mid != (point{11, 22}) || k.height != 21 || math.Abs(k.reach-math.Hypot(1, 2)) > 1e-9 {
		t.Errorf("k = %+v; want k.mid = point{11, 22}, k.height = 21, math.Abs(k.reach - math.Hypot(1, 2)) at most 1e-9", k)
	}
	if got, want := fmt.Sprint(strip(k.parts[:1]).outline(0.25)), "[{9.75 19.75} {9.75 21.25} {11.25 21.25} {11.25 19.75}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for turn, whole := range map[float64]bool{0: true, math.Pi / 2: true, math.Pi: true, 0.5: false, -0.5: false, 2: false, 0.0005: true} {
		s, c := math.Sincos(turn)
		one := mark{parts: []part{{a: point{c / 2, s / 2}, b: point{-s / 2, c / 2}}}}
		if one.whole() != whole {
			t.Errorf("turned by %g it is a whole cell: %v", turn, !whole)
		}
		one.parts = append(one.parts, one.parts[0])
		if one.whole() {
			t.Error("two cells are one")
		}
	}
}

// TestChangedPart: what is stored of a frame is no more than what changed.
func TestChangedPart(t *testing.T) {
	for _, r := range []image.Rectangle{image.Rect(3, 4, 9, 6), image.Rect(0, 0, 20, 10), image.Rect(19, 9, 20, 10), image.Rect(0, 0, 1, 1), image.Rect(0, 5, 20, 6)} {
		a, b := image.NewRGBA(image.Rect(0, 0, 20, 10)), image.NewRGBA(image.Rect(0, 0, 20, 10))
		for _, p := range []image.Point{r.Min, r.Max.Sub(image.Pt(1, 1))} {
			b.Pix[b.PixOffset(p.X, p.Y)+2] = 7 // blue
		}
		if got := partOf(a, b, r, image.Rect(5, 5, 6, 6)); got != r {
			t.Errorf("partOf = %v, want %v", got, r)
		}
	}
	same := image.NewRGBA(image.Rect(0, 0, 20, 10))
	if got := partOf(same, same, same.Rect); got != image.Rect(0, 0, 1, 1) {
		t.Errorf("%v of nothing", got)
	}
}

// partOf is the part in which two pictures differ, that were painted on there.
func partOf(a, b *image.RGBA, painted ...image.Rectangle) image.Rectangle {
	one := func(img *image.RGBA) *sheet { return &sheet{painter: &painter{RGBA: img, touched: painted}} }
	return differenceOf(one(a), one(b)).part
}

// TestScaleOfALine: the bar below a line is of the longest round length that
// fits, and as long as its label.
func TestScaleOfALine(t *testing.T) {
	for metres, want := range map[float64]string{100: "10 m", 1000: "100 m", 8000: "500 m", 40_000: "2000 m"} {
		var s []runs.Sample
		for i := range 400 {
			s = append(s, runs.Sample{Time: gbx.Time(i * 900), Position: gbx.Vec3{X: float32(float64(i) * metres / 399)}, Speed: 100})
		}
		c := DrawRun(Run{Time: gbx.NoTime, Lines: []runs.Line{{Samples: s}}})
		i := 0
		for i < len(c.shapes) && c.shapes[i].text != want {
			i++
		}
		if i == len(c.shapes) {
			t.Errorf("%g m: no bar of %s", metres, want)
			continue
		}
		length, _ := strconv.ParseFloat(strings.TrimSuffix(want, " m"), 64)
		bar := c.shapes[i-3].points
		v := viewOf(s, box{76, 92, 1276, 648}, 64)
		if got := bar[1].x - bar[0].x; math.Abs(got-length*v.scale) > 0.01 || got > 130 {
			t.Errorf("%g m: a bar of %s is %.1f pixels, want %.1f", metres, want, got, length*v.scale)
		}
	}
}
