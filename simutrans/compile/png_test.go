package compile_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/compile"
)

// rawPNG writes a PNG of random bytes with any colour type and depth, which
// the standard library's encoder does not.
func rawPNG(r *rand.Rand, colourType, depth, size int, extra ...[]byte) []byte {
	channels := map[int]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colourType]
	var raw bytes.Buffer
	for range size {
		raw.WriteByte(0)
		for range (size*channels*depth + 7) / 8 {
			raw.WriteByte(byte(r.UintN(256)))
		}
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(raw.Bytes())
	z.Close()
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(size)), uint32(size))
	chunk(&b, "IHDR", append(header, byte(depth), byte(colourType), 0, 0, 0))
	for _, e := range extra {
		chunk(&b, string(e[:4]), e[4:])
	}
	chunk(&b, "IDAT", packed.Bytes())
	chunk(&b, "IEND", nil)
	return b.Bytes()
}

func chunk(b *bytes.Buffer, name string, data []byte) {
	binary.Write(b, binary.BigEndian, uint32(len(data)))
	body := append([]byte(name), data...)
	b.Write(body)
	binary.Write(b, binary.BigEndian, crc32.ChecksumIEEE(body))
}

// TestPNGsOfEveryColourType compiles pictures of every colour type and depth
// and compares with makeobj.
func TestPNGsOfEveryColourType(t *testing.T) {
	peer.Makeobj(t)
	r := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	palette := func(n int) []byte {
		p := []byte("PLTE")
		for range n {
			p = append(p, byte(r.UintN(256)), byte(r.UintN(256)), byte(r.UintN(256)))
		}
		copy(p[4:], "\x24\x4b\x67\xe7\xff\xff") // a special colour and none
		return p
	}
	pictures := map[string][]byte{
		"rgb8":        rawPNG(r, 2, 8, 64),
		"rgb16":       rawPNG(r, 2, 16, 64),
		"rgb8key":     rawPNG(r, 2, 8, 64, []byte("tRNS\x00\x24\x00\x4b\x00\x67")),
		"gray1":       rawPNG(r, 0, 1, 64),
		"gray2":       rawPNG(r, 0, 2, 64),
		"gray4":       rawPNG(r, 0, 4, 64),
		"gray8":       rawPNG(r, 0, 8, 64),
		"gray8key":    rawPNG(r, 0, 8, 64, []byte("tRNS\x00\x10")),
		"gray16":      rawPNG(r, 0, 16, 64),
		"grayalpha8":  rawPNG(r, 4, 8, 64),
		"grayalpha16": rawPNG(r, 4, 16, 64),
		"rgba8":       rawPNG(r, 6, 8, 64),
		"rgba16":      rawPNG(r, 6, 16, 64),
		"palette1":    rawPNG(r, 3, 1, 64, palette(2)),
		"palette2":    rawPNG(r, 3, 2, 64, palette(4)),
		"palette4":    rawPNG(r, 3, 4, 64, palette(16)),
		"palette8":    rawPNG(r, 3, 8, 64, palette(256)),
		"palettekey":  rawPNG(r, 3, 8, 64, palette(256), []byte("tRNS\x00\x80\xff\x07\x08\xfe\xf8\xf7")),
	}
	var b strings.Builder
	for name, data := range pictures {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "obj=symbol\nname=%s\nimage[0]=%s.0.0\n---\n", name, name)
	}
	if err := os.WriteFile(filepath.Join(dir, "all.dat"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pictures compared", compareWithMakeobj(t, dir, "all.dat", 64))
}

// FuzzPicture: any bytes in the place of a picture give an object or an error
// that names the key.
func FuzzPicture(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	f.Add(rawPNG(r, 2, 8, 16))
	f.Add(rawPNG(r, 6, 8, 16))
	f.Add(rawPNG(r, 3, 4, 32, append([]byte("PLTE"), make([]byte, 48)...)))
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := compile.NewCompiler("", 16)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 24 && (data[16]|data[17]|data[18]>>1|data[20]|data[21]|data[22]>>1) != 0 {
			return // a side of 512 pixels and more only takes time
		}
		if err := c.PictureFile("", "p", data); err != nil {
			return
		}
		s := c.Source("p.dat", "", []byte("obj=symbol\nname=p\nimage[0]=p.0.0\nimage[1]=p.3\n"))
		if len(s.Objects) == 0 && !s.Failed() {
			t.Fatal("neither an object nor an error")
		}
		for _, p := range s.Problems {
			if p.Severity == finding.Error && (p.Line == 0 || p.Field == "") {
				t.Fatalf("an error without its place: %v", p)
			}
		}
	})
}
