package texture_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pakbox/internal/testkit/peer"
)

// TestSignedBlocksAreDecodedAsPillowDoes gives both decoders signed blocks of
// chance. Pillow shows signed values with half the contrast, from 63 to 191,
// but the least and the greatest of all as 0 and 255; and it takes two bounds
// next to each other for one, so the test avoids such bounds.
func TestSignedBlocksAreDecodedAsPillowDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(84, 5))
	const w, h = 256, 128
	data := make([]byte, w/4*h/4*16)
	for i := range data {
		data[i] = byte(random.Uint32())
		if d := int(int8(data[i])) - int(int8(data[i&^1])); i%8 == 1 && d > -2 && d < 2 {
			data[i] += 100
		}
	}
	path := filepath.Join(t.TempDir(), "blocks")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	want := raw(t, fmt.Sprintf("m = Image.frombytes('RGB', (%d, %d), open(sys.argv[1], 'rb').read(), 'bcn', 5, 'BC5S')", w, h), path)
	for _, format := range []uint32{fourCC("BC5S"), 84} {
		got := first(t, open(t, "x.dds", ddsFile(format, w, h, data)))
		extremes := 0
		for i, v := range want {
			if i%4 > 1 { // blue and alpha are not stored
				continue
			}
			ours := int(got.Pix[i])
			switch {
			case v == 0 || v == 255:
				if extremes++; ours != max(1, int(v)) {
					t.Fatalf("value %d is %d, want the least or greatest", i, ours)
				}
			case (ours+127)/2-int(v) > 1 || (ours+127)/2-int(v) < -1:
				t.Fatalf("value %d is %d, which Pillow shows as %d", i, ours, v)
			}
		}
		if extremes < 1000 {
			t.Errorf("only %d values are the least or greatest", extremes)
		}
	}
	// A signed BC4 is the same channel.
	half := make([]byte, 0, len(data)/2)
	for i := 0; i < len(data); i += 16 {
		half = append(half, data[i:i+8]...)
	}
	both := first(t, open(t, "x.dds", ddsFile(84, w, h, data)))
	for _, format := range []uint32{fourCC("BC4S"), 81} {
		grey := first(t, open(t, "x.dds", ddsFile(format, w, h, half)))
		for i := 0; i < len(grey.Pix); i += 4 {
			if grey.Pix[i] != both.Pix[i] || grey.Pix[i+2] != both.Pix[i] {
				t.Fatalf("pixel %d is %v in BC4, %d in BC5", i/4, grey.Pix[i:i+4], both.Pix[i])
			}
		}
	}
}

// layered makes a DDS of several pictures with the newer header: the bytes of
// files of one picture behind each other.
func layered(format, dimension, flags, count uint32, levels, depth int, w, h int, pictures ...[]byte) []byte {
	b := ddsFile(format, w, h, nil)
	if levels > 1 {
		binary.LittleEndian.PutUint32(b[8:], 0x21007)
		binary.LittleEndian.PutUint32(b[28:], uint32(levels))
	}
	binary.LittleEndian.PutUint32(b[24:], uint32(depth))
	binary.LittleEndian.PutUint32(b[132:], dimension)
	binary.LittleEndian.PutUint32(b[136:], flags)
	binary.LittleEndian.PutUint32(b[140:], count)
	for _, p := range pictures {
		b = append(b, p...)
	}
	return b
}

// TestArraysOfNvcompress: of an array of what NVIDIA's encoder writes, with all
// levels, every picture is what the file of it alone shows, and the first level
// what Pillow reads of that; so is every face of an array of cubes, and every
// slice of a volume.
func TestArraysOfNvcompress(t *testing.T) {
	nvcompress := peer.Program(t, "nvcompress", "libnvtt-bin")
	convert := peer.Program(t, "convert", "imagemagick")
	dir := t.TempDir()
	in := writePicture(t, dir, 64, 64)
	var files []string
	var pictures [][]byte
	for i := range 12 {
		turned, file := filepath.Join(dir, fmt.Sprint(i, ".png")), filepath.Join(dir, fmt.Sprint(i, ".dds"))
		run(t, turned, convert, in, "-roll", fmt.Sprintf("+%d+%d", 5*i, 3*i), turned)
		data := run(t, file, nvcompress, "-nocuda", "-alpha", "-bc3", turned, file)
		files, pictures = append(files, file), append(pictures, data[128:])
	}
	const bc3, levels = 77, 7
	for _, f := range []struct {
		name         string
		flags, count uint32
		layers       int
	}{{"array", 0, 5, 5}, {"cube", 4, 1, 6}, {"array of cubes", 4, 2, 12}} {
		t.Run(f.name, func(t *testing.T) {
			tex := open(t, "x.dds", layered(bc3, 3, f.flags, f.count, levels, 0, 64, 64, pictures[:f.layers]...))
			if tex.Layers != f.layers || tex.Levels != levels || tex.Cube != (f.flags != 0) {
				t.Errorf("%s: tex = %+v; want tex.Layers = %v, tex.Levels = %v, tex.Cube exactly if f.flags is not 0", f.name, tex, f.layers, levels)
			}
			for layer := range f.layers {
				alone, err := os.ReadFile(files[layer])
				if err != nil {
					t.Fatal(err)
				}
				for level := range levels {
					got, err := tex.Image(layer, level)
					if err != nil {
						t.Fatal(err)
					}
					want, err := open(t, "x.dds", alone).Image(0, level)
					if err != nil {
						t.Fatal(err)
					}
					near(t, fmt.Sprintf("%s: layer %d, level %d", f.name, layer, level), got, want.Pix, 0)
					if level == 0 {
						near(t, fmt.Sprintf("%s: layer %d", f.name, layer), got, raw(t, "m = Image.open(sys.argv[1])", files[layer]), 1)
					}
				}
			}
		})
	}
	volumeOf(t, pictures[:4])
}

// volumeOf checks a volume of two levels: four slices, then two of half the
// size. Only the newer header marks it as a volume.
func volumeOf(t *testing.T, pictures [][]byte) {
	t.Helper()
	const bc3, whole, half = 77, 64 * 64, 32 * 32
	var list [][]byte
	for _, p := range pictures {
		list = append(list, p[:whole])
	}
	for _, p := range pictures[:2] {
		list = append(list, p[whole:whole+half])
	}
	tex := open(t, "x.dds", layered(bc3, 4, 0, 1, 2, 4, 64, 64, list...))
	if tex.Layers != 4 || tex.Levels != 2 {
		t.Errorf("volume: %+v", tex)
	}
	for i, size := range []int{64, 64, 64, 64, 32, 32} {
		got, err := tex.Image(i%4, i/4)
		if err != nil {
			t.Fatal(err)
		}
		want := first(t, open(t, "x.dds", ddsFile(bc3, size, size, list[i])))
		near(t, fmt.Sprintf("slice %d of level %d", i%4, i/4), got, want.Pix, 0)
	}
	if _, err := tex.Image(2, 1); err == nil {
		t.Error("the second level of the volume has a third slice")
	}
}

// TestPaletteAsPillowHasIt: the colours and numbers of a picture that Pillow
// reduced to a palette, as a DDS, show what Pillow shows.
func TestPaletteAsPillowHasIt(t *testing.T) {
	dir := t.TempDir()
	const w, h = 61, 35
	in, out := writePicture(t, dir, w, h), filepath.Join(dir, "p")
	code := "import sys\nfrom PIL import Image\nm = Image.open(sys.argv[1]).quantize(200)\n" +
		"p = m.getpalette('RGBA')\nopen(sys.argv[2], 'wb').write(bytes(p + [0] * (1024 - len(p))) + m.tobytes())\n" +
		"sys.stdout.buffer.write(bytes(v for i in m.tobytes() for v in p[4*i:4*i+4]))"
	want, err := exec.Command(peer.Python(t, "PIL"), "-c", code, in, out).Output()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	b := ddsFile(fourCC("DXT1"), w, h, data)
	binary.LittleEndian.PutUint32(b[80:], 0x20)
	binary.LittleEndian.PutUint32(b[84:], 0)
	binary.LittleEndian.PutUint32(b[88:], 8)
	tex := open(t, "x.dds", b)
	near(t, tex.Format, first(t, tex), want, 0)
}
