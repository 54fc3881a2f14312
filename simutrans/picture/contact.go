package picture

import (
	"image"
	"image/draw"
)

// Named is a picture and its caption on a contact sheet.
type Named struct {
	Name  string
	Image *image.NRGBA
}

// Largest size of a picture on a contact sheet, and the number of pictures in a row.
const (
	contactSize    = 160
	contactColumns = 8
)

// Contact draws many objects on one sheet, each with its name. If a picture is too large,
// the middle of its lower part is shown, where the object stands.
func Contact(title string, list []Named) *image.NRGBA {
	width, height := 0, 0
	for _, n := range list {
		width, height = max(width, n.Image.Rect.Dx()), max(height, n.Image.Rect.Dy())
	}
	width, height = min(max(width, 96), contactSize), min(height, contactSize)
	columns := min(contactColumns, max(len(list), 1))
	rows := (len(list) + columns - 1) / columns
	pitch := width + gap
	s := &canvas{NRGBA: image.NewNRGBA(image.Rect(0, 0, max(gap+columns*pitch, 2*margin+textWidth(title)), 2*gap+lineHeight+rows*(height+lineHeight+gap)))}
	s.fill(false)
	s.text(gap, margin, title)
	for i, n := range list {
		place := image.Rect(0, 0, width, height).Add(image.Pt(gap+i%columns*pitch, gap+lineHeight+i/columns*(height+lineHeight+gap)))
		s.frame(place)
		size := n.Image.Rect.Size()
		at := image.Pt(place.Min.X+(width-size.X)/2, place.Max.Y-size.Y)
		shown := image.Rectangle{at, at.Add(size)}.Intersect(place)
		draw.Draw(s, shown, n.Image, shown.Min.Sub(at), draw.Over)
		s.text(place.Min.X, place.Max.Y, fit(n.Name, width))
	}
	return s.NRGBA
}

// fit cuts a text to a width in pixels.
func fit(text string, width int) string {
	r := []rune(text)
	for n := len(r); n > 0; n-- {
		if cut := string(r[:n]); n == len(r) && textWidth(cut) <= width {
			return cut
		} else if textWidth(cut+"…") <= width {
			return cut + "…"
		}
	}
	return ""
}
