package picture

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/trackmania"
	"pakbox/trackmania/compare"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
)

// runColours tell runs apart; the first is that of the run that the others are
// held against.
var runColours = []color.NRGBA{
	{0xf2, 0xf5, 0xf9, 0xff}, {0x4d, 0xb4, 0xff, 0xff}, {0xff, 0x8a, 0x3c, 0xff}, {0x4a, 0xd9, 0x7b, 0xff}, {0xc7, 0x8b, 0xff, 0xff},
	{0xff, 0x5c, 0x7a, 0xff}, {0xf2, 0xd0, 0x3c, 0xff}, {0x3c, 0xd6, 0xd0, 0xff}, {0xd0, 0x9a, 0x6a, 0xff}, {0x9a, 0xa7, 0xb8, 0xff},
}

func runColour(i int) color.NRGBA { return runColours[i%len(runColours)] }

// Sizes of the picture of a comparison, in pixels.
const (
	compareHeight = 1280
	deltaTop      = 786
	deltaEnd      = 926
	paceTop       = 988
	paceEnd       = 1098
	wheelTop      = 1160
	wheelEnd      = 1240
)

// comparePainter draws a comparison.
type comparePainter struct {
	*Canvas
	*compare.Comparison
}

// DrawComparison draws runs side by side: their lines from above, on the map if
// there is one; and over the way along the first line how much later the
// others are, how fast they all are, and how they steer.
func DrawComparison(c *compare.Comparison, m *maps.Map) *Canvas {
	p := comparePainter{newCanvas(runWidth, compareHeight), c}
	p.lines(m)
	p.heading(m)
	p.deltaChart()
	p.speedChart()
	p.steerChart()
	return p.Canvas
}

func (p *comparePainter) heading(m *maps.Map) {
	title := fmt.Sprintf("%d runs", len(p.Against)+1)
	if m != nil {
		title = plainLine(trackmania.Plain(m.Name())) + ", " + title
	}
	p.boldText(bright, shortened(title, 900, 26, true), runLeft, 48, 26, left)
	p.text(soft, fmt.Sprintf("%.0f m along the first line", p.Length), runLeft, 74, 15, left)
	p.boldText(bright, trackmania.TimeText(p.First.Time), runRight, 48, 28, right)
	p.text(soft, shortened(p.First.Name, 400, 15, false), runRight, 74, 15, right)
}

// run is one of the runs; the first is 0.
func (p *comparePainter) run(i int) *compare.Run {
	if i == 0 {
		return &p.First
	}
	return &p.Against[i-1].Run
}

// raceOf are the samples of a run that can be drawn, up to a little behind its
// finish.
func raceOf(run *compare.Run) []runs.Sample {
	const behind = 500 // milliseconds
	all := drawable(&runs.Line{Samples: run.Samples})
	if run.Time > 0 {
		all = slices.DeleteFunc(all, func(s runs.Sample) bool { return int64(s.Time) > int64(run.Time)+behind })
	}
	return all
}

// lines draws the runs from above.
func (p *comparePainter) lines(m *maps.Map) {
	p.rect(panel, runLeft, roadTop, runRight-runLeft, roadEnd-roadTop)
	first := raceOf(&p.First)
	if len(first) == 0 {
		return
	}
	v := viewOf(first, road, roadPad)
	p.below(m, v, road)
	for i := len(p.Against); i >= 0; i-- {
		p.track(color.NRGBA{0x0a, 0x0d, 0x12, 0xa0}, 5, v, raceOf(p.run(i)))
		p.track(runColour(i), 2.4, v, raceOf(p.run(i)))
	}
	p.cut(road)
	for _, k := range p.Marks {
		at := v.place(placeAt(first, k.Time))
		colour := blue
		if k.Finish {
			colour = red
		}
		p.disc(background, at, 8)
		p.disc(colour, at, 5)
	}
	p.disc(background, v.place(first[0].Position), 8)
	p.disc(green, v.place(first[0].Position), 5)
	p.names()
	p.distance(runLeft+28, roadEnd-21, runRight, v.scale)
}

// below paints the map under lines, dimmed.
func (c *Canvas) below(m *maps.Map, v view, b box) {
	if m == nil {
		return
	}
	all := arrange(marks(m))
	cell := m.CellSize()
	q := plan{left: b.left, top: b.top, w: b.w, h: b.h, scale: v.scale * float64(cell.X)}
	q.hi = point{(v.middle.x + (v.at.x-q.left)/v.scale) / float64(cell.X), (v.middle.y + (v.at.y-q.top)/v.scale) / float64(cell.Z)}
	_, _, q.low, q.high = extent(all)
	ground, ok := grounds[m.Collection()]
	if !ok {
		ground = panel
	}
	for i := range all {
		c.mark(&all[i], &q, ground)
	}
	c.rect(faded(panel, 0xa8), q.left, q.top, q.w, q.h)
}

// cut covers what reaches beyond a box.
func (c *Canvas) cut(b box) {
	w, h := float64(c.Width), float64(c.Height)
	c.rect(background, 0, 0, w, b.top)
	c.rect(background, 0, b.top+b.h, w, h-b.top-b.h)
	c.rect(background, 0, 0, b.left, h)
	c.rect(background, b.left+b.w, 0, w-b.left-b.w, h)
}

// names lists the runs with their colours, times and differences.
func (p *comparePainter) names() {
	const most, line = 16, 22.0
	rows := min(len(p.Against)+1, most)
	p.rect(faded(background, 0xb0), runLeft+12, roadTop+12, 372, float64(rows)*line+14)
	for i := range rows {
		y := roadTop + 34 + float64(i)*line
		run := p.run(i)
		time := trackmania.TimeText(run.Time)
		if i > 0 {
			if run.Time != gbx.NoTime && p.First.Time != gbx.NoTime {
				time = fmt.Sprintf("%+.3f", float64(run.Time-p.First.Time)/1000)
			}
		}
		p.rect(runColour(i), runLeft+24, y-9, 18, 4)
		p.text(bright, shortened(run.Name, 210, 14, false), runLeft+52, y, 14, left)
		p.text(soft, time, runLeft+372, y, 14, right)
	}
}

// x is where a distance is in the charts.
func (p *comparePainter) x(d float64) float64 {
	return runLeft + min(max(d/max(p.Length, 1), 0), 1)*(runRight-runLeft)
}

// chart paints the ground of a chart: distances, checkpoints, and round values.
func (p *comparePainter) chart(name string, top, end, lo, hi float64, format string, labels bool) func(v float64) float64 {
	y := func(v float64) float64 { return end - (v-lo)/(hi-lo)*(end-top) }
	p.text(soft, name, runLeft, top-12, 14, left)
	p.rect(panel, runLeft, top, runRight-runLeft, end-top)
	step := niceStep(hi-lo, 4)
	for n := math.Ceil(lo / step); n*step <= hi; n++ {
		v := n*step + 0 // no -0
		p.rect(faint, runLeft, y(v), runRight-runLeft, 1)
		if format != "" {
			p.text(soft, fmt.Sprintf(format, v), runLeft-8, y(v)+5, small, right)
		}
	}
	for _, k := range p.Marks {
		colour := blue
		if k.Finish {
			colour = red
		}
		p.rect(faded(colour, 0x70), p.x(k.Distance)-0.75, top, 1.5, end-top)
	}
	if across := niceStep(p.Length, 10); labels {
		for d := 0.0; d <= p.Length; d += across {
			p.text(soft, fmt.Sprintf("%.0f m", d), p.x(d), end+18, small, center)
		}
	}
	return y
}

// curves draws a value of each of the other runs over the way, and of the first.
func (p *comparePainter) curves(y func(float64) float64, first, other func(*compare.Point) float64) {
	// The chart is as wide as some 1300 points; more would hide one another.
	thin := func(points []compare.Point) int { return max(1, len(points)/1300) }
	draw := func(i int, points []compare.Point, value func(*compare.Point) float64) {
		var stops []point
		for k := 0; k < len(points); k += thin(points) {
			stops = append(stops, point{p.x(points[k].Distance), y(value(&points[k]))})
		}
		p.stroke(runColour(i), 1.8, stops...)
	}
	longest := []compare.Point(nil)
	for i := range p.Against {
		points := p.Against[i].Points
		draw(i+1, points, other)
		if len(points) > len(longest) {
			longest = points
		}
	}
	if first != nil {
		draw(0, longest, first)
	}
}

func (p *comparePainter) deltaChart() {
	lo, hi := -0.05, 0.05
	for i := range p.Against {
		for k := range p.Against[i].Points {
			d := p.Against[i].Points[k].Delta / 1000
			lo, hi = min(lo, d), max(hi, d)
		}
	}
	room := (hi - lo) * 0.06
	y := p.chart("Later by, seconds", deltaTop, deltaEnd, lo-room, hi+room, "%+.2f", true)
	p.rect(faded(bright, 0xc0), runLeft, y(0), runRight-runLeft, 1.5)
	p.curves(y, nil, func(k *compare.Point) float64 { return k.Delta / 1000 })
}

func (p *comparePainter) speedChart() {
	top := 1.0
	for i := range p.Against {
		for k := range p.Against[i].Points {
			q := &p.Against[i].Points[k]
			top = max(top, min(noCar, q.FirstSample.Speed), min(noCar, q.OtherSample.Speed))
		}
	}
	y := p.chart("Speed, km/h", paceTop, paceEnd, 0, top*kmh*1.05, "%.0f", true)
	p.curves(y, func(k *compare.Point) float64 { return k.FirstSample.Speed * kmh }, func(k *compare.Point) float64 { return k.OtherSample.Speed * kmh })
}

// steerChart shows left above and right below, as the picture of a run does.
func (p *comparePainter) steerChart() {
	y := p.chart("Steering, left up", wheelTop, wheelEnd, -1.1, 1.1, "", false)
	p.rect(faint, runLeft, y(0), runRight-runLeft, 1)
	p.curves(y, func(k *compare.Point) float64 { return -k.FirstSample.Steer }, func(k *compare.Point) float64 { return -k.OtherSample.Steer })
}
