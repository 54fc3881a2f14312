package imagefile_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"testing"

	"golang.org/x/image/bmp"

	"pakbox/archive"
	"pakbox/archive/imagefile"
	"pakbox/codec/webp"
	"pakbox/fault"
)

const width, height = 6, 4

// sample is one picture in a file of some kind.
type sample struct {
	name, kind string
	data       []byte
	memory     int64
	exact      bool // the kind keeps every pixel
	levels     int  // 0 for pictures that have none
	cube       bool
}

// pixels is the picture of all samples.
func pixels() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetNRGBA(x, y, color.NRGBA{uint8(40 * x), uint8(60 * y), 7, 255})
		}
	}
	return m
}

func samples(t *testing.T) []sample {
	t.Helper()
	made := func(write func(w io.Writer) error) []byte {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	m := pixels()
	deep := image.NewNRGBA64(m.Bounds())
	palette := image.NewPaletted(m.Bounds(), nil)
	tga := []byte{2: 2, 12: width, 14: height, 16: 24, 17: 0x20} // the first row is at the top
	surface := func(faces int) []byte {                          // R8G8B8A8
		b := binary.LittleEndian.AppendUint32([]byte("DDS "), 124)
		header := make([]byte, 120)
		for at, v := range map[int]uint32{0: 0x1007, 4: height, 8: width, 20: 1, 68: 32, 72: 0x41, 80: 32, 84: 0xFF, 88: 0xFF00, 92: 0xFF0000, 96: 0xFF000000, 100: 0x1000} {
			binary.LittleEndian.PutUint32(header[at:], v)
		}
		if faces == 6 {
			binary.LittleEndian.PutUint32(header[104:], 0xFE00)
		}
		b = append(b, header...)
		for range faces {
			b = append(b, m.Pix...)
		}
		return b
	}
	for y := range height {
		for x := range width {
			c := m.NRGBAAt(x, y)
			deep.Set(x, y, c)
			palette.Palette = append(palette.Palette, c)
			palette.SetColorIndex(x, y, uint8(len(palette.Palette)-1))
			tga = append(tga, c.B, c.G, c.R)
		}
	}
	icon, err := webp.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	const plain = 4 * width * height
	return []sample{
		{"a.png", "PNG", made(func(w io.Writer) error { return png.Encode(w, m) }), plain, true, 0, false},
		{"deep.png", "PNG", made(func(w io.Writer) error { return png.Encode(w, deep) }), 2 * plain, true, 0, false},
		{"a.jpg", "JPEG", made(func(w io.Writer) error { return jpeg.Encode(w, m, nil) }), plain, false, 0, false},
		{"a.gif", "GIF", made(func(w io.Writer) error { return gif.Encode(w, palette, &gif.Options{NumColors: 256}) }), plain, true, 0, false},
		{"a.bmp", "BMP", made(func(w io.Writer) error { return bmp.Encode(w, m) }), plain, true, 0, false},
		{"a.webp", "WEBP", icon, plain, true, 0, false},
		{"a.tga", "TGA colour", tga, plain, true, 1, false},
		{"a.dds", "R8G8B8A8", surface(1), plain, true, 1, false},
		{"sky.dds", "R8G8B8A8", surface(6), plain, true, 1, true},
	}
}

// A picture of every kind is recognised, described from its first bytes and from all of
// them, and decoded, if its pixels may take so much memory.
func TestEveryKind(t *testing.T) {
	for _, s := range samples(t) {
		if !imagefile.Is(s.name, s.data) {
			t.Errorf("%s is not recognised", s.name)
		}
		whole, err := imagefile.Describe(archive.Input{ReaderAt: bytes.NewReader(s.data), Size: int64(len(s.data)), Name: s.name})
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		head, err := imagefile.DescribeHead(s.name, s.data)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		for _, d := range []*imagefile.Described{whole, head} {
			want := map[string]any{"picture": s.kind, "width": int64(width), "height": int64(height)}
			if d == whole {
				want["file_size"] = int64(len(s.data))
			}
			if s.levels > 0 {
				layers := int64(1)
				if s.cube {
					layers = 6
				}
				want["levels"], want["layers"], want["cube"] = int64(s.levels), layers, s.cube
			}
			record := imagefile.Facts.Of(d)
			for _, name := range []string{"picture", "width", "height", "levels", "layers", "cube"} {
				got, _ := record.Get(name)
				if got.Value != want[name] {
					t.Errorf("%s: %s is %v, want %v", s.name, name, got.Value, want[name])
				}
			}
			for _, v := range record {
				if shown := v.OnCard(); (v.Name == "cube" || v.Name == "layers") && shown != s.cube {
					t.Errorf("%s: %s is on the card: %v", s.name, v.Name, shown)
				}
				if v.Label == "Size" && v.Text() != "6 x 4 pixels" {
					t.Errorf(`%s: v.Text() = %s; want v.Label other than "Size" or v.Text() = "6 x 4 pixels"`, s.name, v.Text())
				}
			}
		}
		if n, err := imagefile.Memory(s.name, s.data); n != s.memory || err != nil {
			t.Errorf("%s: %d bytes of memory, want %d, %v", s.name, n, s.memory, err)
		}
		if _, err := imagefile.Decode(s.name, bytes.NewReader(s.data), s.memory-1); fault.KindOf(err) != fault.Limit {
			t.Errorf("%s, with too little memory: %v", s.name, err)
		}
		m, err := imagefile.Decode(s.name, bytes.NewReader(s.data), s.memory)
		if err != nil || m.Bounds().Dx() != width || m.Bounds().Dy() != height {
			t.Errorf("%s: err = %v; want no error, m.Bounds().Dx() = %v, m.Bounds().Dy() = %v", s.name, err, width, height)
			continue
		}
		for i := range width * height {
			x, y := i%width, i/width
			r, g, b, a := m.At(m.Bounds().Min.X+x, m.Bounds().Min.Y+y).RGBA()
			wr, wg, wb, wa := pixels().At(x, y).RGBA()
			if s.exact && (r>>8 != wr>>8 || g>>8 != wg>>8 || b>>8 != wb>>8 || a != wa) {
				t.Errorf("%s: wrong at %d, %d: %x %x %x %x", s.name, x, y, r, g, b, a)
				break
			}
		}
	}
}

// A picture that is cut off is refused by all that read it to its end, and none panics.
func TestCutOff(t *testing.T) {
	for _, s := range samples(t) {
		half := len(s.data) / 2
		if s.cube {
			half = 128 + 1 // its first face can be shown without the others
		}
		for n := range half {
			imagefile.Is(s.name, s.data[:n])
			imagefile.DescribeHead(s.name, s.data[:n])
			imagefile.Describe(archive.Input{ReaderAt: bytes.NewReader(s.data[:n]), Size: int64(n), Name: s.name})
			if _, err := imagefile.Decode(s.name, bytes.NewReader(s.data[:n]), 1<<20); err == nil {
				t.Errorf("%s: %d of %d bytes are a picture", s.name, n, len(s.data))
			}
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"a.dds": true, "b/C.TGA": true, "a.png": false, "tga": false, "a.dds/b": false, "": false} {
		if imagefile.IsTexture(name) != want {
			t.Errorf("%s: !want = %v; want imagefile.IsTexture(name) = %v", name, !want, want)
		}
	}
	// The first bytes of some kinds do not say the size, but are enough to know the kind.
	for head, want := range map[string]bool{"\xff\xd8\xff": true, "\xff\xd8": false, "RIFF....WEBP": false, "RIFF....WEBPV": true, "RIFF....WAVEf": false, "": false} {
		if imagefile.Is("a", []byte(head)) != want {
			t.Errorf(`%q: !want = %v; want imagefile.Is("a", []byte(head)) = %v`, head, !want, want)
		}
	}
	if _, err := imagefile.DescribeHead("a", []byte("hello")); fault.KindOf(err) != fault.NotFormat {
		t.Errorf("err = %v; want err of kind fault.NotFormat", err)
	}
	if _, err := imagefile.Describe(archive.Input{ReaderAt: bytes.NewReader([]byte("hello")), Size: 5, Name: "a.png"}); fault.KindOf(err) != fault.Corrupt {
		t.Errorf("err = %v; want err of kind fault.Corrupt", err)
	}
}

// endless is a DDS that never ends.
type endless struct{}

func (endless) ReadAt(p []byte, _ int64) (int, error) { return copy(p, "DDS "), nil }

// A file that is larger than a picture may be is not read.
func TestTooLarge(t *testing.T) {
	in := archive.Input{ReaderAt: endless{}, Size: imagefile.MaxBytes + 1, Name: "a.dds"}
	if _, err := imagefile.Describe(in); fault.KindOf(err) != fault.Limit {
		t.Errorf("err = %v; want err of kind fault.Limit", err)
	}
}
