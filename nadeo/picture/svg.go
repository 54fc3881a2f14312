package picture

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
)

// SVG writes the picture as an SVG file. Texts stay texts, so that they can
// be searched and copied.
func (c *Canvas) SVG(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Go, Helvetica, Arial, sans-serif" stroke-linecap="round" stroke-linejoin="round">`+"\n",
		c.Width, c.Height, c.Width, c.Height)
	for i := range c.shapes {
		c.shapes[i].svg(b)
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

func (s *shape) svg(b *bufio.Writer) {
	switch s.kind {
	case polygon:
		b.WriteString(`<path d="`)
		svgPath(b, s.points)
		b.WriteString(`Z" `)
		svgColour(b, "fill", s.colour)
		b.WriteString("/>\n")
	case stroke:
		b.WriteString(`<path fill="none" d="`)
		svgPath(b, s.points)
		b.WriteString(`" stroke-width="` + svgNumber(s.measure) + `" `)
		svgColour(b, "stroke", s.colour)
		b.WriteString("/>\n")
	case disc:
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s" `, svgNumber(s.points[0].x), svgNumber(s.points[0].y), svgNumber(s.measure))
		svgColour(b, "fill", s.colour)
		b.WriteString("/>\n")
	case letters:
		fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s" `, svgNumber(s.points[0].x), svgNumber(s.points[0].y), svgNumber(s.measure))
		if s.bold {
			b.WriteString(`font-weight="bold" `)
		}
		if s.side != left {
			b.WriteString(`text-anchor="` + map[side]string{center: "middle", right: "end"}[s.side] + `" `)
		}
		svgColour(b, "fill", s.colour)
		b.WriteByte('>')
		xml.EscapeText(b, []byte(s.text)) // replaces characters that XML cannot hold
		b.WriteString("</text>\n")
	}
}

// svgPath writes points as a path. Each point after the first is relative to the one
// before, which is shorter. Differences are between rounded points, so that rounding
// errors do not add up.
func svgPath(b *bufio.Writer, points []point) {
	const unit = 100 // steps in a pixel
	var x, y int
	for i, p := range points {
		px, py := int(math.Round(p.x*unit)), int(math.Round(p.y*unit))
		switch i {
		case 0:
			b.WriteByte('M')
		case 1:
			b.WriteByte('l')
		default:
			b.WriteByte(' ')
		}
		b.WriteString(svgNumber(float64(px-x)/unit) + " " + svgNumber(float64(py-y)/unit))
		x, y = px, py
	}
}

func svgNumber(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }

func svgColour(b *bufio.Writer, what string, c color.NRGBA) {
	fmt.Fprintf(b, `%s="#%02x%02x%02x"`, what, c.R, c.G, c.B)
	if c.A != 0xff {
		fmt.Fprintf(b, ` %s-opacity="%s"`, what, strconv.FormatFloat(float64(c.A)/255, 'f', 3, 64))
	}
}
