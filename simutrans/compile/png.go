package compile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image/color"
	"io"

	"github.com/klauspost/compress/flate"

	"pakbox/simutrans/img"
)

// Reading pictures takes most of the compiler's time. Nearly all pictures are of three
// kinds: palette, RGB and RGBA, with eight bits and no interlacing. decodeFast converts
// these to pixel words row by row, without an image in between. It leaves unusual and
// damaged pictures to the standard library, which also gives the error.

// PNG's colour types.
const (
	gray      = 0
	truecolor = 2
	paletted  = 3
	grayAlpha = 4
	withAlpha = 6
)

const pngSignature = "\x89PNG\r\n\x1a\n"

var errUnusual = errors.New("unusual")

// fastPNG is a picture that is being read.
type fastPNG struct {
	w, h       int
	colourType byte
	words      [256]uint16 // pixel words of the palette
	idat       []io.Reader
}

// decodeFast reads a picture of a usual kind. ok is false if the picture is unusual or
// damaged.
func decodeFast(data []byte) (b *img.Bitmap, ok bool) {
	p := &fastPNG{}
	if p.chunks(data) != nil {
		return nil, false
	}
	b, err := p.rows()
	return b, err == nil
}

// chunks reads the chunks of the file.
func (p *fastPNG) chunks(data []byte) error {
	data, ok := bytes.CutPrefix(data, []byte(pngSignature))
	if !ok {
		return errUnusual
	}
	var palette, alpha []byte
	for {
		if len(data) < 12 {
			return errUnusual
		}
		length := binary.BigEndian.Uint32(data)
		if uint64(length)+12 > uint64(len(data)) {
			return errUnusual
		}
		name, body := string(data[4:8]), data[8:8+length]
		if crc32.ChecksumIEEE(data[4:8+length]) != binary.BigEndian.Uint32(data[8+length:]) {
			return errUnusual
		}
		data = data[12+length:]
		switch name {
		case "IHDR":
			if err := p.header(body); err != nil {
				return err
			}
		case "PLTE":
			palette = body
		case "tRNS":
			alpha = body
		case "IDAT":
			p.idat = append(p.idat, bytes.NewReader(body))
		case "IEND":
			return p.palette(palette, alpha)
		}
	}
}

func (p *fastPNG) header(b []byte) error {
	if len(b) != 13 || p.w != 0 {
		return errUnusual
	}
	w, h := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	depth, compression, filter, interlace := b[8], b[10], b[11], b[12]
	p.colourType = b[9]
	usual := p.colourType == truecolor || p.colourType == paletted || p.colourType == withAlpha
	if depth != 8 || compression|filter|interlace != 0 || !usual || w == 0 || h == 0 || w > 1<<20 || h > 1<<20 {
		return errUnusual
	}
	p.w, p.h = int(w), int(h)
	return nil
}

func (p *fastPNG) palette(palette, alpha []byte) error {
	switch {
	case p.w == 0 || len(p.idat) == 0:
		return errUnusual
	case p.colourType != paletted:
		if alpha != nil {
			return errUnusual // one colour is declared transparent
		}
		return nil
	case len(palette) == 0 || len(palette)%3 != 0 || len(palette) > 768 || len(alpha) > len(palette)/3:
		return errUnusual
	}
	for i := range p.words {
		// An index beyond the palette is black, as in the standard library.
		c := color.NRGBA{A: 0xFF}
		if 3*i < len(palette) {
			c.R, c.G, c.B = palette[3*i], palette[3*i+1], palette[3*i+2]
		}
		if i < len(alpha) {
			c.A = alpha[i]
		}
		p.words[i] = img.FromColor(c)
	}
	return nil
}

// rows unpacks the rows and converts them to pixel words.
func (p *fastPNG) rows() (*img.Bitmap, error) {
	stream := io.MultiReader(p.idat...)
	var zlibHeader [2]byte
	if _, err := io.ReadFull(stream, zlibHeader[:]); err != nil || zlibHeader[0]&0x0F != 8 || zlibHeader[1]&0x20 != 0 {
		return nil, errUnusual
	}
	// The checksum at the end is not checked, because every chunk has one.
	z := flate.NewReader(stream)
	size := map[byte]int{truecolor: 3, paletted: 1, withAlpha: 4}[p.colourType]
	b := &img.Bitmap{W: p.w, H: p.h, Pix: make([]uint16, p.w*p.h)}
	cur, prev := make([]byte, 1+p.w*size), make([]byte, 1+p.w*size)
	for y := range p.h {
		if _, err := io.ReadFull(z, cur); err != nil {
			return nil, err
		}
		if !unfilter(cur[0], cur[1:], prev[1:], size) {
			return nil, errUnusual
		}
		row := b.Pix[y*p.w : (y+1)*p.w]
		if y > 0 && bytes.Equal(cur[1:], prev[1:]) {
			copy(row, b.Pix[(y-1)*p.w:]) // most rows of a sheet are background and equal
		} else {
			p.convert(row, cur[1:])
		}
		cur, prev = prev, cur
	}
	if n, err := z.Read(cur[:1]); n != 0 || err != io.EOF {
		return nil, errUnusual
	}
	return b, nil
}

// convert turns a row of colours into words.
func (p *fastPNG) convert(out []uint16, row []byte) {
	switch p.colourType {
	case paletted:
		for x := range out {
			out[x] = p.words[row[x]]
		}
	case truecolor:
		last, word := uint32(1<<24), uint16(0)
		for x := range out {
			px := row[3*x : 3*x+3 : 3*x+3]
			v := uint32(px[0])<<16 | uint32(px[1])<<8 | uint32(px[2])
			if v != last { // neighbours are often equal
				last, word = v, img.FromColor(color.NRGBA{px[0], px[1], px[2], 0xFF})
			}
			out[x] = word
		}
	default:
		var last uint32
		word := img.FromColor(color.NRGBA{})
		for x := range out {
			px := row[4*x : 4*x+4 : 4*x+4]
			if v := binary.LittleEndian.Uint32(px); v != last {
				last, word = v, img.FromColor(color.NRGBA{px[0], px[1], px[2], px[3]})
			}
			out[x] = word
		}
	}
}

// unfilter undoes the prediction of a row from the pixel to the left and the row above.
func unfilter(filter byte, cur, prev []byte, size int) bool {
	switch filter {
	case 0:
	case 1:
		for i := size; i < len(cur); i++ {
			cur[i] += cur[i-size]
		}
	case 2:
		for i, v := range prev[:len(cur)] {
			cur[i] += v
		}
	case 3:
		for i := range size {
			cur[i] += prev[i] / 2
		}
		for i := size; i < len(cur); i++ {
			cur[i] += uint8((int(cur[i-size]) + int(prev[i])) / 2)
		}
	case 4:
		for i := range size {
			cur[i] += prev[i]
		}
		for i := size; i < len(cur); i++ {
			cur[i] += paeth(cur[i-size], prev[i], prev[i-size])
		}
	default:
		return false
	}
	return true
}

// paeth returns the neighbour that is nearest to left + above - corner.
func paeth(left, above, corner uint8) uint8 {
	pa := int(above) - int(corner)
	pb := int(left) - int(corner)
	pc := pa + pb
	if pa < 0 {
		pa = -pa
	}
	if pb < 0 {
		pb = -pb
	}
	if pc < 0 {
		pc = -pc
	}
	switch {
	case pa <= pb && pa <= pc:
		return left
	case pb <= pc:
		return above
	}
	return corner
}
