package img

import "pakbox/fault"

const (
	alphaRun = 0x8000 // flag of a run: its pixels are translucent
	joint    = 0x8000 // as a skip: no pixels, but not the end of the row
	countOf  = 0x7FFF
)

// Bitmap decodes the rows to the pixels of the bounding box.
func (m *Image) Bitmap() (*Bitmap, error) {
	w := m.W
	shift, err := m.shift()
	if err != nil {
		return nil, err
	}
	// A picture may be mostly transparent, but a few bytes must not claim gigabytes.
	if int64(w)*int64(m.H) > 1<<20+4096*int64(len(m.Words)) {
		return nil, fault.At(fault.Limit, m.at, "size", "%d × %d pixels from %d words", w, m.H, len(m.Words))
	}
	b := NewBitmap(w, m.H)
	r := rows{words: m.Words, base: m.at}
	for y := range m.H {
		row := b.Pix[y*w : (y+1)*w]
		x := -shift
		for {
			skip, run, more := r.next()
			if !more {
				break
			}
			x += skip
			for _, p := range run {
				if x < 0 || x >= w {
					return nil, fault.At(fault.Corrupt, m.at+2*int64(r.at), "row", "row %d: the pixel run extends to column %d, but the image is %d pixels wide", y, x, w)
				}
				row[x] = m.pixel(p)
				x++
			}
		}
	}
	if r.err == nil && r.at != len(m.Words) {
		r.fail("%d words are left over", len(m.Words)-r.at)
	}
	return b, r.error()
}

// pixel converts a word of version 0 to its meaning in later versions.
func (m *Image) pixel(p uint16) uint16 {
	if m.Version == 0 && p >= special && p <= special+0xF {
		return p + 1
	}
	return p
}

// shift is subtracted from the first skip of every row: versions before 2 count it from
// the edge of the cell.
func (m *Image) shift() (int, error) {
	if m.Version >= 2 || m.H == 0 {
		return 0, nil
	}
	r := rows{words: m.Words, base: m.at}
	least := countOf
	for range m.H {
		first := true
		for {
			skip, run, more := r.next()
			if !more {
				break
			}
			if first && len(run) > 0 {
				least = min(least, skip)
			}
			first = false
		}
	}
	if least == countOf {
		least = 0
	}
	return least, r.error()
}

// rows walks through coded rows.
type rows struct {
	words []uint16
	base  int64 // offset of the words in the file
	at    int
	begun bool // a row has begun, so that 0 would end it
	err   *fault.Error
}

// next returns the next run of the current row; more is false at its end.
func (r *rows) next() (skip int, run []uint16, more bool) {
	if r.err != nil {
		return
	}
	if r.at >= len(r.words) {
		r.fail("the rows end too early")
		return
	}
	word := r.words[r.at]
	r.at++
	if word == 0 && r.begun {
		r.begun = false
		return
	}
	r.begun = true
	if r.at >= len(r.words) {
		r.fail("a run has no length")
		return
	}
	count := int(r.words[r.at] & countOf)
	r.at++
	if count > len(r.words)-r.at {
		r.fail("a run of %d pixels, %d words remain", count, len(r.words)-r.at)
		return
	}
	run = r.words[r.at : r.at+count]
	r.at += count
	return int(word & countOf), run, true
}

func (r *rows) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fault.At(fault.Corrupt, r.base+2*int64(r.at), "word", format, args...)
	}
}

func (r *rows) error() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// Encode encodes the part of b inside its tight bounding box as a version 3 image. dx and
// dy are added to the position of the box.
func Encode(b *Bitmap, dx, dy int) *Image {
	return encode(b, 0, 0, b.W, b.H, dx, dy)
}

// EncodeCell encodes one square cell of a sheet.
func EncodeCell(sheet *Bitmap, x, y, size, dx, dy int) *Image {
	return encode(sheet, x, y, size, size, dx, dy)
}

func encode(b *Bitmap, x, y, w, h, dx, dy int) *Image {
	x0, y0, x1, y1, any := bounds(b, x, y, w, h)
	if !any {
		// makeobj leaves the box at 1, 1 if the cell is empty.
		return &Image{Version: 3, X: 1 + dx, Y: 1 + dy, Zoomable: 1}
	}
	m := &Image{Version: 3, X: x0 - x + dx, Y: y0 - y + dy, W: x1 - x0, H: y1 - y0, Zoomable: 1}
	m.Words = make([]uint16, 0, m.W*m.H+4*m.H)
	for y := y0; y < y1; y++ {
		m.Words = appendRow(m.Words, b.Pix[y*b.W+x0:y*b.W+x1])
	}
	return m
}

// EncodeCell1 encodes one cell in version 1. There every row has the width of the cell:
// its first skip begins at the edge, and transparent pixels at its end are a run. Version
// 1 has no translucent pixels and no boxes above 255 pixels; ok is false for both.
func EncodeCell1(sheet *Bitmap, x, y, size, dx, dy int) (m *Image, ok bool) {
	m = encode(sheet, x, y, size, size, dx, dy)
	m.Version = 1
	words := m.Words
	m.Words = nil
	for row := m.Y - dy + y; row < m.Y-dy+y+m.H; row++ {
		line := sheet.Pix[row*sheet.W+x : row*sheet.W+x+size]
		m.Words = appendRow(m.Words, line)
		if end := trailing(line); end > 0 && end < size {
			m.Words = append(m.Words[:len(m.Words)-1], uint16(end), 0, 0)
		}
	}
	for _, w := range words {
		if Translucent(w) {
			return m, false
		}
	}
	return m, m.W <= 255 && m.H <= 255
}

// trailing counts the transparent pixels at the end of a row.
func trailing(row []uint16) (n int) {
	for n < len(row) && row[len(row)-1-n] == Transparent {
		n++
	}
	return n
}

// bounds finds the tight box of the pixels in a part of b that are not transparent.
func bounds(b *Bitmap, x, y, w, h int) (x0, y0, x1, y1 int, any bool) {
	x0, y0, x1, y1 = x+w, y+h, x, y
	for row := y; row < y+h; row++ {
		line := b.Pix[row*b.W+x : row*b.W+x+w]
		left := 0
		for left < w && line[left] == Transparent {
			left++
		}
		if left == w {
			continue
		}
		right := w
		for line[right-1] == Transparent {
			right--
		}
		any = true
		x0, x1 = min(x0, x+left), max(x1, x+right)
		y0, y1 = min(y0, row), row+1
	}
	return x0, y0, x1, y1, any
}

func appendRow(words []uint16, row []uint16) []uint16 {
	begin := len(words)
	for x := 0; x < len(row); {
		start := x
		for x < len(row) && row[x] == Transparent {
			x++
		}
		skip := uint16(x - start)
		if x == len(row) {
			if len(words) == begin { // the whole row is transparent
				words = append(words, skip, 0)
			}
			break
		}
		if skip == 0 && len(words) > begin {
			skip = joint
		}
		start = x
		alpha := Translucent(row[x])
		for x < len(row) && row[x] != Transparent && Translucent(row[x]) == alpha {
			x++
		}
		run := uint16(x - start)
		if alpha {
			run |= alphaRun
		}
		words = append(words, skip, run)
		words = append(words, row[start:x]...)
	}
	return append(words, 0)
}

// Span returns the width of the longest row. For versions before 2 it is the size of the
// cell.
func (m *Image) Span() int {
	r := rows{words: m.Words, base: m.at}
	longest := 0
	for range m.H {
		x := 0
		for {
			skip, run, more := r.next()
			if !more {
				break
			}
			x += skip + len(run)
		}
		longest = max(longest, x)
	}
	return longest
}
