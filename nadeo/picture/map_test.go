package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
	"pakbox/nadeo/nadeotest/mapsample"
)

// Start and finish stand where the blocks do: the track of the sample goes from
// x 20 to 24, which is to the left.
func TestMapPlaces(t *testing.T) {
	m := mapsample.New(t)
	p := newPlan(marks(m))
	image := Map(m).Image()
	at := func(x, z float64) color.NRGBA {
		q := p.at(point{x, z})
		// Beside the letter in the middle of the badge.
		return color.NRGBAModel.Convert(image.At(int(q.x)-7, int(q.y))).(color.NRGBA)
	}
	if c := at(20.5, 24.5); near(c, green) > 6 {
		t.Errorf("the start is %v, want %v", c, green)
	}
	if c := at(24.5, 24.5); near(c, red) > 6 {
		t.Errorf("the finish is %v, want %v", c, red)
	}
	if a, b := p.at(point{20.5, 24.5}), p.at(point{24.5, 25.5}); !(b.x < a.x && b.y < a.y) {
		t.Errorf("higher x is at %v beside %v: x grows to the west, z to the north", b, a)
	}
}

// A start that lies far from everything else is in the picture, as it is in the
// legend; some scenery there is not.
func TestFarStart(t *testing.T) {
	var all []mark
	for i := range 2000 {
		all = append(all, mark{mid: point{float64(i % 40), float64(i / 40)}})
	}
	far := mark{mid: point{90, 20}, kind: scene.Scenery}
	if p := newPlan(append(all, far)); p.shows(&far) {
		t.Error("a tree far out makes everything small")
	}
	far.way = scene.Start
	if p := newPlan(append(all, far)); !p.shows(&far) {
		t.Error("the start is cut off")
	}
}

// Places in a file can be anything; a picture is made all the same, and soon.
func TestMapOfNonsense(t *testing.T) {
	m := mapsample.New(t)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range []float32{nan, inf, -inf, 3e38, -3e38, 1e9, -1e9} {
		p := gbx.Vec3{X: v, Y: v, Z: v}
		if err := m.AddItem(maps.Item{Model: m.Ident(), Position: p}); err != nil {
			t.Fatal(err)
		}
		for _, b := range []maps.Block{{Position: p}, {YawPitchRoll: p}, {Position: gbx.Vec3{X: 700, Y: v, Z: 700}}} {
			b.Name, b.Free = "RoadTechCurve3", true
			if err := m.AddBlock(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	c := Map(m)
	if c.Height > 2000 {
		t.Errorf("%d pixels high", c.Height)
	}
	paint(t, c)
	data, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	empty := mapsample.Parsed(t, data)
	if _, err := empty.RemoveBlocks(func(*maps.Block) bool { return true }); err != nil {
		t.Fatal(err)
	}
	paint(t, Map(empty))
}

// paint makes a PNG and an SVG, which must be XML.
func paint(t testing.TB, c *Canvas) {
	t.Helper()
	if err := c.PNG(io.Discard); err != nil {
		t.Error(err)
	}
	var b bytes.Buffer
	if err := c.SVG(&b); err != nil {
		t.Error(err)
	}
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// Every map of the corpus has a picture on which something is driven.
func TestMapsOfCorpus(t *testing.T) {
	seen, drawn := 0, 0
	for file, data := range corpus.GBX(t, "03043000") {
		if seen++; seen%15 != 0 {
			continue // a few are enough
		}
		m := mapsample.Parsed(t, data)
		all := arrange(marks(m))
		ways := map[scene.Way]int{}
		for i := range all {
			ways[all[i].way]++
		}
		if len(m.Blocks()) > 100 && (ways[scene.Start]+ways[scene.Lap] == 0 || ways[scene.Start]+ways[scene.Lap]+ways[scene.Finish] > 40) {
			t.Errorf("%s: ways = %v; want len(m.Blocks()) at most 100 or ways[scene.Start] + ways[scene.Lap] other than 0, ways[scene.Start] + ways[scene.Lap] + ways[scene.Finish] at most 40", file, ways)
		}
		paint(t, Map(m))
		drawn++
	}
	if drawn < 10 {
		t.Errorf("only %d maps", drawn)
	}
}

// A curve is drawn as the quarter of a ring between its ends in the catalogue: one
// that faces east goes about the corner with the lowest x and z.
func TestCurve(t *testing.T) {
	m, err := maps.New(maps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.AddBlock(maps.Block{Name: "RoadTechCurve3", Coord: gbx.Int3{X: 10, Y: 9, Z: 20}, Direction: 1}); err != nil {
		t.Fatal(err)
	}
	all := marks(m)
	if len(all) != 1 || len(all[0].parts) < 6 {
		t.Fatalf("%d marks: %+v", len(all), all)
	}
	for _, q := range all[0].parts {
		if r := math.Hypot(q.mid.x-10, q.mid.y-20); r < 2.4 || r > 2.6 {
			t.Errorf("a part of the curve at %v is %g from the corner", q.mid, r)
		}
	}
}

// BenchmarkMap draws the largest map of the corpus, beside reading it.
func BenchmarkMap(b *testing.B) {
	data, err := os.ReadFile(filepath.Join(corpus.Dir(b, "gbx"), "03043000", "801dc9070351.Gbx"))
	if err != nil {
		b.Fatal(err)
	}
	m := mapsample.Parsed(b, data)
	var reading, drawing time.Duration
	for b.Loop() {
		from := time.Now()
		mapsample.Parsed(b, data)
		reading += time.Since(from)
		from = time.Now()
		if err := Map(m).PNG(io.Discard); err != nil {
			b.Fatal(err)
		}
		drawing += time.Since(from)
	}
	b.ReportMetric(float64(drawing)/float64(reading), "x-read")
}

// FuzzMap draws damaged maps.
func FuzzMap(f *testing.F) {
	data, err := mapsample.Map()
	if err != nil {
		f.Fatal(err)
	}
	file, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		f.Fatal(err)
	}
	file.SetCompression(false, lzo1x.Fast)
	if data, err = file.Encode(); err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			return
		}
		if m, err := maps.Of(file); err == nil {
			c := Map(m)
			if c.Width != mapWidth || c.Height > 2000 || len(c.shapes) > 1000000 {
				t.Errorf("%d by %d, %d shapes", c.Width, c.Height, len(c.shapes))
			}
			if err := c.SVG(io.Discard); err != nil {
				t.Error(err)
			}
		}
	})
}
