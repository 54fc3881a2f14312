package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"io"
)

// apngWriter writes an animated PNG. Programs that know only PNG show its first
// frame. Of the others only the pixels that changed are stored; all others let
// through what was there, which takes next to no room.
type apngWriter struct {
	w        io.Writer
	err      error
	frames   int // that will come
	sequence uint32
	begun    bool
}

// Names of the parts of a PNG, and of those that make it move.
const (
	pngSignature = "\x89PNG\r\n\x1a\n"
	chunkHeader  = "IHDR"
	chunkData    = "IDAT"
	chunkEnd     = "IEND"
	chunkMoves   = "acTL" // how many frames, and how often
	chunkFrame   = "fcTL" // the place and time of a frame
	chunkMore    = "fdAT" // the data of all frames but the first
)

func newAPNG(w io.Writer, frames int) *apngWriter { return &apngWriter{w: w, frames: frames} }

// apngFrame is what is stored of a frame.
type apngFrame struct {
	part image.Rectangle
	png  []byte // a PNG of the part
}

// newFrame makes what is stored of a frame: all of the first, and of others
// what differs from the one before. Both must be opaque and of one size.
func newFrame(before, img *image.RGBA) (apngFrame, error) {
	part := img.Bounds()
	var stored image.Image = img
	if before != nil {
		part = changed(before, img)
		stored = difference(before, img, part)
	}
	var b bytes.Buffer
	err := png.Encode(&b, keepAlpha(stored))
	return apngFrame{part, b.Bytes()}, err
}

// add writes a frame that is shown for delay/per of a second.
func (a *apngWriter) add(f apngFrame, delay, per uint16) error {
	data := f.png[len(pngSignature):]
	first := !a.begun
	a.begun = true
	if first {
		a.write([]byte(pngSignature))
		a.chunk(chunkHeader, chunkOf(data, chunkHeader)[0])
		a.chunk(chunkMoves, words(uint32(a.frames), 0))
	}
	control := words(a.next(), uint32(f.part.Dx()), uint32(f.part.Dy()), uint32(f.part.Min.X), uint32(f.part.Min.Y))
	control = binary.BigEndian.AppendUint16(control, delay)
	control = binary.BigEndian.AppendUint16(control, per)
	a.chunk(chunkFrame, append(control, 0, 1)) // leave it there; paint over what is below
	for _, d := range chunkOf(data, chunkData) {
		if first {
			a.chunk(chunkData, d)
		} else {
			a.chunk(chunkMore, append(words(a.next()), d...))
		}
	}
	return a.err
}

// close ends the file.
func (a *apngWriter) close() error {
	a.chunk(chunkEnd, nil)
	return a.err
}

func (a *apngWriter) next() uint32 {
	a.sequence++
	return a.sequence - 1
}

func (a *apngWriter) chunk(kind string, data []byte) {
	b := append(words(uint32(len(data))), kind...)
	b = append(b, data...)
	a.write(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
}

func (a *apngWriter) write(b []byte) {
	if a.err == nil {
		_, a.err = a.w.Write(b)
	}
}

func words(list ...uint32) (b []byte) {
	for _, v := range list {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}

// chunkOf returns the content of all chunks of a kind in what the encoder of
// the standard library wrote.
func chunkOf(data []byte, kind string) (out [][]byte) {
	for len(data) >= 12 {
		n := int(binary.BigEndian.Uint32(data))
		if string(data[4:8]) == kind {
			out = append(out, data[8:8+n])
		}
		data = data[12+n:]
	}
	return out
}

// withAlpha is a picture that is stored with transparency even where it has
// none: all frames must be of one kind.
type withAlpha struct{ image.Image }

func (withAlpha) Opaque() bool { return false }

// keepAlpha wraps a picture only where it must, because the encoder is quick
// with the kinds of pictures that it knows.
func keepAlpha(img image.Image) image.Image {
	if p, ok := img.(*image.NRGBA); ok && !p.Opaque() {
		return p
	}
	return withAlpha{img}
}

// difference is a part of a picture, with pixels that are as in the one before
// left transparent.
func difference(a, b *image.RGBA, part image.Rectangle) image.Image {
	out := image.NewNRGBA(image.Rect(0, 0, part.Dx(), part.Dy()))
	for y := part.Min.Y; y < part.Max.Y; y++ {
		from, to := b.PixOffset(part.Min.X, y), b.PixOffset(part.Max.X, y)
		x, z, row := a.Pix[from:to], b.Pix[from:to], out.Pix[out.PixOffset(0, y-part.Min.Y):]
		for i := 0; i < len(x); i += 4 {
			if !bytes.Equal(x[i:i+4], z[i:i+4]) {
				copy(row[i:i+4], z[i:i+4])
			}
		}
	}
	return out
}

// changed is the part of a picture that differs from the one before; one pixel
// where none does.
func changed(a, b *image.RGBA) image.Rectangle {
	r := b.Bounds()
	row := func(y int) (from, to int) {
		x, z := a.Pix[a.PixOffset(0, y):][:4*r.Dx()], b.Pix[b.PixOffset(0, y):][:4*r.Dx()]
		if bytes.Equal(x, z) {
			return 0, 0
		}
		for ; x[from] == z[from]; from++ {
		}
		for to = len(x); x[to-1] == z[to-1]; to-- {
		}
		return from / 4, (to + 3) / 4
	}
	var out image.Rectangle
	for y := range r.Dy() {
		if from, to := row(y); to > 0 {
			out = out.Union(image.Rect(from, y, to, y+1))
		}
	}
	if out.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return out
}
