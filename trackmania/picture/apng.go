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

// APNG writes the film as an animated PNG that plays again and again; the last
// picture stays for two seconds.
func (f *Film) APNG(ctx context.Context, w io.Writer, done Progress) error {
	n := f.Frames()
	a := newAPNG(w, n)
	per := uint16(math.Round(f.hz * 100)) // of a second
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

// apngFrame is the stored form of a frame.
type apngFrame struct {
	part image.Rectangle
	data [][]byte // compressed pixels
}

// newFrame makes what is stored of a frame: all of the first, and of others what
// differs from the one before.
func newFrame(before, now *sheet) (apngFrame, error) {
	if before != nil {
		d := differenceOf(before, now)
		return apngFrame{d.part, [][]byte{d.deflated()}}, nil
	}
	var b bytes.Buffer
	err := png.Encode(&b, withAlpha{now.RGBA})
	return apngFrame{now.Rect, chunkOf(b.Bytes()[len(pngSignature):], chunkData)}, err
}

// add writes a frame that is shown for delay/per of a second.
func (a *apngWriter) add(f apngFrame, delay, per uint16) error {
	first := !a.begun
	a.begun = true
	if first {
		const depth, rgba = 8, 6 // bits of a channel, kind of pixels
		a.write([]byte(pngSignature))
		a.chunk(chunkHeader, append(words(uint32(f.part.Dx()), uint32(f.part.Dy())), depth, rgba, 0, 0, 0))
		a.chunk(chunkMoves, words(uint32(a.frames), 0))
	}
	control := words(a.next(), uint32(f.part.Dx()), uint32(f.part.Dy()), uint32(f.part.Min.X), uint32(f.part.Min.Y))
	control = binary.BigEndian.AppendUint16(control, delay)
	control = binary.BigEndian.AppendUint16(control, per)
	a.chunk(chunkFrame, append(control, 0, 1)) // leave it there; paint over what is below
	for _, d := range f.data {
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
