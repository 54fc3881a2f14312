package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"math"
)

// APNG writes the film as an animated PNG that loops. The last picture stays for two
// seconds.
func (f *Film) APNG(ctx context.Context, w io.Writer, done Progress) error {
	n := f.Frames()
	a := newAPNG(w, n)
	per := uint16(math.Round(f.hz * 100)) // the delay is a fraction: delay/per seconds
	err := frames(ctx, f, done, newFrame, func(i int, frame apngFrame) error {
		delay := uint16(100)
		if i == n-1 {
			delay = uint16(min(2*int(per), math.MaxUint16))
		}
		return a.add(frame, delay, per)
	})
	if err != nil {
		return err
	}
	return a.close()
}

// apngWriter writes an animated PNG. Programs that only know plain PNG show its first
// frame. Of the later frames only the changed pixels are stored. All other pixels are
// transparent, so the frame below shows through, and they take almost no space.
type apngWriter struct {
	w        io.Writer
	err      error
	frames   int // number of frames that will be added
	sequence uint32
	begun    bool
}

// Names of PNG chunks, and of the additional chunks for animation.
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

// apngFrame is the stored form of a frame.
type apngFrame struct {
	part image.Rectangle
	data [][]byte // compressed pixels
}

// newFrame makes the stored form of a frame: the whole picture for the first frame,
// otherwise the difference from the frame before.
func newFrame(before, now *sheet) (apngFrame, error) {
	if before != nil {
		d := differenceOf(before, now)
		return apngFrame{d.part, [][]byte{d.deflated()}}, nil
	}
	var b bytes.Buffer
	err := png.Encode(&b, withAlpha{now.RGBA})
	return apngFrame{now.Rect, chunkOf(b.Bytes()[len(pngSignature):], chunkData)}, err
}

// add writes a frame that is shown for delay/per seconds.
func (a *apngWriter) add(f apngFrame, delay, per uint16) error {
	first := !a.begun
	a.begun = true
	if first {
		const depth, rgba = 8, 6 // bits per channel; pixels with red, green, blue and alpha
		a.write([]byte(pngSignature))
		a.chunk(chunkHeader, append(words(uint32(f.part.Dx()), uint32(f.part.Dy())), depth, rgba, 0, 0, 0))
		a.chunk(chunkMoves, words(uint32(a.frames), 0))
	}
	control := words(a.next(), uint32(f.part.Dx()), uint32(f.part.Dy()), uint32(f.part.Min.X), uint32(f.part.Min.Y))
	control = binary.BigEndian.AppendUint16(control, delay)
	control = binary.BigEndian.AppendUint16(control, per)
	a.chunk(chunkFrame, append(control, 0, 1)) // dispose: leave the frame there; blend: paint over what is below
	for _, d := range f.data {
		if first {
			a.chunk(chunkData, d)
		} else {
			a.chunk(chunkMore, append(words(a.next()), d...))
		}
	}
	return a.err
}

// close writes the end of the file.
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

// chunkOf returns the contents of all chunks of a kind in a PNG that the standard library
// has encoded.
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

// withAlpha makes the encoder store transparency even if the picture has none, because
// all frames must have the same kind of pixels.
type withAlpha struct{ image.Image }

func (withAlpha) Opaque() bool { return false }
