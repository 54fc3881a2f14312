package walk

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
)

// used are the real files that the walk looks at, by the names they get here.
var used = map[string]string{
	"map.Map.Gbx":       "gbx/03043000/419a42a7df54.Map.Gbx",
	"items.Map.Gbx":     "gbx/03043000/223b9d46373b.Map.Gbx",
	"other.Map.Gbx":     "gbx/03043000/8e10f2666444.Map.Gbx",
	"meta.Map.Gbx":      "gbx/03043000/505873ebb0e9.Map.Gbx",
	"large.Map.Gbx":     "gbx/03043000/6ce0bbb91fcd.Map.Gbx",
	"run.Replay.Gbx":    "gbx/03093000/39fede7f47ab.Replay.Gbx",
	"runs.Replay.Gbx":   "gbx-hard/c5fdce713feac2f2.Replay.Gbx",
	"ghost.Ghost.Gbx":   "gbx/03092000/0133a1ad2e97.Ghost.Gbx",
	"block.Block.Gbx":   "gbx/2e002000/57cbf4f969c9.Block.Gbx",
	"pack.Pack.Gbx":     "nadeopak/g_v18_f0.Pack.Gbx",
	"plain.vpk":         "vpk42/original/plain.vpk",
	"locked.vpk":        "vpk42/original/enc.vpk",
	"metin.eix":         "eterpack/plainidx_type0_lzo.eix",
	"metin.epk":         "eterpack/plainidx_type0_lzo.epk",
	"objects.pak":       "simutrans/pak/portal__test-50.pak",
	"damaged.Block.pak": "simutrans/corrupt/truncated300.pak",
}

// hostile is a name that would be markup if anybody took it for such.
const hostile = `<img src=x onerror=alert(1)>&"'.txt`

// folder makes a folder with the files of the walk.
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "files")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, from := range used {
		root, rest, _ := strings.Cut(from, "/")
		data, err := os.ReadFile(filepath.Join(corpus.Dir(t, root), rest))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), data)
	}
	write(t, filepath.Join(dir, hostile), []byte("<script>alert(1)</script>\nplain text"))
	write(t, filepath.Join(dir, "korean.txt"), []byte("\xb0\xa1\xb3\xaa\xb4\xd9\n"))
	write(t, filepath.Join(dir, "picture.dds"), dds())
	write(t, filepath.Join(dir, "picture.tga"), tga())
	whole, err := os.ReadFile(filepath.Join(dir, "map.Map.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "cut.Map.Gbx"), whole[:200_000]) // in its body
	twoArchives(t, dir)
	return dir
}

// twoArchives makes two archives out of one: the second has a file more, one
// less, one changed, and a map of another name.
func twoArchives(t *testing.T, dir string) {
	t.Helper()
	in := func(name string) string { return filepath.Join(dir, name) }
	plain, err := os.ReadFile(in("plain.vpk"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, in("left.vpk"), plain)
	write(t, in("right.vpk"), plain)
	renamed := filepath.Join(t.TempDir(), "map.Map.Gbx")
	for _, args := range [][]string{
		{"put", "--as", "map.Map.Gbx", in("left.vpk"), in("map.Map.Gbx")},
		{"map", "rename", in("map.Map.Gbx"), "Renamed", "-o", renamed},
		{"put", "--as", "map.Map.Gbx", in("right.vpk"), renamed},
		{"put", "--as", "readme.txt", in("right.vpk"), in("korean.txt")},
		{"put", "--as", "new.txt", in("right.vpk"), in("korean.txt")},
		{"rm", in("right.vpk"), "data.bin"},
	} {
		if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			t.Fatalf("pakbox %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// The pictures of graphics cards are of this size, and of one colour.
const textureWidth, textureHeight = 6, 4

var textureColour = [4]byte{200, 60, 40, 255} // blue, green, red, alpha

// tga is a picture of 32 bits a pixel, from the top.
func tga() []byte {
	b := make([]byte, 18)
	b[2], b[12], b[14], b[16], b[17] = 2, textureWidth, textureHeight, 32, 0x28
	return append(b, bytes.Repeat(textureColour[:], textureWidth*textureHeight)...)
}

// dds is the same without compression.
func dds() []byte {
	words := make([]uint32, 31)
	words[0], words[1], words[2], words[3], words[4] = 124, 0x100F, textureHeight, textureWidth, 4*textureWidth
	words[18], words[19], words[21] = 32, 0x41, 32
	words[22], words[23], words[24], words[25], words[26] = 0xFF0000, 0xFF00, 0xFF, 0xFF000000, 0x1000
	b := []byte("DDS ")
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return append(b, bytes.Repeat(textureColour[:], textureWidth*textureHeight)...)
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
