package picture

import (
	"context"
	"image"
	"io"

	"pakbox/internal/lib/parallel"
)

// Frame paints picture number i; the first is 0.
func (f *Film) Frame(i int) *image.RGBA { return f.newSheet().show(i).RGBA }

// sheet is a picture of the film that can be repainted as another one: the parts that
// moved are restored from the base picture.
type sheet struct {
	*painter
	film *Film
}

func (f *Film) newSheet() *sheet {
	img := image.NewRGBA(f.base.Rect)
	copy(img.Pix, f.base.Pix)
	p := newPainter(img)
	p.touched = []image.Rectangle{}
	return &sheet{p, f}
}

// show turns the sheet into picture number i.
func (s *sheet) show(i int) *sheet {
	for _, r := range s.touched {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			from, to := s.PixOffset(r.Min.X, y), s.PixOffset(r.Max.X, y)
			copy(s.Pix[from:to], s.film.base.Pix[from:to])
		}
	}
	s.touched = s.touched[:0]
	s.draw(s.film.moving(s.film.at(i)))
	return s
}

// chunkFrames is the number of consecutive pictures that one worker makes. It is fixed,
// so that the same film gives the same file on any number of cores.
const chunkFrames = 32

// Progress is called with the number of finished pictures. It may be nil.
type Progress func(frames int)

// frames makes the stored form of each picture, on all cores, and passes them to add in
// order. store gets a picture and the one before, which is nil for the first.
func frames[R any](ctx context.Context, f *Film, done Progress, store func(before, now *sheet) (R, error), add func(i int, r R) error) error {
	n := f.Frames()
	chunks := (n + chunkFrames - 1) / chunkFrames
	const inFlight = 256 << 20 // limit for pictures in memory, in bytes
	cost := func(int) int64 { return 3 * int64(len(f.base.Pix)) }
	return parallel.Ordered(ctx, 0, chunks, inFlight, cost,
		func(ctx context.Context, chunk int) ([]R, error) {
			first := chunk * chunkFrames
			var before *sheet
			now := f.newSheet()
			if first > 0 {
				before = f.newSheet().show(first - 1)
			}
			var out []R
			for i := first; i < min(first+chunkFrames, n); i++ {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				r, err := store(before, now.show(i))
				if err != nil {
					return nil, err
				}
				out = append(out, r)
				if before == nil {
					before = f.newSheet()
				}
				before, now = now, before
			}
			return out, nil
		},
		func(chunk int, list []R) error {
			for i, r := range list {
				if err := add(chunk*chunkFrames+i, r); err != nil {
					return err
				}
			}
			if done != nil {
				done(len(list))
			}
			return nil
		})
}

// Raw writes all pictures in a row, four bytes per pixel: red, green, blue, 255. Programs
// that make videos read this form.
func (f *Film) Raw(ctx context.Context, w io.Writer, done Progress) error {
	s := f.newSheet()
	for i := range f.Frames() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := w.Write(s.show(i).Pix); err != nil {
			return err
		}
		if done != nil {
			done(1)
		}
	}
	return nil
}
