package texture_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pakbox/codec/texture"
	"pakbox/internal/testkit/peer"
)

// ddsFile makes a DDS of one picture. A format below 0x10000 is one of DXGI.
func ddsFile(format uint32, w, h int, data []byte) []byte {
	b := append([]byte("DDS "), make([]byte, 124)...)
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
	put(4, 124)
	put(8, 0x1007)
	put(12, uint32(h))
	put(16, uint32(w))
	put(76, 32)
	put(80, 4)
	if format < 0x10000 {
		copy(b[84:], "DX10")
		b = binary.LittleEndian.AppendUint32(b, format)
		for _, v := range []uint32{3, 0, 1, 0} {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	} else {
		put(84, format)
	}
	return append(b, data...)
}

func fourCC(s string) uint32 { return binary.LittleEndian.Uint32([]byte(s)) }

// raw asks Pillow for the pixels of a picture: script opens it as m.
func raw(t *testing.T, script string, args ...string) []byte {
	t.Helper()
	code := "import sys\nfrom PIL import Image\n" + script + "\nsys.stdout.buffer.write(m.convert('RGBA').tobytes())\n"
	cmd := exec.Command(peer.Python(t, "PIL"), append([]string{"-c", code}, args...)...)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("Pillow: %v\n%s", err, errors.String())
	}
	return out
}

// near compares pixels; a channel may be off by some steps.
func near(t *testing.T, what string, got *image.NRGBA, want []byte, steps int) {
	t.Helper()
	if len(got.Pix) != len(want) {
		t.Errorf("%s: %d bytes of pixels, want %d", what, len(got.Pix), len(want))
		return
	}
	wrong := 0
	for i := range want {
		if d := int(got.Pix[i]) - int(want[i]); d > steps || d < -steps {
			if wrong++; wrong == 1 {
				t.Errorf("%s: pixel %d has %d in channel %d, want %d", what, i/4, got.Pix[i], i%4, want[i])
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%s: %d of %d values are wrong", what, wrong, len(want))
	}
}

func open(t *testing.T, name string, data []byte) *texture.Texture {
	t.Helper()
	tex, err := texture.Open(name, data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return tex
}

func first(t *testing.T, tex *texture.Texture) *image.NRGBA {
	t.Helper()
	m, err := tex.Image(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestBlocksAreDecodedAsPillowDoes gives both decoders blocks of chance, which
// have every mode, division and index, in pictures whose size no block
// divides.
func TestBlocksAreDecodedAsPillowDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 98))
	for _, f := range []struct {
		name   string
		format uint32
		number int // in Pillow
		block  int
		mode   string
		steps  int
	}{
		{"BC1", fourCC("DXT1"), 1, 8, "RGBA", 1}, {"BC2", fourCC("DXT3"), 2, 16, "RGBA", 1}, {"BC3", fourCC("DXT5"), 3, 16, "RGBA", 1},
		{"BC4", fourCC("ATI1"), 4, 8, "L", 1}, {"BC5", fourCC("ATI2"), 5, 16, "RGB", 1}, {"BC7", 98, 7, 16, "RGBA", 0},
		{"BC1 by number", 71, 1, 8, "RGBA", 1}, {"BC3 by number", 77, 3, 16, "RGBA", 1}, {"BC4 by number", 80, 4, 8, "L", 1},
	} {
		t.Run(f.name, func(t *testing.T) {
			for _, size := range [][2]int{{256, 128}, {13, 7}} {
				w, h := size[0], size[1]
				data := make([]byte, (w+3)/4*((h+3)/4)*f.block)
				for i := range data {
					data[i] = byte(random.Uint32())
				}
				if f.number == 7 {
					for i := 0; i < len(data); i += 16 { // all modes alike
						mode := i / 16 % 8
						data[i] = byte(uint(data[i])<<(mode+1) | 1<<mode)
					}
				}
				path := filepath.Join(t.TempDir(), "blocks")
				if err := os.WriteFile(path, data, 0o644); err != nil {
					t.Fatal(err)
				}
				script := fmt.Sprintf("m = Image.frombytes(%q, (%d, %d), open(sys.argv[1], 'rb').read(), 'bcn', %d)", f.mode, w, h, f.number)
				tex := open(t, "x.dds", ddsFile(f.format, w, h, data))
				near(t, fmt.Sprintf("%s of %d × %d", f.name, w, h), first(t, tex), raw(t, script, path), f.steps)
			}
		})
	}
}

// picture draws something with edges, gradients and transparency.
func picture(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{uint8(x * 255 / w), uint8(y * 255 / h), uint8((x ^ y) * 3), 255}
			if (x-w/2)*(x-w/2)+(y-h/2)*(y-h/2) < w*h/16 {
				c.A = uint8(x * 7)
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func writePicture(t *testing.T, dir string, w, h int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, picture(w, h)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "in.png")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a program that writes a file, and returns that.
func run(t *testing.T, out, program string, args ...string) []byte {
	t.Helper()
	if text, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestFilesOfNvcompress reads what NVIDIA's encoder writes, with all levels,
// and compares with what its decoder makes of it.
func TestFilesOfNvcompress(t *testing.T) {
	nvcompress, nvdecompress := peer.Program(t, "nvcompress", "libnvtt-bin"), peer.Program(t, "nvdecompress", "libnvtt-bin")
	dir := t.TempDir()
	in := writePicture(t, dir, 128, 64)
	for flag, format := range map[string]string{
		"-bc1": "BC1", "-bc1a": "BC1", "-bc2": "BC2", "-bc3": "BC3", "-bc4": "BC4", "-bc5": "BC5", "-rgb": "R8G8B8A8",
	} {
		file := filepath.Join(dir, flag+".dds")
		data := run(t, file, nvcompress, "-nocuda", "-alpha", flag, in, file)
		tex := open(t, file, data)
		if tex.Format != format || tex.Levels != 8 || tex.Width != 128 || tex.Height != 64 || tex.Layers != 1 {
			t.Errorf("%s: tex = %+v; want tex.Format = %v, tex.Levels = 8, tex.Width = 128, tex.Height = 64, tex.Layers = 1", flag, tex, format)
		}
		back := filepath.Join(dir, flag+".tga")
		run(t, back, nvdecompress, file)
		want := raw(t, "m = Image.open(sys.argv[1])", back)
		got := first(t, tex)
		if flag == "-bc5" || flag == "-bc4" {
			// Its decoder reckons a blue for BC5, and leaves BC4 red.
			keepRed(got, want, map[string]int{"-bc4": 1, "-bc5": 2}[flag])
		}
		near(t, flag, got, want, 1)
		levelsAreAlike(t, flag, tex)
	}
}

// keepRed clears the channels behind the first ones in both pictures.
func keepRed(m *image.NRGBA, want []byte, channels int) {
	for i := range want {
		if i%4 >= channels {
			m.Pix[i], want[i] = 0, 0
		}
	}
}

// levelsAreAlike holds each level against the first: on average they show the
// same.
func levelsAreAlike(t *testing.T, what string, tex *texture.Texture) {
	t.Helper()
	var mean [4]int
	for level := range tex.Levels {
		m, err := tex.Image(0, level)
		if err != nil {
			t.Fatal(err)
		}
		if m.Bounds() != levelBounds(tex, level) {
			t.Errorf("%s: level %d is %v, want %v", what, level, m.Bounds(), levelBounds(tex, level))
		}
		var sum [4]int
		for i, v := range m.Pix {
			sum[i%4] += int(v)
		}
		for c := range sum {
			sum[c] /= len(m.Pix) / 4
			if level == 0 {
				mean[c] = sum[c]
			} else if d := sum[c] - mean[c]; d > 40 || d < -40 {
				t.Errorf("%s: level %d has a mean of %d in channel %d, the first has %d", what, level, sum[c], c, mean[c])
			}
		}
	}
}

// TestFilesOfImageMagick reads what ImageMagick writes, and compares with what
// Pillow reads.
func TestFilesOfImageMagick(t *testing.T) {
	convert := peer.Program(t, "convert", "imagemagick")
	dir := t.TempDir()
	in := writePicture(t, dir, 61, 35)
	for name, args := range map[string][]string{
		"dxt1.dds": {"-define", "dds:compression=dxt1"}, "dxt5.dds": {"-define", "dds:compression=dxt5"}, "plain.dds": {"-define", "dds:compression=none"},
		"colour.tga": {"-alpha", "off"}, "alpha.tga": nil, "runs.tga": {"-compress", "RLE"}, "grey.tga": {"-alpha", "off", "-colorspace", "Gray"},
		"palette.tga": {"-alpha", "off", "-colors", "50", "-type", "Palette"},
	} {
		file := filepath.Join(dir, name)
		data := run(t, file, convert, append(append([]string{in}, args...), file)...)
		tex := open(t, file, data)
		near(t, name+" "+tex.Format, first(t, tex), raw(t, "m = Image.open(sys.argv[1])", file), 1)
	}
}

// TestFilesOfPillow reads what Pillow writes, from either corner.
func TestFilesOfPillow(t *testing.T) {
	dir := t.TempDir()
	in := writePicture(t, dir, 37, 21)
	for name, save := range map[string]string{
		"top.tga": "m.save(sys.argv[2], orientation=1)", "bottom.tga": "m.save(sys.argv[2], orientation=-1)",
		"runs.tga": "m.save(sys.argv[2], compression='tga_rle')", "l.tga": "m = m.convert('L'); m.save(sys.argv[2])",
		"la.tga": "m = m.convert('LA'); m.save(sys.argv[2], rle=True)", "p.tga": "m = m.convert('RGB').quantize(20); m.save(sys.argv[2])",
		"rgba.dds": "m.save(sys.argv[2])", "rgb.dds": "m = m.convert('RGB'); m.save(sys.argv[2])",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, name)
			want := raw(t, "m = Image.open(sys.argv[1])\n"+save, in, file)
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			near(t, name, first(t, open(t, file, data)), want, 0)
		})
	}
}
