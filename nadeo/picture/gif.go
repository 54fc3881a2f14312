package picture

import (
	"bytes"
	"cmp"
	"compress/lzw"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
)

// transparent is the colour number that lets the picture below show through.
const transparent = 255

// GIF writes the film as a GIF that loops, for programs without animated PNG. It has 255
// colours: those of cars and bars, and the most frequent colours of a few pictures. Each pixel
// gets the nearest colour. Of all frames but the first only the changed pixels are stored.
func (f *Film) GIF(ctx context.Context, w io.Writer, done Progress) error {
	p := f.palette()
	n := f.Frames()
	var head bytes.Buffer
	head.WriteString("GIF89a")
	binary.Write(&head, binary.LittleEndian, []uint16{uint16(f.size.X), uint16(f.size.Y)})
	head.Write([]byte{0xF7, 0, 0}) // one table of 256 colours with 24 bits for all frames
	for _, c := range p.colours {
		head.Write([]byte{c.R, c.G, c.B})
	}
	head.Write(make([]byte, 3*(256-len(p.colours))))
	head.WriteString("\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00\x00") // loop forever
	if _, err := w.Write(head.Bytes()); err != nil {
		return err
	}
	err := frames(ctx, f, done, p.frame, func(i int, frame gifFrame) error {
		// Delays are in hundredths of a second. The code rounds start and end of each
		// frame, so that errors do not add up.
		at := func(i int) int { return int(math.Round(float64(i) * 100 / f.hz)) }
		delay := at(i+1) - at(i)
		if i == n-1 {
			delay = 200
		}
		const keep = 1<<2 | 1 // keep what is painted; one colour is transparent
		b := []byte{0x21, 0xF9, 4, keep, byte(delay), byte(delay >> 8), transparent, 0, 0x2C}
		for _, v := range []int{frame.part.Min.X, frame.part.Min.Y, frame.part.Dx(), frame.part.Dy()} {
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		}
		_, err := w.Write(append(append(b, 0, 8), frame.data...)) // LZW codes begin with 8 bits
		return err
	})
	if err != nil {
		return err
	}
	_, err = w.Write([]byte{0x3B})
	return err
}

// gifFrame is the stored form of a frame.
type gifFrame struct {
	part image.Rectangle
	data []byte // compressed pixels, in blocks
}

// gifPalette has the colours of a GIF, and for each colour of 18 bits the number of the
// nearest one.
type gifPalette struct {
	colours []color.NRGBA
	nearest [1 << 18]uint8
}

func bits18(r, g, b uint8) int { return int(r>>2)<<12 | int(g>>2)<<6 | int(b>>2) }

// palette collects the most frequent colours in a few pictures spread over the film.
func (f *Film) palette() *gifPalette {
	type sum struct{ n, r, g, b, key int }
	all := make([]sum, 1<<18)
	s := f.newSheet()
	for _, i := range []int{0, f.Frames() / 3, 2 * f.Frames() / 3, f.Frames() - 1} {
		pix := s.show(i).Pix
		for k := 0; k < len(pix); k += 4 {
			c := &all[bits18(pix[k], pix[k+1], pix[k+2])]
			c.n, c.r, c.g, c.b = c.n+1, c.r+int(pix[k]), c.g+int(pix[k+1]), c.b+int(pix[k+2])
		}
	}
	often := slices.Clone(all)
	for key := range often {
		often[key].key = key
	}
	slices.SortFunc(often, func(a, b sum) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.key, b.key)) })
	p := &gifPalette{colours: []color.NRGBA{background, panel, faint, soft, bright, green, red, violet}}
	for i := range f.runs[:min(len(f.runs), len(runColours))] {
		p.colours = append(p.colours, runColour(i))
	}
	for _, c := range often[:transparent-len(p.colours)] {
		if c.n > 0 {
			p.colours = append(p.colours, color.NRGBA{uint8(c.r / c.n), uint8(c.g / c.n), uint8(c.b / c.n), 255})
		}
	}
	for key := range p.nearest {
		r, g, b := key>>12<<2|2, key>>6&63<<2|2, key&63<<2|2
		if c := all[key]; c.n > 0 {
			r, g, b = c.r/c.n, c.g/c.n, c.b/c.n
		}
		best := math.MaxInt
		for i, c := range p.colours {
			x, y, z := int(c.R)-r, int(c.G)-g, int(c.B)-b
			if d := 2*x*x + 4*y*y + z*z; d < best { // weights: the eye distinguishes greens best
				best, p.nearest[key] = d, uint8(i)
			}
		}
	}
	return p
}

// frame makes the stored form of a frame: only the pixels that differ from the frame
// before.
func (p *gifPalette) frame(before, now *sheet) (gifFrame, error) {
	d := difference{part: now.Rect, now: now.RGBA}
	if before != nil {
		d = differenceOf(before, now)
	}
	wide := d.part.Dx()
	pixels := bytes.Repeat([]byte{transparent}, wide*d.part.Dy())
	put := func(x, y int) {
		i := now.PixOffset(x, y)
		pixels[(y-d.part.Min.Y)*wide+x-d.part.Min.X] = p.nearest[bits18(now.Pix[i], now.Pix[i+1], now.Pix[i+2])]
	}
	var list []stretch
	for y := d.part.Min.Y; y < d.part.Max.Y; y++ {
		if list = d.row(y, list); before == nil {
			list = append(list, stretch{d.part.Min.X, d.part.Max.X})
		}
		for _, k := range list {
			for x := k.from; x < k.to; x++ {
				if before == nil || d.differs(x, y) {
					put(x, y)
				}
			}
		}
	}
	var packed bytes.Buffer
	w := lzw.NewWriter(&packed, lzw.LSB, 8)
	w.Write(pixels)
	if err := w.Close(); err != nil {
		return gifFrame{}, err
	}
	var blocks []byte
	for block := range slices.Chunk(packed.Bytes(), 255) {
		blocks = append(append(blocks, byte(len(block))), block...)
	}
	return gifFrame{d.part, append(blocks, 0)}, nil
}
