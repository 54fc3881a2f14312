package compile_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/peer"
	"pakbox/simutrans/compile"
)

// testSheet draws 8 × 8 cells of 64 pixels with all kinds of colours.
func testSheet(r *rand.Rand) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 512, 512))
	specials := []color.NRGBA{{0x24, 0x4B, 0x67, 255}, {0xFF, 0x01, 0x7F, 255}, {0x6B, 0x6B, 0x6B, 255}, {0xE7, 0xFF, 0xFF, 255}}
	for row := range 8 {
		for col := range 8 {
			n := r.IntN(40)
			for range n {
				x, y := col*64+r.IntN(64), row*64+r.IntN(64)
				c := color.NRGBA{uint8(r.UintN(256)), uint8(r.UintN(256)), uint8(r.UintN(256)), 255}
				if r.IntN(3) == 0 {
					c = specials[r.IntN(len(specials))]
				}
				if r.IntN(3) == 0 {
					c.A = uint8(r.UintN(256))
				}
				for dx := range r.IntN(8) {
					if x+dx < (col+1)*64 {
						m.SetNRGBA(x+dx, y, c)
					}
				}
			}
		}
	}
	return m
}

func writePNG(t *testing.T, path string, m image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compareWithMakeobj compiles one source with both compilers and compares the
// files they write.
func compareWithMakeobj(t *testing.T, dir, source string, cell int) (files int) {
	t.Helper()
	theirs, ours := filepath.Join(t.TempDir(), "theirs")+"/", t.TempDir()+"/"
	if err := os.Mkdir(theirs, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(peer.Makeobj(t), "QUIET", fmt.Sprintf("PAK%d", cell), theirs, source)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("makeobj: %v\n%s", err, out)
	}
	result, err := compile.Run(context.Background(), compile.Options{Sources: []string{filepath.Join(dir, source)}, Out: ours, Cell: cell})
	if err != nil {
		t.Fatal(err)
	}
	if result.Failed() {
		for _, p := range result.Problems {
			if p.Severity > 0 {
				t.Error(p)
			}
		}
	}
	names, _ := filepath.Glob(theirs + "*.pak")
	for _, name := range names {
		want, _ := os.ReadFile(name)
		got, err := os.ReadFile(filepath.Join(ours, filepath.Base(name)))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s differs from makeobj's", filepath.Base(name))
		}
	}
	if len(names) != len(result.Outputs) {
		t.Errorf("makeobj wrote %d files, we wrote %d", len(names), len(result.Outputs))
	}
	return len(names)
}

func TestRandomSourcesCompileAsMakeobjDoes(t *testing.T) {
	peer.Makeobj(t)
	r := rand.New(rand.NewPCG(6, 60))
	dir := t.TempDir()
	writePNG(t, filepath.Join(dir, "s.png"), testSheet(r))
	var b strings.Builder
	for i := range 330 {
		g := &generator{Rand: r, b: &b}
		g.object(i)
		b.WriteString("---\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "all.dat"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d objects compared", compareWithMakeobj(t, dir, "all.dat", 64))
}
