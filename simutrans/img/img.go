// Package img decodes and encodes the pictures of Simutrans objects: the body of an IMG
// node to pixels and back, and pixels to colours and back.
//
// A picture is a bounding box inside a square cell. Its rows are runs:
//
//	row = (skip, run, pixel × run)+ , 0
//
// with 16-bit words throughout. skip counts transparent pixels, and the high bit of run
// marks a run of translucent ones. Between a translucent and an opaque run without a gap
// stands a skip of 0x8000. It means no skip, because 0 would end the row. A row without a
// pixel is (width, 0, 0). Transparent pixels at the end of a row are left out. See
// colour.go for the meaning of a pixel's word.
//
// There have been four versions of the header, and the first two versions count the first
// skip of a row from the edge of the cell.
package img

import (
	"encoding/binary"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// Image is the body of an IMG node.
type Image struct {
	Version  int
	X, Y     int // position of the bounding box in the cell; it may lie outside
	W, H     int // size of the bounding box
	Zoomable uint8
	Words    []uint16 // the encoded rows

	spare [3]byte // version 0: bytes of the header without a meaning
	tail  []byte  // bytes behind the words
	at    int64   // offset of the words in the file
}

// Empty is the image for a key without a value.
func Empty() *Image { return &Image{Version: 3, Zoomable: 1} }

// versionAt is the offset of the version in the header. In version 0 it is the upper half
// of a length, which is 0 because lengths are below 65536.
const versionAt = 6

// Parse reads the body of an IMG node. base is its offset in the file.
func Parse(body []byte, base int64) (*Image, error) {
	if len(body) <= versionAt {
		return nil, fault.At(fault.Truncated, base, "image", "an image header needs more bytes than the %d in the body", len(body))
	}
	m := &Image{Version: int(body[versionAt])}
	r := wire.NewReader(body, base)
	words := 0
	switch m.Version {
	case 0:
		words = m.header0(r)
	case 1, 2:
		words = m.header1(r)
	case 3:
		words = m.header3(r)
	default:
		return nil, fault.At(fault.UnsupportedVersion, base+versionAt, "version", "image version %d is not known", m.Version)
	}
	if r.Err() == nil && words > r.Len()/2 {
		r.Fail(fault.Truncated, r.Offset(), "len", "%d words, %d bytes remain", words, r.Len())
	}
	m.at = r.Offset()
	data := r.Bytes(words*2, "words")
	if err := r.Err(); err != nil {
		return nil, err
	}
	m.Words = make([]uint16, words)
	for i := range m.Words {
		m.Words[i] = binary.LittleEndian.Uint16(data[2*i:])
	}
	m.tail = r.Bytes(r.Len(), "tail")
	return m, nil
}

func (m *Image) header0(r *wire.Reader) (words int) {
	m.X, m.W = int(r.U8("x")), int(r.U8("w"))
	m.Y, m.H = int(r.U8("y")), int(r.U8("h"))
	words = int(r.U32("len"))
	m.spare[0], m.spare[1] = r.U8("reserved"), r.U8("reserved")
	m.Zoomable = r.U8("zoomable")
	m.spare[2] = r.U8("reserved")
	return words
}

func (m *Image) header1(r *wire.Reader) (words int) {
	m.X, m.Y = int(r.I16("x")), int(r.I16("y"))
	m.W, m.H = int(r.U8("w")), int(r.U8("h"))
	r.U8("version")
	words = int(r.U16("len"))
	m.Zoomable = r.U8("zoomable")
	return words
}

func (m *Image) header3(r *wire.Reader) (words int) {
	m.X, m.Y = int(r.I16("x")), int(r.I16("y"))
	m.W = int(r.U16("w"))
	r.U8("version")
	m.H = int(r.U16("h"))
	m.Zoomable = r.U8("zoomable")
	return r.Len() / 2
}

// Append appends the body of the node to b.
func (m *Image) Append(b []byte) []byte {
	le := binary.LittleEndian
	switch m.Version {
	case 0:
		b = append(b, byte(m.X), byte(m.W), byte(m.Y), byte(m.H))
		b = le.AppendUint32(b, uint32(len(m.Words)))
		b = append(b, m.spare[0], m.spare[1], m.Zoomable, m.spare[2])
	case 1, 2:
		b = le.AppendUint16(le.AppendUint16(b, uint16(m.X)), uint16(m.Y))
		b = append(b, byte(m.W), byte(m.H), byte(m.Version))
		b = append(le.AppendUint16(b, uint16(len(m.Words))), m.Zoomable)
	default:
		b = le.AppendUint16(le.AppendUint16(b, uint16(m.X)), uint16(m.Y))
		b = append(le.AppendUint16(b, uint16(m.W)), 3)
		b = append(le.AppendUint16(b, uint16(m.H)), m.Zoomable)
	}
	for _, w := range m.Words {
		b = le.AppendUint16(b, w)
	}
	return append(b, m.tail...)
}

// Bitmap is a rectangle of pixel words.
type Bitmap struct {
	W, H int
	Pix  []uint16 // row by row; Transparent where there is nothing
}

// NewBitmap returns a transparent bitmap.
func NewBitmap(w, h int) *Bitmap {
	b := &Bitmap{W: w, H: h, Pix: make([]uint16, w*h)}
	for i := range b.Pix {
		b.Pix[i] = Transparent
	}
	return b
}

// At returns the pixel at x, y, Transparent outside the bitmap.
func (b *Bitmap) At(x, y int) uint16 {
	if x < 0 || y < 0 || x >= b.W || y >= b.H {
		return Transparent
	}
	return b.Pix[y*b.W+x]
}
