package picture

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/lib/parallel"
	"pakbox/trackmania"
	"pakbox/trackmania/compare"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
)

// Film is runs as a moving picture: the map, the lines, and the cars on them
// with their speed and pedals.
type Film struct {
	runs   [][]runs.Sample
	names  []string
	size   image.Point
	hz     float64
	length gbx.Time
	view   view
	base   *image.RGBA // what does not move
	unit   float64     // a pixel of a picture 540 high
}

// Limits of a film: nobody watches more, and times in a file can be anything.
const (
	maxFrames  = 20_000
	leastWidth = 160
	mostWidth  = 4096
	maxHz      = 100
	filmRows   = 5 // runs that are told about below the picture
)

// NewFilm prepares a film of runs, hz frames a second, on a map if there is one.
func NewFilm(list []compare.Run, m *maps.Map, size image.Point, hz float64) (*Film, error) {
	switch {
	case !(hz > 0) || hz > maxHz:
		return nil, fault.New(fault.Limit, "%g frames a second: it takes some above 0, up to %d", hz, maxHz)
	case size.X < leastWidth || size.Y < leastWidth || size.X > mostWidth || size.Y > mostWidth:
		return nil, fault.New(fault.Limit, "a film of %d by %d pixels: each takes %d to %d", size.X, size.Y, leastWidth, mostWidth)
	}
	f := &Film{size: size, hz: hz, unit: float64(size.Y) / 540}
	var all []runs.Sample
	for i := range list {
		race := raceOf(&list[i])
		if len(race) == 0 {
			continue
		}
		f.runs, f.names = append(f.runs, race), append(f.names, drawnText(plainLine(list[i].Name)))
		f.length = max(f.length, race[len(race)-1].Time)
		all = append(all, race...)
	}
	if len(f.runs) == 0 {
		return nil, runs.ErrNotRecorded
	}
	if f.Frames() > maxFrames {
		return nil, fault.New(fault.Limit, "%d frames are more than %d", f.Frames(), maxFrames)
	}
	b := f.panel()
	f.view = viewOf(all, b, 36*f.unit)
	f.base = f.still(m, b)
	return f, nil
}

// Frames returns how many pictures the film has.
func (f *Film) Frames() int {
	return int(math.Ceil(float64(f.length)/1000*f.hz)) + 1
}

// rows is how many runs are told about.
func (f *Film) rows() int { return min(len(f.runs), filmRows) }

// panel is where the cars are; below it stands what they do.
func (f *Film) panel() box {
	foot := float64(f.rows())*24*f.unit + 14*f.unit
	return box{0, 0, float64(f.size.X), float64(f.size.Y) - foot}
}

// still paints what does not move.
func (f *Film) still(m *maps.Map, b box) *image.RGBA {
	c := newCanvas(f.size.X, f.size.Y)
	c.rect(panel, b.left, b.top, b.w, b.h)
	c.below(m, f.view, b)
	for i := len(f.runs) - 1; i >= 0; i-- {
		c.track(faded(runColour(i), 0x58), 1.6*f.unit, f.view, f.runs[i])
	}
	c.cut(b)
	c.disc(green, f.view.place(f.runs[0][0].Position), 4*f.unit)
	for i := range f.rows() {
		y := f.rowAt(i)
		c.rect(runColour(i), 12*f.unit, y-9*f.unit, 16*f.unit, 4*f.unit)
		c.text(bright, shortened(f.names[i], 200*f.unit, 14*f.unit, false), 36*f.unit, y, 14*f.unit, left)
	}
	return c.Image()
}

// rowAt is the base line of what is told about a run.
func (f *Film) rowAt(i int) float64 { return f.panel().h + float64(i)*24*f.unit + 24*f.unit }

// Frame paints picture number i, from 0.
func (f *Film) Frame(i int) *image.RGBA {
	t := min(gbx.Time(math.Round(float64(i)*1000/f.hz)), f.length)
	out := image.NewRGBA(f.base.Rect)
	copy(out.Pix, f.base.Pix)
	c := &Canvas{Width: f.size.X, Height: f.size.Y}
	c.boldText(bright, trackmania.TimeText(t), float64(f.size.X)-14*f.unit, 34*f.unit, 26*f.unit, right)
	for k := len(f.runs) - 1; k >= 0; k-- {
		f.car(c, k, t)
	}
	newPainter(out).draw(c)
	return out
}

// car paints a run at a time: where the car was lately, where it is, and what
// its driver does.
func (f *Film) car(c *Canvas, k int, t gbx.Time) {
	const trail = 2000 // milliseconds
	s := f.runs[k]
	var lately []runs.Sample
	for i := range s {
		if s[i].Time <= t && int64(s[i].Time) > int64(t)-trail {
			lately = append(lately, s[i])
		}
	}
	now := sampleAt(s, t)
	c.track(runColour(k), 3*f.unit, f.view, append(lately, now))
	at := f.view.place(now.Position)
	c.disc(background, at, 6.5*f.unit)
	c.disc(runColour(k), at, 4.5*f.unit)
	if k >= f.rows() {
		return
	}
	y := f.rowAt(k)
	c.text(bright, fmt.Sprintf("%.0f km/h", now.Speed*kmh), 330*f.unit, y, 14*f.unit, right)
	x, long, high := 350*f.unit, 90*f.unit, 10*f.unit
	bar := func(value float64, colour color.NRGBA) {
		if !math.IsNaN(value) {
			c.rect(faint, x, y-high, long, high)
			c.rect(colour, x, y-high, long*min(max(value, 0), 1), high)
		}
		x += long + 10*f.unit
	}
	bar(now.Gas, green)
	bar(now.Brake, red)
	if v := now.Steer; !math.IsNaN(v) {
		middle := x + long/2
		c.rect(faint, x, y-high, long, high)
		to := middle + min(max(v, -1), 1)*long/2
		c.rect(violet, min(middle, to), y-high, max(math.Abs(to-middle), 1.5*f.unit), high)
	}
}

// sampleAt is the car at a time; before its first sample and behind its last it
// stands there.
func sampleAt(s []runs.Sample, t gbx.Time) runs.Sample {
	i := indexAt(s, t)
	if i == 0 || i >= len(s) || s[i].Time == t {
		return s[min(i, len(s)-1)]
	}
	a, b := &s[i-1], &s[i]
	if broken(a, b) {
		return *a
	}
	return runs.Between(a, b, float64(t-a.Time)/float64(b.Time-a.Time))
}

// APNG writes the film as an animated PNG that plays again and again; the last
// picture stays for two seconds.
func (f *Film) APNG(ctx context.Context, w io.Writer) error {
	n := f.Frames()
	a := newAPNG(w, n)
	per := uint16(math.Round(f.hz * 100)) // of a second
	pixels := func(int) int64 { return int64(len(f.base.Pix)) }
	const inFlight = 256 << 20 // bytes of pictures
	err := parallel.Ordered(ctx, 0, n, inFlight, pixels,
		func(ctx context.Context, i int) (apngFrame, error) {
			if i == 0 {
				return newFrame(nil, f.Frame(0))
			}
			// Drawing the frame before once more is quicker than waiting for it.
			return newFrame(f.Frame(i-1), f.Frame(i))
		},
		func(i int, frame apngFrame) error {
			delay := uint16(100)
			if i == n-1 {
				delay = uint16(min(2*int(per), math.MaxUint16))
			}
			return a.add(frame, delay, per)
		})
	if err != nil {
		return err
	}
	return a.close()
}
