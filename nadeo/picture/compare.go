package picture

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"pakbox/gbx"
	"pakbox/internal/lib/racetime"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
	"pakbox/nadeo/runs/compare"
)

// runColours are colours for twenty runs. The first belongs to the run with which the
// others are compared.
var runColours = []color.NRGBA{
	{0xf2, 0xf5, 0xf9, 0xff}, {0x4d, 0xb4, 0xff, 0xff}, {0xff, 0x8a, 0x3c, 0xff}, {0x4a, 0xd9, 0x7b, 0xff}, {0xc7, 0x8b, 0xff, 0xff},
	{0xff, 0x5c, 0x7a, 0xff}, {0xf2, 0xd0, 0x3c, 0xff}, {0x3c, 0xd6, 0xd0, 0xff}, {0xd0, 0x9a, 0x6a, 0xff}, {0x9a, 0xa7, 0xb8, 0xff},
	{0x2f, 0x6f, 0xc0, 0xff}, {0xb0, 0x4a, 0x1a, 0xff}, {0x2a, 0x8f, 0x55, 0xff}, {0x7d, 0x4d, 0xc4, 0xff}, {0xff, 0xa8, 0xc0, 0xff},
	{0x9c, 0x8a, 0x1e, 0xff}, {0x1e, 0x86, 0x88, 0xff}, {0xff, 0xd9, 0xa8, 0xff}, {0xb6, 0xe8, 0x6a, 0xff}, {0xc0, 0x3a, 0x9a, 0xff},
}

func runColour(i int) color.NRGBA { return runColours[i%len(runColours)] }

// Sizes in the picture of a comparison, in pixels.
const (
	deltaTall  = 140
	paceTall   = 110
	steerTall  = 80
	namesWide  = 316 // width of the list of runs beside the lines
	namesLine  = 24
	mostNames  = 24 // most names in the list
	betweenTop = 46 // gap between two panels
	scaleTall  = 16 // height of the distances below a chart
)

// comparePainter draws a comparison.
type comparePainter struct {
	*Canvas
	*compare.Comparison
	frame
	lane float64 // height of a run's lane of gas or brake
}

// DrawComparison draws several runs. It shows their lines from above, on the map if there
// is one. Charts along the first run's line show how much later the others are, their
// speeds, gas, brake and steering. A width of 0 means the default.
func DrawComparison(c *compare.Comparison, m *maps.Map, width int) *Canvas {
	p := comparePainter{Comparison: c, frame: frameOf(width)}
	n := len(c.Against) + 1
	p.lane = min(12, max(5, 60/float64(n)))
	road, names := p.road(), box{}
	if rows := float64(min(n, mostNames))*namesLine + 14; p.narrow {
		names = box{p.start, road.top + road.h + 10, p.across(), rows}
	} else {
		road.w -= namesWide + 10
		names = box{road.left + road.w + 10, road.top, namesWide, road.h}
	}
	lanes := float64(n)*p.lane + 6
	y := max(road.top+road.h, names.top+names.h)
	charts := []struct {
		tall, after float64
		draw        func(top, end float64)
	}{
		{deltaTall, scaleTall + betweenTop, p.deltaChart}, {paceTall, scaleTall + 12, p.speedChart},
		{lanes, 8, func(top, _ float64) { p.lanes("gas", top, func(s *runs.Sample) float64 { return s.Gas }) }},
		{lanes, 8, func(top, _ float64) { p.lanes("brake", top, func(s *runs.Sample) float64 { return s.Brake }) }},
		{steerTall, 34, p.steerChart},
	}
	height := y + betweenTop
	for _, k := range charts {
		height += k.tall + k.after
	}
	p.Canvas = newCanvas(p.width, int(height))
	p.lines(m, road)
	p.names(names)
	p.title(m)
	y += betweenTop
	for _, k := range charts {
		k.draw(y, y+k.tall)
		y += k.tall + k.after
	}
	return p.Canvas
}

func (p *comparePainter) title(m *maps.Map) {
	title := fmt.Sprintf("%d runs", len(p.Against)+1)
	if m != nil {
		title = plainLine(nadeo.Plain(m.Name())) + ", " + title
	}
	p.heading(&p.frame, title, fmt.Sprintf("%.0f m along the first line", p.Length), nadeo.TimeText(p.First.Time), p.First.Title())
}

// run returns run number i. Run 0 is the first, with which the others are compared.
func (p *comparePainter) run(i int) *compare.Run {
	if i == 0 {
		return &p.First
	}
	return &p.Against[i-1].Run
}

// raceOf returns the samples of a run that can be drawn, up to half a second after its
// finish.
func raceOf(run *compare.Run) []runs.Sample {
	const behind = 500 // milliseconds
	all := drawable(&runs.Line{Samples: run.Samples})
	if run.Time > 0 {
		all = slices.DeleteFunc(all, func(s runs.Sample) bool { return int64(s.Time) > int64(run.Time)+behind })
	}
	return all
}

// markColour is the colour of a checkpoint, or red for the finish.
func markColour(k compare.Mark) color.NRGBA {
	if k.Finish {
		return red
	}
	return blue
}

// lines draws the runs from above.
func (p *comparePainter) lines(m *maps.Map, road box) {
	p.rect(panel, road.left, road.top, road.w, road.h)
	first := raceOf(&p.First)
	if len(first) == 0 {
		return
	}
	v := viewOf(first, road, p.pad())
	p.below(m, v, road, 0xa8)
	for i := len(p.Against); i >= 0; i-- {
		p.track(color.NRGBA{0x0a, 0x0d, 0x12, 0xa0}, 5, v, raceOf(p.run(i)))
		p.track(runColour(i), 2.4, v, raceOf(p.run(i)))
	}
	p.cut(road)
	for _, k := range p.Marks {
		at := v.place(placeAt(first, k.Time))
		p.disc(background, at, 8)
		p.disc(markColour(k), at, 5)
	}
	p.disc(background, v.place(first[0].Position), 8)
	p.disc(green, v.place(first[0].Position), 5)
	p.distance(p.start+20, road.top+road.h-16, road.left+road.w, v.scale)
}

// below paints the map under the lines, darkened by dim.
func (c *Canvas) below(m *maps.Map, v view, b box, dim uint8) {
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
	c.rect(faded(panel, dim), q.left, q.top, q.w, q.h)
}

// cut covers everything outside a box with the background.
func (c *Canvas) cut(b box) {
	w, h := float64(c.Width), float64(c.Height)
	c.rect(background, 0, 0, w, b.top)
	c.rect(background, 0, b.top+b.h, w, h-b.top-b.h)
	c.rect(background, 0, 0, b.left, h)
	c.rect(background, b.left+b.w, 0, w-b.left-b.w, h)
}

// names lists the runs with their colours and times, and how far behind or ahead they
// are.
func (p *comparePainter) names(b box) {
	p.rect(panel, b.left, b.top, b.w, b.h)
	n := len(p.Against) + 1
	for i := range min(n, mostNames) {
		y := b.top + 24 + float64(i)*namesLine
		if i == mostNames-1 && n > mostNames {
			p.text(soft, fmt.Sprintf("and %d more", n-i), b.left+40, y, 14, left)
			break
		}
		run := p.run(i)
		time := nadeo.TimeText(run.Time)
		if i > 0 && run.Time != gbx.NoTime && p.First.Time != gbx.NoTime {
			time = racetime.Gap(int64(run.Time - p.First.Time))
		}
		p.rect(runColour(i), b.left+12, y-9, 18, 4)
		p.text(bright, shortened(run.Title(), b.w-64-textWidth(time, 14, false), 14, false), b.left+40, y, 14, left)
		p.text(soft, time, b.left+b.w-12, y, 14, right)
	}
}

// x converts a distance to an x coordinate of the charts.
func (p *comparePainter) x(d float64) float64 {
	return p.start + min(max(d/max(p.Length, 1), 0), 1)*p.across()
}

// chart paints the background of a chart: distances, checkpoints, and lines at round
// values. It returns the function that converts a value to a y coordinate.
func (p *comparePainter) chart(name string, top, end, lo, hi float64, format string, labels bool) func(v float64) float64 {
	y := func(v float64) float64 { return end - (v-lo)/(hi-lo)*(end-top) }
	p.text(soft, name, p.start, top-12, 14, left)
	p.rect(panel, p.start, top, p.across(), end-top)
	step := niceStep(hi-lo, 4)
	for n := math.Ceil(lo / step); n*step <= hi; n++ {
		v := n*step + 0 // + 0 turns -0 into 0
		p.rect(faint, p.start, y(v), p.across(), 1)
		if format != "" {
			p.text(soft, fmt.Sprintf(format, v), p.start-8, y(v)+5, small, right)
		}
	}
	p.passed(top, end-top)
	if across := niceStep(p.Length, max(2, int(p.across()/127))); labels {
		for d := 0.0; d <= p.Length; d += across {
			p.text(soft, fmt.Sprintf("%.0f m", d), p.x(d), end+18, small, center)
		}
	}
	return y
}

// curves draws a value of each run over the distance. The first run is on top.
func (p *comparePainter) curves(y func(float64) float64, last int, value func(*compare.Point, *runs.Sample) float64) {
	for i := len(p.Against); i >= last; i-- {
		points, of := p.samples(i)
		var stops []point
		// The chart has fewer pixels than there may be points, so it skips some.
		for k := 0; k < len(points); k += max(1, len(points)/int(p.across())) {
			stops = append(stops, point{p.x(points[k].Distance), y(value(&points[k], of(&points[k])))})
		}
		p.stroke(runColour(i), 1.8, stops...)
	}
}

func (p *comparePainter) deltaChart(top, end float64) {
	lo, hi := -0.05, 0.05
	for i := range p.Against {
		for k := range p.Against[i].Points {
			d := p.Against[i].Points[k].Delta / 1000
			lo, hi = min(lo, d), max(hi, d)
		}
	}
	room := (hi - lo) * 0.06
	y := p.chart("Gap in seconds: + behind, − ahead", top, end, lo-room, hi+room, "%+.2f", true)
	p.rect(faded(bright, 0xc0), p.start, y(0), p.across(), 1.5)
	p.curves(y, 1, func(k *compare.Point, _ *runs.Sample) float64 { return k.Delta / 1000 })
}

func (p *comparePainter) speedChart(from, end float64) {
	top := 1.0
	for i := range p.Against {
		for k := range p.Against[i].Points {
			q := &p.Against[i].Points[k]
			top = max(top, min(noCar, q.FirstSample.Speed), min(noCar, q.OtherSample.Speed))
		}
	}
	y := p.chart("Speed, km/h", from, end, 0, top*kmh*1.05, "%.0f", true)
	p.curves(y, 0, func(_ *compare.Point, s *runs.Sample) float64 { return s.Speed * kmh })
}

// steerChart draws left above and right below, as the picture of a run does.
func (p *comparePainter) steerChart(top, end float64) {
	y := p.chart("", top, end, -1.1, 1.1, "", false)
	p.text(soft, "left", p.start-8, top+20, small, right)
	p.text(soft, "right", p.start-8, end-10, small, right)
	p.rect(faint, p.start, y(0), p.across(), 1)
	p.curves(y, 0, func(_ *compare.Point, s *runs.Sample) float64 { return -s.Steer })
}

// samples returns the points of the comparison, and a function that takes run i's sample
// from a point.
func (p *comparePainter) samples(i int) (points []compare.Point, of func(*compare.Point) *runs.Sample) {
	if i > 0 {
		return p.Against[i-1].Points, func(k *compare.Point) *runs.Sample { return &k.OtherSample }
	}
	for k := range p.Against { // the first run is shown as far as any other run came
		if list := p.Against[k].Points; len(list) > len(points) {
			points = list
		}
	}
	return points, func(k *compare.Point) *runs.Sample { return &k.FirstSample }
}

// lanes shows a pedal of each run over the distance, one lane below the other in the
// order of the list.
func (p *comparePainter) lanes(name string, top float64, value func(*runs.Sample) float64) {
	tall := float64(len(p.Against)+1)*p.lane + 6
	p.rect(panel, p.start, top, p.across(), tall)
	p.text(soft, name, p.start-8, top+tall/2+5, small, right)
	for i := range len(p.Against) + 1 {
		points, of := p.samples(i)
		y := top + 3 + float64(i)*p.lane
		for from := 0; from < len(points); {
			v, to := value(of(&points[from])), from+1
			for to < len(points) && value(of(&points[to])) == v {
				to++
			}
			if v > 0 {
				x, h := p.x(points[from].Distance), min(v, 1)*(p.lane-1)
				p.rect(runColour(i), x, y+p.lane-1-h, max(p.x(points[min(to, len(points)-1)].Distance)-x, 0.8), h)
			}
			from = to
		}
	}
	p.passed(top, tall)
}

// passed marks the checkpoints and the finish in a chart.
func (p *comparePainter) passed(top, tall float64) {
	for _, k := range p.Marks {
		p.rect(faded(markColour(k), 0x70), p.x(k.Distance)-0.75, top, 1.5, tall)
	}
}
