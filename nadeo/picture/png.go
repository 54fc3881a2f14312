package picture

import (
	"image"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// PNG writes the picture as a PNG file.
func (c *Canvas) PNG(w io.Writer) error {
	e := png.Encoder{CompressionLevel: png.BestSpeed} // half the time, for a file a fifth larger
	return e.Encode(w, c.Image())
}

// Image paints the picture.
func (c *Canvas) Image() *image.RGBA {
	p := newPainter(image.NewRGBA(image.Rect(0, 0, c.Width, c.Height)))
	p.draw(c)
	return p.RGBA
}

// draw paints a canvas over the picture.
func (p *painter) draw(c *Canvas) {
	for i := range c.shapes {
		s := &c.shapes[i]
		switch s.kind {
		case polygon:
			p.paint(s, s.points)
		case stroke:
			var capsules [][]point
			for i := 1; i < len(s.points); i++ {
				capsules = append(capsules, capsule(s.points[i-1], s.points[i], s.measure/2))
			}
			p.paint(s, capsules...)
		case disc:
			p.paint(s, capsule(s.points[0], s.points[0], s.measure))
		case letters:
			p.write(s)
		}
	}
}

type faceKey struct {
	size float64
	bold bool
}

// painter turns shapes into pixels.
type painter struct {
	*image.RGBA
	raster  vector.Rasterizer
	faces   map[faceKey]font.Face
	touched []image.Rectangle // painted rectangles, for films; nil if not needed
}

func newPainter(on *image.RGBA) *painter { return &painter{RGBA: on, faces: map[faceKey]font.Face{}} }

// paint fills polygons as one shape. All polygons must have the same orientation, so that
// overlaps are painted once.
func (p *painter) paint(s *shape, polygons ...[]point) {
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, corners := range polygons {
		for _, q := range corners {
			lo, hi = point{min(lo.x, q.x), min(lo.y, q.y)}, point{max(hi.x, q.x), max(hi.y, q.y)}
		}
	}
	if !lo.finite() || !hi.finite() {
		return
	}
	// Only the part of the picture around the shape is painted.
	box := image.Rect(int(math.Floor(lo.x)), int(math.Floor(lo.y)), int(math.Ceil(hi.x)), int(math.Ceil(hi.y))).Intersect(p.Bounds())
	if box.Empty() {
		return
	}
	p.raster.Reset(box.Dx(), box.Dy())
	for _, corners := range polygons {
		for i, q := range corners {
			x, y := float32(q.x-float64(box.Min.X)), float32(q.y-float64(box.Min.Y))
			if i == 0 {
				p.raster.MoveTo(x, y)
			} else {
				p.raster.LineTo(x, y)
			}
		}
		p.raster.ClosePath()
	}
	p.raster.Draw(p.RGBA, box, image.NewUniform(s.colour), image.Point{})
	p.touch(box)
}

func (p *painter) touch(box image.Rectangle) {
	if p.touched != nil {
		p.touched = append(p.touched, box.Intersect(p.Bounds()))
	}
}

// capsule returns the outline of a stroke with round ends. It is a disc if both ends are
// equal.
func capsule(a, b point, radius float64) []point {
	corners := 6 + int(math.Sqrt(radius)*3) // corners of each half circle
	turn := math.Atan2(b.y-a.y, b.x-a.x) - math.Pi/2
	out := make([]point, 0, 2*(corners+1))
	for _, end := range []point{b, a} {
		for i := range corners + 1 {
			s, k := math.Sincos(turn + math.Pi*float64(i)/float64(corners))
			out = append(out, point{end.x + radius*k, end.y + radius*s})
		}
		turn += math.Pi
	}
	return out
}

// write paints a text.
func (p *painter) write(s *shape) {
	key := faceKey{s.measure, s.bold}
	face, ok := p.faces[key]
	if !ok {
		face = typeface(s.measure, s.bold)
		p.faces[key] = face
	}
	d := font.Drawer{Dst: p.RGBA, Src: image.NewUniform(s.colour), Face: face}
	x, text := s.points[0].x, inSight(s.text)
	width := textWidth(text, s.measure, s.bold)
	switch s.side {
	case center:
		x -= width / 2
	case right:
		x -= width
	}
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(math.Round(x * 64)), Y: fixed.Int26_6(math.Round(s.points[0].y * 64))}
	d.DrawString(text)
	// Letters extend a little beyond their line and their width.
	over := s.measure / 2
	p.touch(image.Rect(int(x-over), int(s.points[0].y-s.measure-over), int(x+width+over)+1, int(s.points[0].y+over)+1))
}
