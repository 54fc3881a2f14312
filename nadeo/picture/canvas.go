// Package picture draws maps and recorded runs: a map from above, and the line that a car
// drove, coloured by speed.
//
// A picture is a [Canvas], a list of shapes. Only the last step turns it into PNG or SVG,
// so both always show the same.
package picture

import (
	"image/color"
	"math"
)

// Colours that all pictures share.
var (
	background = color.NRGBA{0x14, 0x18, 0x20, 0xff}
	panel      = color.NRGBA{0x1b, 0x21, 0x2c, 0xff}
	faint      = color.NRGBA{0x36, 0x40, 0x50, 0xff}
	soft       = color.NRGBA{0x9a, 0xa7, 0xb8, 0xff}
	bright     = color.NRGBA{0xf2, 0xf5, 0xf9, 0xff}
	green      = color.NRGBA{0x4a, 0xd9, 0x7b, 0xff}
	red        = color.NRGBA{0xff, 0x5c, 0x5c, 0xff}
	blue       = color.NRGBA{0x4d, 0xb4, 0xff, 0xff}
)

// ramp is a colour scale that only gets lighter, so that people who cannot distinguish the
// hues can read it too.
var ramp = []color.NRGBA{
	{0x4a, 0x36, 0xa8, 0xff}, {0x2f, 0x6f, 0xc0, 0xff}, {0x1f, 0xa1, 0x9a, 0xff},
	{0x6c, 0xc6, 0x5c, 0xff}, {0xf2, 0xd0, 0x3c, 0xff}, {0xff, 0xf3, 0xb0, 0xff},
}

// shade returns the colour at a place of the scale, from 0 to 1. Values outside get the
// colour of the nearer end; NaN gets the colour of the beginning.
func shade(f float64) color.NRGBA {
	if math.IsNaN(f) {
		f = 0
	}
	f = min(max(f, 0), 1) * float64(len(ramp)-1)
	i := min(int(f), len(ramp)-2)
	return mix(ramp[i], ramp[i+1], f-float64(i))
}

// mix blends two colours: a at f = 0, b at f = 1.
func mix(a, b color.NRGBA, f float64) color.NRGBA {
	m := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*f)) }
	return color.NRGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), m(a.A, b.A)}
}

// faded returns a colour with transparency.
func faded(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// point is a place on a canvas, in pixels; y goes down.
type point struct{ x, y float64 }

func (p point) finite() bool {
	return !math.IsNaN(p.x) && !math.IsInf(p.x, 0) && !math.IsNaN(p.y) && !math.IsInf(p.y, 0)
}

// Canvas is a picture: a list of shapes in the order of painting.
type Canvas struct {
	Width, Height int
	shapes        []shape
}

// shape is a part of a picture in one colour.
type shape struct {
	kind    shapeKind
	colour  color.NRGBA
	points  []point // corners of a polygon, stops of a stroke, middle of a disc, or start of a text
	measure float64 // the width of a stroke, the radius of a disc, the size of a text
	text    string
	side    side
	bold    bool
}

type shapeKind uint8

const (
	polygon shapeKind = iota
	stroke
	disc
	letters
)

// side states which end of a text lies at its point.
type side uint8

const (
	left side = iota
	center
	right
)

func newCanvas(w, h int) *Canvas {
	c := &Canvas{Width: w, Height: h}
	c.rect(background, 0, 0, float64(w), float64(h))
	return c
}

// margin is how many pixels beyond the edge shapes are kept. It is wide enough for any
// stroke, and small enough that painting stays fast. Coordinates in a file can have any
// value.
const margin = 256

// add adds a shape, unless one of its coordinates is not a number.
func (c *Canvas) add(s shape) {
	for _, p := range s.points {
		if !p.finite() {
			return
		}
	}
	if len(s.points) > 0 {
		c.shapes = append(c.shapes, s)
	}
}

// fill paints a polygon.
func (c *Canvas) fill(col color.NRGBA, corners ...point) {
	for _, p := range corners {
		if !p.finite() {
			return
		}
	}
	c.add(shape{kind: polygon, colour: col, points: c.clipPolygon(corners)})
}

func (c *Canvas) rect(col color.NRGBA, x, y, w, h float64) {
	c.fill(col, point{x, y}, point{x + w, y}, point{x + w, y + h}, point{x, y + h})
}

// stroke paints a line through all points, with round joins and ends. A point that is not
// a number interrupts the line.
func (c *Canvas) stroke(col color.NRGBA, width float64, stops ...point) {
	var run []point
	flush := func() {
		if len(run) > 1 {
			c.add(shape{kind: stroke, colour: col, points: run, measure: width})
		}
		run = nil
	}
	for i := 1; i < len(stops); i++ {
		a, b, ok := c.clipLine(stops[i-1], stops[i])
		if !ok {
			flush()
			continue
		}
		if len(run) == 0 || run[len(run)-1] != a {
			flush()
			run = append(run, a)
		}
		run = append(run, b)
	}
	flush()
}

func (c *Canvas) disc(col color.NRGBA, at point, radius float64) {
	if c.near(at) {
		c.add(shape{kind: disc, colour: col, points: []point{at}, measure: radius})
	}
}

// ring paints the outline of a circle.
func (c *Canvas) ring(col color.NRGBA, at point, radius, width float64) {
	const corners = 40
	stops := make([]point, corners+1)
	for i := range stops {
		s, k := math.Sincos(2 * math.Pi * float64(i) / corners)
		stops[i] = point{at.x + radius*k, at.y + radius*s}
	}
	c.stroke(col, width, stops...)
}

// text writes a line of text; y is its base line.
func (c *Canvas) text(col color.NRGBA, s string, x, y, size float64, at side) {
	c.letters(shape{colour: col, text: s, points: []point{{x, y}}, measure: size, side: at})
}

// boldText writes a text in bold letters, for titles.
func (c *Canvas) boldText(col color.NRGBA, s string, x, y, size float64, at side) {
	c.letters(shape{colour: col, text: s, points: []point{{x, y}}, measure: size, side: at, bold: true})
}

func (c *Canvas) letters(s shape) {
	s.text = drawnText(s.text)
	if s.kind = letters; s.text != "" && c.near(s.points[0]) {
		c.add(s)
	}
}

// near reports whether a point is on the canvas, or outside it by less than margin.
func (c *Canvas) near(p point) bool {
	return p.finite() && p.x >= -margin && p.y >= -margin && p.x <= float64(c.Width)+margin && p.y <= float64(c.Height)+margin
}

// scaleBar paints the colour scale, with labels at both ends.
func (c *Canvas) scaleBar(x, y, w, h float64, from, to string) {
	const steps = 64
	for i := range steps {
		f := float64(i) / steps
		c.rect(shade(f), x+f*w, y, w/steps+0.5, h)
	}
	c.text(soft, from, x-8, y+h, 13, right)
	c.text(soft, to, x+w+10, y+h, 13, left)
}
