package picture

import (
	"image"
	"slices"
)

// difference describes the pixels that differ from the picture before: a rectangle, and
// in each of its rows the stretches that may have changed.
type difference struct {
	part        image.Rectangle
	before, now *image.RGBA
	touched     []image.Rectangle
}

// stretch is a part of a row, in pixels.
type stretch struct{ from, to int }

// differenceOf compares two pictures of a film. Only places where one of them was painted
// can differ.
func differenceOf(before, now *sheet) difference {
	d := difference{before: before.RGBA, now: now.RGBA}
	for _, r := range slices.Concat(before.touched, now.touched) {
		if r = d.changed(r); !r.Empty() {
			d.touched = append(d.touched, r)
			d.part = d.part.Union(r)
		}
	}
	if d.part.Empty() {
		d.part = image.Rect(0, 0, 1, 1)
	}
	return d
}

// changed shrinks a rectangle to the rows and columns that differ.
func (d *difference) changed(r image.Rectangle) (out image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from, to := r.Min.X, r.Max.X
		for from < to && !d.differs(from, y) {
			from++
		}
		for from < to && !d.differs(to-1, y) {
			to--
		}
		if from < to {
			out = out.Union(image.Rect(from, y, to, y+1))
		}
	}
	return out
}

// differs reports whether a pixel changed.
func (d *difference) differs(x, y int) bool {
	i := d.now.PixOffset(x, y)
	return [4]byte(d.now.Pix[i:i+4]) != [4]byte(d.before.Pix[i:i+4])
}

// row appends the stretches of a row that may have changed, in order and without
// overlaps.
func (d *difference) row(y int, list []stretch) []stretch {
	list = list[:0]
	for _, r := range d.touched {
		if y >= r.Min.Y && y < r.Max.Y {
			list = append(list, stretch{r.Min.X, r.Max.X})
		}
	}
	slices.SortFunc(list, func(a, b stretch) int { return a.from - b.from })
	kept := list[:0]
	for _, s := range list {
		if n := len(kept); n > 0 && s.from <= kept[n-1].to {
			kept[n-1].to = max(kept[n-1].to, s.to)
			continue
		}
		kept = append(kept, s)
	}
	return kept
}
