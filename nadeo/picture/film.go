package picture

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/lib/racetime"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
	"pakbox/nadeo/runs/compare"
)

// Film shows runs as a moving picture: the map, the lines, and the cars with their gaps,
// speeds and pedals.
type Film struct {
	runs    [][]runs.Sample
	against []*compare.Against // nil for the run with which the others are compared
	names   []string
	size    image.Point
	hz      float64
	length  gbx.Time
	view    view
	base    *image.RGBA // the parts that do not move
	unit    float64     // size of a pixel in a picture of 960 by 540
}

// Limits of a film, because times in a file can have any value.
const (
	maxFrames  = 20_000
	leastWidth = 160
	mostWidth  = 4096
	maxHz      = 100
	filmRows   = 5 // most runs with a row of figures below the picture
)

// NewFilm prepares a film of runs, hz frames a second, on a map if there is one.
func NewFilm(list []compare.Run, m *maps.Map, size image.Point, hz float64) (*Film, error) {
	switch {
	case !(hz > 0) || hz > maxHz:
		return nil, fault.New(fault.Limit, "%g frames a second: it takes some above 0, up to %d", hz, maxHz)
	case size.X < leastWidth || size.Y < leastWidth || size.X > mostWidth || size.Y > mostWidth:
		return nil, fault.New(fault.Limit, "a film of %d by %d pixels: each takes %d to %d", size.X, size.Y, leastWidth, mostWidth)
	}
	// In a small film the unit stays large enough to read the letters.
	f := &Film{size: size, hz: hz, unit: max(min(float64(size.X)/960, float64(size.Y)/540), 0.7)}
	var all []runs.Sample
	var shown []compare.Run
	for i := range list {
		race := raceOf(&list[i])
		if len(race) == 0 {
			continue
		}
		f.runs, f.names = append(f.runs, race), append(f.names, drawnText(plainLine(list[i].Title())))
		f.length = max(f.length, race[len(race)-1].Time)
		all, shown = append(all, race...), append(shown, list[i])
	}
	if len(f.runs) == 0 {
		return nil, runs.ErrNotRecorded
	}
	if f.Frames() > maxFrames {
		return nil, fault.New(fault.Limit, "%d frames exceed the limit of %d", f.Frames(), maxFrames)
	}
	f.against = make([]*compare.Against, len(shown))
	c := compare.Runs(shown[0], shown[1:min(len(shown), filmRows)]...)
	for i := range c.Against {
		f.against[i+1] = &c.Against[i]
	}
	b := f.panel()
	f.view = viewOf(all, f.belowClock(b), 36*f.unit)
	f.base = f.still(m, b)
	return f, nil
}

// Frames returns the number of pictures in the film.
func (f *Film) Frames() int {
	return int(math.Ceil(float64(f.length)/1000*f.hz)) + 1
}

// rows is the number of runs with a row of figures below the picture.
func (f *Film) rows() int { return min(len(f.runs), filmRows) }

// filmHead is the height of the line with the titles of the bars, in units.
const filmHead = 18

// panel returns the box in which the cars drive. The rows of figures are below it.
func (f *Film) panel() box {
	foot := (float64(f.rows())*24 + filmHead + 12) * f.unit
	return box{0, 0, float64(f.size.X), max(float64(f.size.Y)-foot, 40)}
}

// belowClock returns the part of the panel below the clock, so that cars do not hide it.
func (f *Film) belowClock(b box) box {
	high := min(18*f.unit, b.h/4)
	return box{b.left, b.top + high, b.w, b.h - high}
}

// columns are the x coordinates of the parts of a row: where they begin, or where a text
// ends.
type columns struct{ name, nameWide, gap, speed, bars, bar float64 }

func (f *Film) columns() columns {
	u, w := f.unit, float64(f.size.X)
	c := columns{name: 36 * u, bar: min(90*u, (w*0.42-36*u)/3)}
	c.bars = min(w-12*u-3*c.bar-20*u, 460*u)
	c.speed = c.bars - 14*u
	c.gap = c.speed - 74*u
	c.nameWide = c.gap - 100*u - c.name
	if len(f.runs) == 1 {
		c.nameWide = c.gap - c.name
	}
	return c
}

// still paints the parts that do not move.
func (f *Film) still(m *maps.Map, b box) *image.RGBA {
	c, u := newCanvas(f.size.X, f.size.Y), f.unit
	c.rect(panel, b.left, b.top, b.w, b.h)
	c.below(m, f.view, b, 0xa8)
	for i := len(f.runs) - 1; i >= 0; i-- {
		c.track(faded(runColour(i), 0x58), 1.6*u, f.view, f.runs[i])
	}
	c.cut(b)
	c.disc(green, f.view.place(f.runs[0][0].Position), 4*u)
	k := f.columns()
	for i, name := range []string{"gas", "brake", "steering"} {
		if k.bar > textWidth(name, 11*u, false) {
			c.text(soft, name, k.bars+float64(i)*(k.bar+10*u), b.h+14*u, 11*u, left)
		}
	}
	if n := len(f.runs) - f.rows(); n > 0 {
		c.text(soft, fmt.Sprintf("and %d more", n), k.name, b.h+14*u, 11*u, left)
	}
	for i := range f.rows() {
		y := f.rowAt(i)
		c.rect(runColour(i), 12*u, y-9*u, 16*u, 4*u)
		c.text(bright, shortened(f.names[i], k.nameWide, 14*u, false), k.name, y, 14*u, left)
	}
	return c.Image()
}

// rowAt returns the base line of the row of run i.
func (f *Film) rowAt(i int) float64 { return f.panel().h + (filmHead+16+float64(i)*24)*f.unit }

// at returns the time that picture number i shows.
func (f *Film) at(i int) gbx.Time {
	return min(gbx.Time(math.Round(float64(i)*1000/f.hz)), f.length)
}

// moving draws the moving parts at a time.
func (f *Film) moving(t gbx.Time) *Canvas {
	c := &Canvas{Width: f.size.X, Height: f.size.Y}
	c.boldText(bright, nadeo.TimeText(t), float64(f.size.X)-14*f.unit, 34*f.unit, 26*f.unit, right)
	cars := make([]runs.Sample, len(f.runs))
	for k := len(f.runs) - 1; k >= 0; k-- {
		cars[k] = sampleAt(f.runs[k], t)
		f.trail(c, k, t, &cars[k])
	}
	for k := len(f.runs) - 1; k >= 0; k-- {
		f.car(c, k, cars)
		if k < f.rows() {
			f.row(c, k, t, &cars[k])
		}
	}
	return c
}

// trail paints the last two seconds of a car's line.
func (f *Film) trail(c *Canvas, k int, t gbx.Time, now *runs.Sample) {
	const trail = 2000 // milliseconds
	s := f.runs[k]
	from, to := indexAt(s, max(t, math.MinInt32+trail)-trail+1), indexAt(s, t)
	lately := append([]runs.Sample{}, s[from:max(from, min(to, len(s)))]...)
	c.track(runColour(k), 3*f.unit, f.view, append(lately, *now))
}

// car paints a car as a disc. If other cars cover it, it is larger than they are, so that
// it shows around them as a ring.
func (f *Film) car(c *Canvas, k int, cars []runs.Sample) {
	u, at := f.unit, f.view.place(cars[k].Position)
	above := 0.0
	for i := range k {
		if o := f.view.place(cars[i].Position); math.Hypot(o.x-at.x, o.y-at.y) < 7*u && above < 6 {
			above++
		}
	}
	c.disc(background, at, (6.5+4*above)*u)
	c.disc(runColour(k), at, (4.5+4*above)*u)
}

// row writes how far a run is behind the first, its speed and its pedals.
func (f *Film) row(c *Canvas, k int, t gbx.Time, now *runs.Sample) {
	u, y, x := f.unit, f.rowAt(k), f.columns()
	if gap, ok := f.gap(k, t); ok {
		c.text(soft, racetime.Gap(gap), x.gap, y, 13*u, right)
	}
	c.text(bright, fmt.Sprintf("%.0f km/h", now.Speed*kmh), x.speed, y, 14*u, right)
	high, from := 10*u, x.bars
	bar := func(value float64, colour color.NRGBA) {
		if !math.IsNaN(value) {
			c.rect(faint, from, y-high, x.bar, high)
			c.rect(colour, from, y-high, x.bar*min(max(value, 0), 1), high)
		}
		from += x.bar + 10*u
	}
	bar(now.Gas, green)
	bar(now.Brake, red)
	if v := now.Steer; !math.IsNaN(v) {
		middle := from + x.bar/2
		c.rect(faint, from, y-high, x.bar, high)
		to := middle + min(max(v, -1), 1)*x.bar/2
		c.rect(violet, min(middle, to), y-high, max(math.Abs(to-middle), 1.5*u), high)
	}
}

// gap returns how many milliseconds a run is behind the first, at the place it has
// reached at a time.
func (f *Film) gap(k int, t gbx.Time) (int64, bool) {
	if f.against[k] == nil || t <= 0 {
		return 0, false
	}
	points := f.against[k].Points
	lo, hi := 0, len(points)
	for lo < hi {
		if mid := (lo + hi) / 2; points[mid].Other <= float64(t) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0, false
	}
	return int64(math.Round(points[lo-1].Delta)), true
}

// sampleAt returns the car at a time. Before its first sample and after its last one it
// stands still.
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
