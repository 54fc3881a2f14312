package picture

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
)

// Run is a recorded run to draw.
type Run struct {
	Title, Subtitle string
	Time            gbx.Time
	Checkpoints     []gbx.Time
	Lines           []runs.Line // the first is the driver's own
	Inputs          []runs.Input
	Map             *maps.Map // drawn below the line; nil for none
	Width           int       // of the picture, in pixels; 0 means the default
}

// Sizes in the pictures of runs, in pixels.
const (
	roadTop  = 92
	stripRow = 22
	small    = 13 // the size of labels
)

// noCar is a speed that no car reaches, in metres per second.
const noCar = 2000 / 3.6

// kmh converts metres per second to kilometres per hour, the unit of drivers.
const kmh = 3.6

// DrawRun draws the driven line from above, coloured by speed, on the map if there is
// one, then a chart of the speed over time, and a strip of the inputs.
func DrawRun(r Run) *Canvas {
	p := runPainter{frame: frameOf(r.Width), Run: r}
	p.road = p.frame.road()
	p.chart = box{p.start, p.road.top + p.road.h + 46, p.across(), 164}
	strip := p.chart.top + p.chart.h + 38
	p.Canvas = newCanvas(p.width, int(strip)+142)
	if len(r.Lines) > 0 {
		p.own = drawable(&r.Lines[0])
	}
	p.top = topSpeed(p.own)
	p.axis = timeAxis(p.own, r)
	p.axis.frame = p.frame
	p.driven()
	p.title()
	p.speedChart()
	p.inputStrip(strip)
	return p.Canvas
}

// runPainter draws one run.
type runPainter struct {
	*Canvas
	Run
	frame
	road, chart box
	own         []runs.Sample
	top         float64 // highest speed
	axis        axis
}

// drawable returns the samples that can be drawn: with a finite position and in order, up
// to a little after the car came to rest.
func drawable(l *runs.Line) []runs.Sample {
	if len(l.Samples) == 0 {
		return nil
	}
	const rest = 1000
	end := int64(l.StandsFrom()) + rest
	var out []runs.Sample
	for _, s := range l.Samples {
		at := point{float64(s.Position.X), float64(s.Position.Z)}
		late := len(out) > 0 && s.Time <= out[len(out)-1].Time
		if !at.finite() || late || int64(s.Time) > end {
			continue
		}
		if !(s.Speed >= 0 && s.Speed < noCar) {
			s.Speed = 0
		}
		out = append(out, s)
	}
	return out
}

func topSpeed(samples []runs.Sample) float64 {
	top := 1.0
	for i := range samples {
		top = max(top, samples[i].Speed)
	}
	return top
}

func (p *runPainter) title() {
	speed := ""
	if len(p.own) > 0 {
		speed = fmt.Sprintf("top speed %.0f km/h", p.top*kmh)
	}
	p.heading(&p.frame, p.Title, p.Subtitle, nadeo.TimeText(p.Time), speed)
}

// view converts places on the map to places in the picture. North (z) is up and x goes to
// the left, as in the game's own view from above.
type view struct {
	middle, at point
	scale      float64
}

func (v view) place(p gbx.Vec3) point {
	return point{v.at.x + (v.middle.x-float64(p.X))*v.scale, v.at.y + (v.middle.y-float64(p.Z))*v.scale}
}

// box is a part of a canvas.
type box struct{ left, top, w, h float64 }

// viewOf scales the samples to a box, with some space around them. It ignores a few
// places far away from all others, which would shrink the rest to a dot.
func viewOf(s []runs.Sample, b box, pad float64) view {
	xs, zs := make([]float64, len(s)), make([]float64, len(s))
	for i := range s {
		xs[i], zs[i] = float64(s[i].Position.X), float64(s[i].Position.Z)
	}
	loX, hiX := bounds(xs)
	loZ, hiZ := bounds(zs)
	const least = 48 // metres: a shorter line is not enlarged further
	return view{
		middle: point{(loX + hiX) / 2, (loZ + hiZ) / 2},
		at:     point{b.left + b.w/2, b.top + b.h/2 - pad/8},
		scale:  min((b.w-2*pad)/max(hiX-loX, least), (b.h-2*pad)/max(hiZ-loZ, least)),
	}
}

// farAway is a distance in metres from the middle of the line that is outside every map.
const farAway = 20_000

// bounds returns the range of the values that are not far away from the median.
func bounds(values []float64) (lo, hi float64) {
	slices.Sort(values)
	middle := values[len(values)/2]
	lo, hi = middle, middle
	for _, v := range values {
		if math.Abs(v-middle) <= farAway {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// driven draws the map and the driven lines from above, with markers and a legend.
func (p *runPainter) driven() {
	b := p.road
	p.rect(panel, b.left, b.top, b.w, b.h)
	if len(p.own) == 0 {
		p.text(soft, "the movement of a car is not recorded", b.left+b.w/2, b.top+b.h/2, 18, center)
		return
	}
	foot := p.foot()
	b.h -= foot
	v := viewOf(p.own, b, p.pad())
	b.h += foot
	p.below(p.Map, v, b, 0xcc) // darker than under lines of one colour
	for i := range p.Lines[1:] {
		p.track(faded(soft, 0x50), 2, v, drawable(&p.Lines[1+i]))
	}
	p.track(color.NRGBA{0x0a, 0x0d, 0x12, 0xff}, 8.5, v, p.own)
	p.colouredTrack(v)
	respawned := p.markers(v)
	if p.Map != nil {
		p.cut(b)
	}
	p.mapLegend(v.scale, respawned)
}

// foot returns the height of the legend, if the lines leave space for it.
func (p *runPainter) foot() float64 {
	if p.narrow {
		return 44
	}
	return 0
}

// longGap is the time in milliseconds between two samples after which the movement
// in between is unknown. Some ghosts have only a few samples of other cars.
const longGap = 1000

// missed reports whether the time between two samples is too long.
func missed(a, b *runs.Sample) bool { return int64(b.Time)-int64(a.Time) > longGap }

// broken reports whether no line should be drawn between two samples.
func broken(a, b *runs.Sample) bool { return runs.Jumped(a, b) || missed(a, b) }

// track draws a line in one colour.
func (c *Canvas) track(col color.NRGBA, width float64, v view, s []runs.Sample) {
	var stops []point
	for i := range s {
		if i > 0 && broken(&s[i-1], &s[i]) {
			c.stroke(col, width, stops...)
			stops = nil
		}
		stops = append(stops, v.place(s[i].Position))
	}
	c.stroke(col, width, stops...)
}

// shades is the number of colours in a line: enough for the eye, and few enough that
// neighbours of the same colour can be one stroke.
const shades = 40

// colouredTrack draws the driver's line coloured by speed.
func (p *runPainter) colouredTrack(v view) {
	s := p.own
	var stops []point
	now := -1
	flush := func() {
		if len(stops) > 1 {
			p.stroke(shade(float64(now)/shades), 4.8, stops...)
		}
		stops = nil
	}
	for i := 1; i < len(s); i++ {
		if broken(&s[i-1], &s[i]) {
			flush()
			continue
		}
		tone := int((s[i-1].Speed + s[i].Speed) / 2 / p.top * shades)
		if tone != now || len(stops) == 0 {
			flush()
			now, stops = tone, []point{v.place(s[i-1].Position)}
		}
		stops = append(stops, v.place(s[i].Position))
	}
	flush()
}

// markers draws start, checkpoints, respawns and finish. It reports whether there are
// respawns.
func (p *runPainter) markers(v view) (respawned bool) {
	for i := 1; i < len(p.own); i++ {
		if runs.Jumped(&p.own[i-1], &p.own[i]) {
			p.ring(bright, v.place(p.own[i-1].Position), 6, 2)
			respawned = true
		}
	}
	for i, t := range p.Checkpoints {
		if p.during(t) && t != p.Time {
			at := v.place(placeAt(p.own, t))
			p.pin(at, blue)
			p.label(strconv.Itoa(i+1), at.x+10, at.y-8)
		}
	}
	p.pin(v.place(p.own[0].Position), green)
	if p.during(p.Time) {
		p.pin(v.place(placeAt(p.own, p.Time)), red)
	}
	return respawned
}

// during reports whether a time lies within the line. One sample may be missing at the
// end.
func (p *runPainter) during(t gbx.Time) bool {
	const slack = 200
	return t > 0 && len(p.own) > 0 && t >= p.own[0].Time && int64(t) <= int64(p.own[len(p.own)-1].Time)+slack
}

// label writes a text with an outline, so that it is readable on a line.
func (p *runPainter) label(s string, x, y float64) {
	for _, d := range []point{{-1.5, 0}, {1.5, 0}, {0, -1.5}, {0, 1.5}} {
		p.text(panel, s, x+d.x, y+d.y, small, left)
	}
	p.text(bright, s, x, y, small, left)
}

func (p *runPainter) pin(at point, col color.NRGBA) {
	p.disc(background, at, 9)
	p.disc(col, at, 6)
}

// mapLegend explains the markers, and draws a scale of length and one of speeds. In a
// narrow picture it has two lines.
func (p *runPainter) mapLegend(scale float64, respawned bool) {
	end := p.road.top + p.road.h
	x, y := p.start+28, end-21
	bar := 200.0
	if p.narrow {
		x, y, bar = p.start+14, end-34, 90
	}
	if p.Map != nil || p.narrow {
		p.rect(faded(panel, 0xd0), p.road.left, y-20, p.road.w, end-y+20)
	}
	label := func(name string) {
		p.text(soft, name, x+11, y, small, left)
		x += textWidth(name, small, false) + 36
	}
	p.disc(green, point{x, y - 5}, 5)
	label("start")
	if slices.ContainsFunc(p.Checkpoints, func(t gbx.Time) bool { return p.during(t) && t != p.Time }) {
		p.disc(blue, point{x, y - 5}, 5)
		label("checkpoint")
	}
	if p.during(p.Time) {
		p.disc(red, point{x, y - 5}, 5)
		label("finish")
	}
	if respawned {
		p.ring(bright, point{x, y - 5}, 5, 2)
		label("respawn")
	}
	x += 16
	if p.narrow {
		x, y = p.start+10, end-12
	}
	speed := fmt.Sprintf("%.0f km/h", p.top*kmh)
	from := p.end - 20 - textWidth(speed, small, false) - bar
	p.distance(x, y, from-30, scale)
	p.scaleBar(from, y-10, bar, 10, "0", speed)
}

// indexAt returns the index of the first sample at or after a time.
func indexAt(s []runs.Sample, t gbx.Time) int {
	i, _ := slices.BinarySearchFunc(s, t, func(a runs.Sample, t gbx.Time) int { return cmp.Compare(a.Time, t) })
	return i
}

// placeAt returns the position of the car at a time.
func placeAt(s []runs.Sample, t gbx.Time) gbx.Vec3 {
	i := indexAt(s, t)
	if i == 0 || i >= len(s) {
		return s[min(i, len(s)-1)].Position
	}
	a, b := &s[i-1], &s[i]
	return runs.Between(a, b, float64(t-a.Time)/float64(b.Time-a.Time)).Position
}
