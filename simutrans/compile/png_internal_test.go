package compile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/img"
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

// chunkOf makes a chunk of a PNG.
func chunkOf(name string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, name...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// handPNG makes a PNG of chunks; rows are packed into IDAT.
func handPNG(w, h uint32, depth, colourType byte, rows []byte, before ...[]byte) []byte {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	out := append([]byte(pngSignature), chunkOf("IHDR", append(header, depth, colourType, 0, 0, 0))...)
	for _, c := range before {
		out = append(out, c...)
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(rows)
	z.Close()
	// In two chunks, as large pictures are.
	half := packed.Len() / 2
	out = append(out, chunkOf("IDAT", packed.Bytes()[:half])...)
	out = append(out, chunkOf("IDAT", packed.Bytes()[half:])...)
	return append(out, chunkOf("IEND", nil)...)
}

// TestFastDecoderLeavesTheUnusualToTheLibrary: the fast decoder agrees with the library,
// and leaves uncommon forms to it.
func TestFastDecoderLeavesTheUnusualToTheLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rows := func(w, h int, filters ...byte) (out []byte) {
		for y := range h {
			out = append(out, filters[y%len(filters)])
			for range w {
				out = append(out, byte(r.UintN(256)))
			}
		}
		return out
	}
	same := append(rows(12, 1, 0), make([]byte, 13)...)
	same[13] = 2 // the row above again
	palette := chunkOf("PLTE", []byte("\x00\x01\x02\x10\x11\x12\x24\x4b\x67"))
	good := handPNG(4, 6, 8, 2, rows(12, 6, 0, 1, 2, 3, 4))
	for _, test := range []struct {
		name string
		data []byte
		fast bool
	}{
		{"every filter, RGB", good, true},
		{"every filter, RGBA", handPNG(4, 9, 8, 6, rows(16, 9, 4, 3, 2, 1, 0)), true},
		{"every filter, palette", handPNG(5, 5, 8, 3, append(make([]byte, 24), 0, 2, 1, 0, 2, 1), palette), true},
		{"a palette with transparency", handPNG(3, 1, 8, 3, []byte{0, 0, 1, 2}, palette, chunkOf("tRNS", []byte{0, 128})), true},
		{"a palette of 256", handPNG(3, 1, 8, 3, []byte{0, 0, 1, 255}, chunkOf("PLTE", bytes.Repeat([]byte("\x24\x4b\x67"), 256))), true},
		{"equal rows", handPNG(4, 2, 8, 2, same), true},
		{"chunks of text", handPNG(4, 1, 8, 2, rows(12, 1, 0), chunkOf("tEXt", []byte("a\x00b"))), true},
		{"no filter of this number", handPNG(4, 1, 8, 2, rows(12, 1, 5)), false},
		{"a row too few", handPNG(4, 7, 8, 2, rows(12, 6, 0)), false},
		{"a row too many", handPNG(4, 5, 8, 2, rows(12, 6, 0)), false},
		{"no pixels", handPNG(0, 1, 8, 2, rows(0, 1, 0)), false},
		{"no rows", handPNG(1, 0, 8, 2, nil), false},
		{"16 bits", handPNG(4, 1, 16, 2, rows(24, 1, 0)), false},
		{"grey", handPNG(4, 1, 8, 0, rows(4, 1, 0)), false},
		{"grey with transparency", handPNG(4, 1, 8, 4, rows(8, 1, 0)), false},
		{"no palette", handPNG(4, 1, 8, 3, rows(4, 1, 0)), false},
		{"a palette of half a colour", handPNG(3, 1, 8, 3, []byte{0, 0, 0, 0}, chunkOf("PLTE", []byte("\x00\x01\x02\x10"))), false},
		{"a palette too large", handPNG(3, 1, 8, 3, []byte{0, 0, 0, 0}, chunkOf("PLTE", make([]byte, 771))), false},
		{"more transparency than colours", handPNG(3, 1, 8, 3, []byte{0, 0, 0, 0}, palette, chunkOf("tRNS", make([]byte, 4))), false},
		{"a colour that is transparent", handPNG(4, 1, 8, 2, rows(12, 1, 0), chunkOf("tRNS", []byte{0, 1, 0, 2, 0, 3})), false},
		{"two heads", handPNG(4, 1, 8, 2, rows(12, 1, 0), good[len(pngSignature):len(pngSignature)+25]), false},
		{"another signature", append([]byte("\x89PNG\r\n\x1a\r"), good[8:]...), false},
		{"interlaced", bytes.Replace(good, good[16:33], append(append([]byte{}, good[16:28]...), append([]byte{1}, binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(append(append([]byte{}, good[12:28]...), 1)))...)...), 1), false},
	} {
		got, ok := decodeFast(test.data)
		m, err := png.Decode(bytes.NewReader(test.data))
		if ok != test.fast || ok && err != nil {
			t.Errorf("%s: fast decoder accepted = %v, error of the library = %v", test.name, ok, err)
			continue
		}
		if ok {
			if want := pixels(m, false); got.W != want.W || got.H != want.H || !slices.Equal(got.Pix, want.Pix) {
				t.Errorf("%s is read differently", test.name)
			}
		}
	}
	// No byte can be missing or another.
	for i := range good {
		if _, ok := decodeFast(good[:i]); ok {
			t.Errorf("%d of %d bytes are a picture", i, len(good))
		}
		damaged := bytes.Clone(good)
		damaged[i] ^= 0x41
		if _, ok := decodeFast(damaged); ok {
			t.Errorf("a picture with byte %d changed is read", i)
		}
	}
}

// TestAPictureThatClaimsTooMuchIsNotRead: before any memory is taken for it.
func TestAPictureThatClaimsTooMuchIsNotRead(t *testing.T) {
	for _, size := range []uint32{1 << 15, 1<<20 + 1, 1 << 31} {
		if err := new(sheet).decode(handPNG(size, size, 8, 2, nil)); err == nil || !strings.Contains(err.Error(), "cannot hold") {
			t.Errorf(`%d: err = %v; want an error, err with "cannot hold"`, size, err)
		}
	}
	if err := new(sheet).decode([]byte(pngSignature)); err == nil || err.Error() != "it is too short" {
		t.Errorf(`err = %v; want an error, err = "it is too short"`, err)
	}
}

// TestSheetsAreForgotten: those that nobody asked for longest, when there is no
// room; pictures that are in no file stay.
func TestSheetsAreForgotten(t *testing.T) {
	dir := t.TempDir()
	s := newSheets()
	s.limit = 2 * 64
	s.put("given", img.NewBitmap(8, 8))
	for _, name := range []string{"a", "b", "c", "d"} {
		data := smallPNG(rand.New(rand.NewPCG(1, 1)), image.NewNRGBA(image.Rect(0, 0, 8, 8)))
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct{ get, kept string }{
		{"a", "a"}, {"b", "ab"}, {"a", "ab"}, {"c", "ac"}, {"none", "ac"}, {"c", "ac"}, {"d", "cd"}, {"a", "ad"},
	} {
		s.get(filepath.Join(dir, step.get))
		kept := ""
		for _, name := range []string{"a", "b", "c", "d"} {
			if s.byID[filepath.Join(dir, name)] != nil {
				kept += name
			}
		}
		if s.byID["given"] == nil {
			t.Fatalf("after %s: the picture that was given is gone", step.get)
		}
		if kept != step.kept || s.total != int64(64*len(kept)) {
			t.Errorf("after %s: %s is kept, %d pixels, want %s", step.get, kept, s.total, step.kept)
		}
	}
}

// Many at once count what they keep, and none is forgotten while it is read; the
// race detector watches.
func TestSheetsAtOnce(t *testing.T) {
	dir := t.TempDir()
	const pictures = 20
	for i := range pictures {
		data := smallPNG(rand.New(rand.NewPCG(1, 1)), image.NewNRGBA(image.Rect(0, 0, 32+i, 32)))
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := newSheets()
	s.limit = 4 * 64 * 32
	var work sync.WaitGroup
	for k := range 8 {
		work.Go(func() {
			for i := range 2 * pictures {
				n := (i*(2*k+1) + k) % pictures
				if sh := s.get(filepath.Join(dir, strconv.Itoa(n))); sh.err != nil || sh.W != 32+n {
					t.Errorf("picture %d is %d pixels wide: %+v", n, sh.W, sh.err)
				}
			}
		})
	}
	work.Wait()
	held := int64(0)
	for _, sh := range s.byID {
		held += int64(len(sh.Pix))
	}
	if held != s.total || held > s.limit {
		t.Errorf("%d pixels are kept, %d are counted, %d may be", held, s.total, s.limit)
	}
}
