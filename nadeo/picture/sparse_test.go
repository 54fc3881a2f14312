package picture

import (
	"bytes"
	"compress/zlib"
	"image"
	"io"
	"math/rand"
	"testing"
)

// The stored difference can be read by the standard library, and has every
// pixel that changed and transparent ones elsewhere.
func TestSparseDeflate(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for round := range 300 {
		size := image.Pt(1+random.Intn(70), 1+random.Intn(40))
		if round%50 == 0 {
			size = image.Pt(9000, 5) // wider than a copy of the row above reaches
		}
		a, b := image.NewRGBA(image.Rectangle{Max: size}), image.NewRGBA(image.Rectangle{Max: size})
		var painted []image.Rectangle
		for range random.Intn(6) {
			at := image.Pt(random.Intn(size.X), random.Intn(size.Y))
			r := image.Rectangle{at, at.Add(image.Pt(1+random.Intn(20), 1+random.Intn(9)))}.Intersect(b.Rect)
			painted = append(painted, r)
			flat, colours := random.Intn(2) == 0, 1+random.Intn(250)
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					p := b.Pix[b.PixOffset(x, y):][:4]
					if p[0], p[3] = byte(colours), 255; !flat {
						p[1], p[2] = byte(random.Intn(colours)), byte(x)
					}
				}
			}
		}
		one := func(img *image.RGBA) *sheet { return &sheet{painter: &painter{RGBA: img, touched: painted}} }
		d := differenceOf(one(a), one(b))
		r, err := zlib.NewReader(bytes.NewReader(d.deflated()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		var want []byte
		for y := d.part.Min.Y; y < d.part.Max.Y; y++ {
			want = append(want, 0)
			want = append(want, b.Pix[b.PixOffset(d.part.Min.X, y):b.PixOffset(d.part.Max.X-1, y)+4]...)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("round %d: %d bytes, want %d", round, len(got), len(want))
		}
	}
}

// Codes of symbols however uneven are no longer than the limit, and complete: no bit
// sequence is left without a meaning.
func TestHuffman(t *testing.T) {
	fibonacci := []int{1, 1}
	for len(fibonacci) < 30 {
		fibonacci = append(fibonacci, fibonacci[len(fibonacci)-1]+fibonacci[len(fibonacci)-2])
	}
	for _, counts := range [][]int{fibonacci, {5, 0, 0}, {0, 0, 7, 1}, {1, 1, 1, 1, 1}, make([]int, 30)} {
		for _, most := range []int{7, 15} {
			room := 0
			for i, c := range huffman(counts, most) {
				if counts[i] > 0 && c.length == 0 || int(c.length) > most {
					t.Errorf("%v: symbol %d has %d bits", counts, i, c.length)
				}
				if c.length > 0 {
					room += 1 << (most - int(c.length))
				}
			}
			if room != 1<<most {
				t.Errorf("%v in %d bits: codes fill %d of %d", counts, most, room, 1<<most)
			}
		}
	}
}
