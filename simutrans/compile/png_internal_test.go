package compile

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pakbox/internal/testkit/corpus"
)

// sameAsLibrary compares the fast decoder with the standard library's.
func sameAsLibrary(t *testing.T, name string, data []byte) (fast bool) {
	t.Helper()
	b, ok := decodeFast(data)
	if !ok {
		return false
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		// The library also looks at the checksum of the stream.
		return true
	}
	want := pixels(m, false)
	if b.W != want.W || b.H != want.H || !slices.Equal(b.Pix, want.Pix) {
		t.Errorf("%s is read differently", name)
	}
	return true
}

func TestFastDecoderReadsWhatTheLibraryReads(t *testing.T) {
	files, fast := 0, 0
	err := filepath.WalkDir(filepath.Join(corpus.Dir(t, "simutrans"), "source"), func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".png" {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			files++
			if sameAsLibrary(t, path, data) {
				fast++
			}
		}
		return err
	})
	if err != nil || fast < files/2 {
		t.Errorf("%d of %d pictures are read fast (%v)", fast, files, err)
	}
	t.Logf("%d of %d pictures are read fast", fast, files)
}

// smallPNG encodes a picture of random colours with every filter in use.
func smallPNG(r *rand.Rand, m interface {
	image.Image
	Set(x, y int, c color.Color)
}) []byte {
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			m.Set(x, y, color.NRGBA{uint8(x * y), uint8(r.UintN(256)), uint8(x + y), uint8(255 - x)})
		}
	}
	var b bytes.Buffer
	png.Encode(&b, m)
	return b.Bytes()
}

func FuzzFastDecoder(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	box := image.Rect(0, 0, 17, 13)
	f.Add(smallPNG(r, image.NewNRGBA(box)))
	f.Add(smallPNG(r, image.NewRGBA(box)))
	f.Add(smallPNG(r, image.NewPaletted(box, color.Palette{color.Black, color.White, color.NRGBA{1, 2, 3, 4}})))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= ihdrAt+10 && (data[ihdrAt] != 0 || data[ihdrAt+4] != 0 || data[ihdrAt+1] != 0 || data[ihdrAt+5] != 0) {
			return // the caller has refused it already
		}
		sameAsLibrary(t, "it", data)
	})
}
