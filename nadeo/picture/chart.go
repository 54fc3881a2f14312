package picture

import (
	"fmt"
	"image/color"
	"math"

	"pakbox/gbx"
	"pakbox/nadeo/runs"
)

// axis converts times to x coordinates. It computes in 64 bits, because times in a file
// can have any value.
type axis struct {
	from, to int64
	frame    frame
}

// timeAxis makes an axis for the samples, or for the inputs if samples are missing.
func timeAxis(s []runs.Sample, r Run) axis {
	switch {
	case len(s) > 1:
		return axis{from: min(0, int64(s[0].Time)), to: int64(s[len(s)-1].Time)}
	case r.Time > 0:
		return axis{to: int64(r.Time)}
	case len(r.Inputs) > 0:
		return axis{to: max(1, int64(r.Inputs[len(r.Inputs)-1].Time))}
	}
	return axis{to: 1}
}

func (a axis) x(t int64) float64 {
	f := float64(t-a.from) / float64(max(1, a.to-a.from))
	return a.frame.start + min(max(f, 0), 1)*a.frame.across()
}

// ticks returns round times on the axis in milliseconds, as many as fit.
func (a axis) ticks() []int64 {
	const room = 90.0 // pixels for one label
	step, most := int64(1000), int64(a.frame.across()/room)
	for _, s := range []int64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 36000, 360_000, 3_600_000} {
		if step = s * 1000; (a.to-a.from)/step <= most {
			break
		}
	}
	var out []int64
	for t := int64(0); t <= a.to && len(out) < 1000; t += step {
		out = append(out, t)
	}
	return out
}

// niceStep returns a round number that divides a length into about so many parts.
func niceStep(length float64, parts int) float64 {
	step := math.Pow(10, math.Floor(math.Log10(max(length, 1e-9)/float64(parts))))
	for _, f := range []float64{1, 2, 5} {
		if length/(step*f) <= float64(parts) {
			return step * f
		}
	}
	return step * 10
}

// speedChart draws the speed over time, with a line at each checkpoint.
func (p *runPainter) speedChart() {
	chartTop, chartEnd := p.chart.top, p.chart.top+p.chart.h
	p.text(soft, "Speed, km/h", p.start, chartTop-12, 14, left)
	p.rect(panel, p.start, chartTop, p.across(), p.chart.h)
	y := func(v float64) float64 { return chartEnd - v/(p.top*1.08)*(chartEnd-chartTop) }
	step := niceStep(p.top*kmh, 4)
	for n := 0; float64(n)*step <= p.top*kmh*1.05 && len(p.own) > 0; n++ {
		v := float64(n) * step
		p.rect(faint, p.start, y(v/kmh), p.across(), 1)
		p.text(soft, fmt.Sprintf("%.0f", v), p.start-8, y(v/kmh)+5, small, right)
	}
	for _, t := range p.axis.ticks() {
		x := p.axis.x(t)
		p.rect(faint, x, chartTop, 1, chartEnd-chartTop)
		p.text(soft, fmt.Sprintf("%d:%02d", t/60000, t/1000%60), x, chartEnd+18, small, center)
	}
	p.speedCurve(y)
	mark := func(t gbx.Time, col color.NRGBA) {
		if p.during(t) {
			p.rect(faded(col, 0xb0), p.axis.x(int64(t))-0.75, chartTop, 1.5, chartEnd-chartTop)
		}
	}
	for _, t := range p.Checkpoints {
		if t != p.Time {
			mark(t, blue)
		}
	}
	mark(p.Time, red)
}

// speedCurve draws the curve and the area below it, coloured like the line.
func (p *runPainter) speedCurve(y func(float64) float64) {
	chartEnd := p.chart.top + p.chart.h
	var stops []point
	now := -1
	flush := func() {
		if len(stops) < 2 {
			stops = nil
			return
		}
		col := shade(float64(now) / shades)
		area := append([]point{{stops[0].x, chartEnd}}, stops...)
		p.fill(faded(col, 0x38), append(area, point{stops[len(stops)-1].x, chartEnd})...)
		p.stroke(col, 2.4, stops...)
		stops = nil
	}
	for i := 1; i < len(p.own); i++ {
		a, b := &p.own[i-1], &p.own[i]
		if missed(a, b) {
			flush()
			continue
		}
		if tone := int((a.Speed + b.Speed) / 2 / p.top * shades); tone != now || len(stops) == 0 {
			flush()
			now, stops = tone, []point{{p.axis.x(int64(a.Time)), y(a.Speed)}}
		}
		stops = append(stops, point{p.axis.x(int64(b.Time)), y(b.Speed)})
	}
	flush()
}

// control is a state of gas, brake or steering that begins at a time.
type control struct {
	time  gbx.Time
	value float64
}

// pedals holds the values that the strip of inputs shows.
type pedals struct{ gas, brake, steer []control }

// controls collects gas, brake and steering from the inputs, or from the samples if no
// inputs are stored.
func (p *runPainter) controls() (out pedals) {
	if len(p.Inputs) == 0 {
		for i := range p.own {
			s := &p.own[i]
			if math.IsNaN(s.Steer) {
				return pedals{}
			}
			out.gas, out.brake, out.steer = append(out.gas, control{s.Time, s.Gas}), append(out.brake, control{s.Time, s.Brake}), append(out.steer, control{s.Time, s.Steer})
		}
		return out
	}
	var leftKey, rightKey float64
	for _, in := range p.Inputs {
		v := float64(in.Value)
		switch in.Name {
		case "Accelerate":
			out.gas = append(out.gas, control{in.Time, v})
		case "AccelerateReal":
			out.gas = append(out.gas, control{in.Time, v / runs.MaxAnalog})
		case "BrakeReal":
			out.brake = append(out.brake, control{in.Time, v / runs.MaxAnalog})
		case "Brake":
			out.brake = append(out.brake, control{in.Time, v})
		case "Gas":
			out.gas = append(out.gas, control{in.Time, max(0, v/runs.MaxAnalog)})
			out.brake = append(out.brake, control{in.Time, max(0, -v/runs.MaxAnalog)})
		case "Steer":
			out.steer = append(out.steer, control{in.Time, v / runs.MaxAnalog})
		case "SteerLeft":
			leftKey = v
			out.steer = append(out.steer, control{in.Time, rightKey - leftKey})
		case "SteerRight":
			rightKey = v
			out.steer = append(out.steer, control{in.Time, rightKey - leftKey})
		}
	}
	return out
}

var violet = color.NRGBA{0xc7, 0x8b, 0xff, 0xff}

// inputStrip draws the driver's inputs below the chart, with the same time axis.
func (p *runPainter) inputStrip(y float64) {
	in := p.controls()
	middle := y + 2.3*stripRow
	y = p.stripLine("gas", in.gas, green, y, stripRow)
	y = p.stripLine("brake", in.brake, red, y, stripRow)
	p.steerLine(in.steer, y)
	if len(in.gas)+len(in.brake)+len(in.steer) == 0 {
		p.text(soft, "no inputs of a car are recorded", (p.start+p.end)/2, middle, 14, center)
	}
}

// bars calls draw for each stretch of time in which a control has the same value.
func (p *runPainter) bars(list []control, draw func(x, w, value float64)) {
	for i := 0; i < len(list); {
		k := list[i]
		for i < len(list) && list[i].value == k.value { // joins neighbours to avoid a seam
			i++
		}
		if math.IsNaN(k.value) {
			i++ // NaN does not equal itself
		}
		end := p.axis.to
		if i < len(list) {
			end = int64(list[i].time)
		}
		x0, x1 := p.axis.x(int64(k.time)), p.axis.x(end)
		if v := min(max(k.value, -1), 1); v != 0 && !math.IsNaN(v) && x1 > x0 {
			draw(x0, max(x1-x0, 0.8), v)
		}
	}
}

func (p *runPainter) stripLine(name string, list []control, col color.NRGBA, y, height float64) float64 {
	p.rect(panel, p.start, y, p.across(), height)
	p.text(soft, name, p.start-8, y+height/2+5, small, right)
	p.bars(list, func(x, w, v float64) { p.rect(col, x, y+height-v*(height-4)-2, w, max(v, 0)*(height-4)) })
	return y + height + 6
}

// steerLine shows left above the middle and right below it, as a driver who moves to the
// right across the picture would steer.
func (p *runPainter) steerLine(list []control, y float64) {
	const half = stripRow + 4.0
	p.rect(panel, p.start, y, p.across(), 2*half)
	p.text(soft, "left", p.start-8, y+half/2+5, small, right)
	p.text(soft, "right", p.start-8, y+half*3/2+5, small, right)
	p.bars(list, func(x, w, v float64) {
		h := math.Abs(v) * (half - 3)
		if v < 0 {
			p.rect(violet, x, y+half-h, w, h)
		} else {
			p.rect(violet, x, y+half, w, h)
		}
	})
	p.rect(faint, p.start, y+half-0.5, p.across(), 1)
}
