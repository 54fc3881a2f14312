// Package picture draws maps and recorded runs for people who would rather
// look: a map from above, and the line that a car drove, coloured by speed.
//
// A picture is a [Canvas]: a list of shapes. It becomes a PNG or an SVG only
// at the end, so that both always show the same.
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

// ramp is a scale of colours that gets lighter all the way, so that it can be
// read without telling the hues apart.
var ramp = []color.NRGBA{
	{0x4a, 0x36, 0xa8, 0xff}, {0x2f, 0x6f, 0xc0, 0xff}, {0x1f, 0xa1, 0x9a, 0xff},
	{0x6c, 0xc6, 0x5c, 0xff}, {0xf2, 0xd0, 0x3c, 0xff}, {0xff, 0xf3, 0xb0, 0xff},
}

// shade returns the colour at a place from 0 to 1 of the scale. Places outside
// it get the colour of the end, and what is no number that of the beginning.
func shade(f float64) color.NRGBA {
	if math.IsNaN(f) {
		f = 0
	}
	f = min(max(f, 0), 1) * float64(len(ramp)-1)
	i := min(int(f), len(ramp)-2)
	return mix(ramp[i], ramp[i+1], f-float64(i))
}

// mix returns the colour between two, b at 1.
func mix(a, b color.NRGBA, f float64) color.NRGBA {
	m := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*f)) }
	return color.NRGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), m(a.A, b.A)}
}

// faded returns a colour that lets through what is below it.
func faded(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// point is a place on a canvas, in pixels; y goes down.
type point struct{ x, y float64 }

func (p point) finite() bool {
	return !math.IsNaN(p.x) && !math.IsInf(p.x, 0) && !math.IsNaN(p.y) && !math.IsInf(p.y, 0)
}

// Canvas is a picture: shapes in the order that they are painted in.
type Canvas struct {
	Width, Height int
	shapes        []shape
}

// shape is something painted in one colour.
type shape struct {
	kind    shapeKind
	colour  color.NRGBA
	points  []point // corners, stops of a stroke, the middle, or where a text begins
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

// side tells which part of a text stands at its point.
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

// margin is how far shapes are kept beyond the edge: enough for the width of
// any stroke, and little enough that no rasterizer follows an edge for ever.
// Places in a file can be anything.
const margin = 256

// add keeps a shape unless a part of it is nowhere.
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

// stroke paints a line through all points, with round joins and ends. Where a
// point is nowhere, it is interrupted.
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

// ring paints a circle.
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

// boldText is text in a heavy face, for titles.
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

// scaleBar paints the scale of colours with its two ends.
func (c *Canvas) scaleBar(x, y, w, h float64, from, to string) {
	const steps = 64
	for i := range steps {
		f := float64(i) / steps
		c.rect(shade(f), x+f*w, y, w/steps+0.5, h)
	}
	c.text(soft, from, x-8, y+h, 13, right)
	c.text(soft, to, x+w+10, y+h, 13, left)
}
