package decompile

import (
	"fmt"
	"strings"

	"pakbox/fault"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// sheet collects the images of an object and arranges them: every list of images begins a
// new row, and equal images share a place.
type sheet struct {
	name  string
	cell  int // pixels
	rows  [][]placed
	index map[string][2]int // from an image and its position to its row and column
	fresh bool              // the next image begins a new row
}

// placed is an image and its position in its cell.
type placed struct {
	bitmap *img.Bitmap
	x, y   int
}

const columns = 8

func newSheet(name string) *sheet { return &sheet{name: name, index: map[string][2]int{}} }

// cellSizes are the cell sizes of paksets. Larger sizes are multiples of 64.
var cellSizes = []int{16, 32, 48, 64, 96, 128, 160, 192, 224, 256}

// measure chooses the cell size: the smallest usual size that holds every image at its
// position, or at least every image.
func (s *sheet) measure(object *node.Node) error {
	least, wanted, version1 := 0, 0, 0
	var failed error
	object.Walk(func(n *node.Node, _ int) bool {
		if n.Type != node.IMG || failed != nil {
			return failed == nil
		}
		m, err := img.Parse(n.Body, n.BodyOffset())
		if err != nil {
			failed = err
			return false
		}
		if len(m.Words) == 0 {
			if m.X != 0 || m.Y != 0 {
				least = max(least, 16) // an image without pixels needs a cell too
			}
			return true
		}
		if m.Version < 2 {
			version1 = max(version1, m.Span())
		}
		least = max(least, m.W, m.H, 1) // at least 1, for words without pixels
		if m.X >= 0 && m.Y >= 0 {
			wanted = max(wanted, m.X+m.W, m.Y+m.H)
		}
		return true
	})
	switch {
	case failed != nil || least == 0:
		return failed
	case version1 > 0:
		s.cell = version1 // the rows of old images are as wide as the cell
		return nil
	case wanted > cellSizes[len(cellSizes)-1]:
		wanted = least
	}
	wanted = max(wanted, least)
	for _, size := range cellSizes {
		if size >= wanted {
			s.cell = size
			return nil
		}
	}
	s.cell = (wanted + 63) / 64 * 64
	return nil
}

// Row implements object.Sheet: the next image begins a row.
func (s *sheet) Row() { s.fresh = true }

// Image implements object.Sheet: it places the image and returns a reference to it.
func (s *sheet) Image(_ string, n *node.Node) (string, error) {
	m, err := img.Parse(n.Body, n.BodyOffset())
	if err != nil {
		return "", err
	}
	prefix := ""
	if m.Zoomable == 0 {
		prefix = "> "
	}
	if len(m.Words) == 0 && m.X == 0 && m.Y == 0 {
		return prefix + "-", nil
	}
	b, err := m.Bitmap()
	if err != nil {
		return "", err
	}
	x, y := m.X, m.Y
	if len(m.Words) == 0 {
		// The compiler gives the image of an empty cell the position 1, 1.
		x, y = m.X-1, m.Y-1
	}
	px := min(max(x, 0), s.cell-m.W)
	py := min(max(y, 0), s.cell-m.H)
	if len(m.Words) == 0 {
		px, py = 0, 0
	}
	at := s.place(placed{b, px, py})
	ref := fmt.Sprintf("%s%s.%d.%d", prefix, s.name, at[0], at[1])
	if dx, dy := x-px, y-py; dx != 0 || dy != 0 {
		ref += fmt.Sprintf(",%d,%d", dx, dy)
	}
	return ref, nil
}

// place returns the cell of an image. It adds a cell if the image is new.
func (s *sheet) place(p placed) [2]int {
	var id strings.Builder
	fmt.Fprintf(&id, "%d %d %d ", p.x, p.y, p.bitmap.W)
	for _, w := range p.bitmap.Pix {
		id.WriteByte(byte(w))
		id.WriteByte(byte(w >> 8))
	}
	if at, ok := s.index[id.String()]; ok {
		return at
	}
	last := len(s.rows) - 1
	if s.fresh || last < 0 || len(s.rows[last]) == columns {
		s.rows = append(s.rows, nil)
		last++
		s.fresh = false
	}
	s.rows[last] = append(s.rows[last], p)
	at := [2]int{last, len(s.rows[last]) - 1}
	s.index[id.String()] = at
	return at
}

// maxPixels bounds any sheet.
const maxPixels = 64 << 20

// room is the largest number of pixels of a sheet: enough for this many images in paksets
// with the largest cells, and more for larger images. Without this limit a single row of
// pixels, which takes only a few bytes, would need a square as wide as the row.
func room(images, pixels int64) int64 {
	return min(maxPixels, 1<<20+images*(2*256*256)+64*pixels)
}

// bitmap draws the sheet; nil without an image.
func (s *sheet) bitmap() (*img.Bitmap, error) {
	if len(s.rows) == 0 {
		return nil, nil
	}
	width := 0
	var images, pixels int64
	for _, row := range s.rows {
		width = max(width, len(row))
		for _, p := range row {
			images++
			pixels += int64(len(p.bitmap.Pix))
		}
	}
	if int64(width)*int64(len(s.rows))*int64(s.cell)*int64(s.cell) > room(images, pixels) {
		return nil, fault.New(fault.Limit, "a sheet of %d rows of %d images of %d pixels is too large", len(s.rows), width, s.cell)
	}
	b := img.NewBitmap(width*s.cell, len(s.rows)*s.cell)
	for r, row := range s.rows {
		for c, p := range row {
			for y := range p.bitmap.H {
				at := (r*s.cell+p.y+y)*b.W + c*s.cell + p.x
				copy(b.Pix[at:at+p.bitmap.W], p.bitmap.Pix[y*p.bitmap.W:])
			}
		}
	}
	return b, nil
}
