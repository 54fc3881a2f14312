package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"math"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/runs"
	"pakbox/nadeo/runs/compare"
)

// circles are runs around a place, one faster than the other.
func circles(seconds int) []compare.Run {
	var list []compare.Run
	for k := range 2 {
		r := compare.Run{Name: "Driver 漢", Time: gbx.Time(seconds*1000 + k*200)}
		for t := 0; t <= seconds*1000+500; t += 100 {
			s, c := math.Sincos(float64(t) / 1000 / float64(k+1))
			r.Samples = append(r.Samples, runs.Sample{
				Time: gbx.Time(t), Position: gbx.Vec3{X: float32(500 + 90*c), Y: 10, Z: float32(500 + 90*s)},
				Speed: 30, Gas: 1, Brake: 0.5, Steer: s,
			})
		}
		r.Checkpoints = []gbx.Time{1000, r.Time}
		list = append(list, r)
	}
	return list
}

// An animated PNG, taken apart by the rules of the format, shows each frame of
// the film, pixel by pixel.
func TestAPNG(t *testing.T) {
	f, err := NewFilm(circles(2), nil, image.Pt(320, 240), 5)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.APNG(context.Background(), &b, nil); err != nil {
		t.Fatal(err)
	}
	if first, err := png.Decode(bytes.NewReader(b.Bytes())); err != nil || !samePixels(first, f.Frame(0)) {
		t.Errorf("a program that knows PNG only does not see the first frame (%v)", err)
	}
	shown := image.NewNRGBA(image.Rect(0, 0, 320, 240))
	n := 0
	for _, frame := range apngFrames(t, b.Bytes()) {
		part, err := png.Decode(bytes.NewReader(frame.file))
		if err != nil {
			t.Fatal(err)
		}
		draw.Draw(shown, part.Bounds().Add(frame.at), part, image.Point{}, draw.Over)
		if !samePixels(shown, f.Frame(n)) {
			t.Errorf("frame %d differs", n)
		}
		n++
	}
	if n != f.Frames() || n != 14 {
		t.Errorf("%d frames, want %d", n, f.Frames())
	}
}

func samePixels(a, b image.Image) bool {
	if a.Bounds().Size() != b.Bounds().Size() {
		return false
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r, g, bl, al := a.At(x, y).RGBA()
			r2, g2, b2, a2 := b.At(x, y).RGBA()
			if r != r2 || g != g2 || bl != b2 || al != a2 {
				return false
			}
		}
	}
	return true
}

type storedFrame struct {
	at   image.Point
	file []byte // a PNG of its own
}

// apngFrames takes an animated PNG apart.
func apngFrames(t *testing.T, data []byte) (out []storedFrame) {
	t.Helper()
	header := chunkOf(data[8:], chunkHeader)[0]
	sequence := uint32(0)
	var now *storedFrame
	var pixels []byte
	end := func() {
		if now != nil {
			var b bytes.Buffer
			w := newAPNG(&b, 0)
			w.write([]byte(pngSignature))
			w.chunk(chunkHeader, header)
			w.chunk(chunkData, pixels)
			w.chunk(chunkEnd, nil)
			now.file, pixels = b.Bytes(), nil
			out = append(out, *now)
		}
	}
	counted := func(d []byte) []byte {
		if got := binary.BigEndian.Uint32(d); got != sequence {
			t.Fatalf("number %d, want %d", got, sequence)
		}
		sequence++
		return d[4:]
	}
	for rest := data[8:]; len(rest) >= 12; {
		n := int(binary.BigEndian.Uint32(rest))
		kind, d := string(rest[4:8]), rest[8:8+n]
		switch kind {
		case chunkFrame:
			end()
			d = counted(d)
			now = &storedFrame{at: image.Pt(int(binary.BigEndian.Uint32(d[8:])), int(binary.BigEndian.Uint32(d[12:])))}
			header = append(append([]byte{}, d[:8]...), header[8:]...)
		case chunkData:
			pixels = append(pixels, d...)
		case chunkMore:
			pixels = append(pixels, counted(d)...)
		case chunkEnd:
			end()
		}
		rest = rest[12+n:]
	}
	return out
}

func TestFilmLimits(t *testing.T) {
	long := circles(2)
	long[0].Samples[3].Time, long[0].Time = math.MaxInt32, gbx.NoTime
	for _, test := range []struct {
		runs []compare.Run
		size image.Point
		hz   float64
		want error
	}{
		{circles(2), image.Pt(10, 240), 5, fault.Limit},
		{circles(2), image.Pt(320, 1e6), 5, fault.Limit},
		{circles(2), image.Pt(320, 240), math.NaN(), fault.Limit},
		{circles(2), image.Pt(320, 240), 1e9, fault.Limit},
		{nil, image.Pt(320, 240), 5, runs.ErrNotRecorded},
		{[]compare.Run{{}}, image.Pt(320, 240), 5, runs.ErrNotRecorded},
	} {
		if _, err := NewFilm(test.runs, nil, test.size, test.hz); !errors.Is(err, test.want) {
			t.Errorf("%v %g: %v, want %v", test.size, test.hz, err, test.want)
		}
	}
	if f, err := NewFilm(long, nil, image.Pt(320, 240), 5); err == nil && f.Frames() > maxFrames {
		t.Errorf("%d frames", f.Frames())
	}
	for time, fits := range map[gbx.Time]bool{(maxFrames - 1) * 10: true, (maxFrames-1)*10 + 1: false} { // at 100 a second
		var all []runs.Sample
		for at := gbx.Time(0); at < time; at += 1000 {
			all = append(all, runs.Sample{Time: at, Position: gbx.Vec3{X: float32(at)}, Speed: 1000})
		}
		all = append(all, runs.Sample{Time: time, Position: gbx.Vec3{X: float32(time)}, Speed: 1000})
		f, err := NewFilm([]compare.Run{{Samples: all, Time: gbx.NoTime}}, nil, image.Pt(320, 240), maxHz)
		if fits && (err != nil || f.Frames() != maxFrames) || !fits && !errors.Is(err, fault.Limit) {
			t.Errorf("%d ms: %v", time, err)
		}
	}
	// Half a second is shown behind the finish, and the first frame comes on top.
	if f, err := NewFilm(circles(150), nil, image.Pt(320, 240), 10); err != nil || f.Frames() != 1505+1 {
		t.Errorf("%d frames (%v)", f.Frames(), err)
	}
	for _, edge := range []image.Point{{leastWidth, leastWidth}, {320, mostWidth}} {
		if _, err := NewFilm(circles(2), nil, edge, maxHz); err != nil {
			t.Error(err)
		}
	}
	f, _ := NewFilm(circles(2), nil, image.Pt(320, 240), 5)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := f.APNG(ctx, new(bytes.Buffer), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Pictures for phones: nothing is written beyond the edges, at any width.
func TestNarrowPictures(t *testing.T) {
	list := circles(20)
	list[0].Name, list[1].Name = "A driver with a name that is far too long for a phone", "B"
	for _, width := range []int{LeastWidth, 400, wideFrom - 1, wideFrom, 1280, 2800} {
		for _, c := range []*Canvas{
			DrawComparison(compare.Runs(list[0], list[1:]...), nil, width),
			DrawRun(Run{Title: list[0].Name, Subtitle: list[0].Name, Time: list[0].Time, Checkpoints: list[0].Checkpoints, Lines: []runs.Line{{Samples: list[0].Samples}}, Width: width}),
		} {
			if c.Width != width {
				t.Errorf("%d pixels wide, want %d", c.Width, width)
			}
			for _, s := range c.shapes {
				if s.kind != letters {
					continue
				}
				from, wide := s.points[0].x, textWidth(s.text, s.measure, s.bold)
				switch s.side {
				case center:
					from -= wide / 2
				case right:
					from -= wide
				}
				if from < 0 || from+wide > float64(width) || s.points[0].y > float64(c.Height) {
					t.Errorf("%d pixels wide: %q goes from %.0f to %.0f", width, s.text, from, from+wide)
				}
			}
		}
	}
}

// A comparison is drawn whatever is missing from it.
func TestDrawComparison(t *testing.T) {
	runs := circles(20)
	for _, list := range [][]compare.Run{runs, {runs[0], {}}, {{}, runs[0]}, {{}, {}}} {
		c := DrawComparison(compare.Runs(list[0], list[1:]...), nil, 0)
		if img := c.Image(); img.Bounds().Dx() != usualWidth {
			t.Errorf("img.Bounds() = %v; want img.Bounds().Dx() = %v", img.Bounds(), usualWidth)
		}
		var b bytes.Buffer
		if err := c.SVG(&b); err != nil || bytes.Contains(b.Bytes(), []byte("NaN")) {
			t.Errorf(`err = %v; want no error, b.Bytes() without []byte("NaN")`, err)
		}
	}
}

// A GIF is read by the standard library. Its pictures show those of the film, as near
// as 255 colours come.
func TestGIF(t *testing.T) {
	f, err := NewFilm(circles(2), nil, image.Pt(320, 240), 7)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	heard := 0
	if err := f.GIF(context.Background(), &b, func(n int) { heard += n }); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&b)
	if err != nil || len(g.Image) != f.Frames() || heard != f.Frames() {
		t.Fatalf("%d pictures, heard of %d (%v)", len(g.Image), heard, err)
	}
	shown := image.NewRGBA(image.Rect(0, 0, 320, 240))
	time := 0
	for i, part := range g.Image {
		draw.Draw(shown, part.Rect, part, part.Rect.Min, draw.Over)
		if want := int(math.Round(float64(i) * 100 / 7)); time != want {
			t.Errorf("picture %d at %d, want %d", i, time, want)
		}
		time += g.Delay[i]
		worst, sum := 0, 0
		for k, v := range f.Frame(i).Pix {
			off := max(int(v)-int(shown.Pix[k]), int(shown.Pix[k])-int(v))
			worst, sum = max(worst, off), sum+off
		}
		if mean := float64(sum) / float64(len(shown.Pix)); worst > 80 || mean > 0.5 {
			t.Errorf("picture %d: a colour is off by %d, and by %.2f in the mean", i, worst, mean)
		}
	}
}

// The gap is that at the place where a car is, and grows with what it loses.
func TestLiveGap(t *testing.T) {
	list := circles(3)
	list[1].Samples = nil // the same way, a tenth slower
	for _, s := range list[0].Samples {
		s.Time += s.Time / 10
		list[1].Samples = append(list[1].Samples, s)
	}
	list[1].Time = list[0].Time * 11 / 10
	list[1].Checkpoints = []gbx.Time{1100, list[1].Time}
	f, err := NewFilm(list, nil, image.Pt(320, 240), 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []gbx.Time{1100, 2200} {
		if got, ok := f.gap(1, at); !ok || got < int64(at)/11-20 || got > int64(at)/11+20 {
			t.Errorf("at %d: %d behind (%v)", at, got, ok)
		}
	}
	if _, ok := f.gap(0, 1000); ok {
		t.Error("the first run has a gap")
	}
}
