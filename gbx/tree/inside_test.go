package tree

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
)

// blockMaps are maps whose lightmap is a compressed block with more compressed
// blocks inside.
func blockMaps(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range []string{"223b9d46373b.Map.Gbx"} {
		data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx"), "03043000", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	return files
}

// The bytes of a value in a compressed block are those that the value is
// stored in.
func TestBytesInside(t *testing.T) {
	for name, data := range blockMaps(t) {
		_, tr := parse(t, data)
		seen, spaces := 0, map[int]bool{}
		var walk func(v *Value)
		walk = func(v *Value) {
			if n, ok := v.p.(*uint32); ok && v.Kind == Leaf && v.Space > InBody && v.Length == 4 {
				seen++
				spaces[v.Space] = true
				if b := tr.Bytes(v); len(b) != 4 || binary.LittleEndian.Uint32(b) != *n {
					t.Fatalf("%s: %s is %d, but its bytes are % x", name, v.Name, *n, b)
				}
			}
			for i := range v.Children {
				walk(&v.Children[i])
			}
		}
		walk(&tr.Body)
		if seen < 90 || len(spaces) < 3 {
			t.Errorf("%s: only %d values in %d blocks", name, seen, len(spaces))
		}
	}
}

// A value in a compressed block is set like any other; of the blocks only
// those around it are compressed again.
func TestSetInside(t *testing.T) {
	for name, data := range blockMaps(t) {
		for _, edit := range []struct{ path, value string }{
			{"0602200F.quality", "High"},
			{"0602201A.mapping.places.content.values[3].x", "77"},
		} {
			_, before := parse(t, data)
			f, _ := parse(t, data)
			if _, err := Set(f, edit.path, edit.value); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			saved, err := f.Encode()
			if err != nil {
				t.Fatal(err)
			}
			_, after := parse(t, saved)
			checkInside(t, name+": "+edit.path, edit.path, before, after)
		}
	}
}

func checkInside(t *testing.T, name, path string, before, after *Tree) {
	t.Helper()
	set := 0
	for _, c := range diff(t, before, after) {
		switch {
		case strings.HasSuffix(c.Path, path):
			set++
		case strings.HasSuffix(c.Path, ".compressed") || strings.HasSuffix(c.Path, ".uncompressedSize"):
			block := c.Path[:strings.LastIndexByte(c.Path, '.')]
			if !strings.HasPrefix(path, "0602200F") && strings.Contains(path, ".content") || strings.Count(block, ".content") == 0 {
				continue // a block around the value
			}
			t.Errorf("%s: block %s changed", name, block)
		default:
			t.Errorf("%s: %s changed from %s to %s", name, c.Path, c.Old, c.New)
		}
	}
	if set != 1 {
		t.Errorf("%s: changed %d times", name, set)
	}
	// A difference between the two forms names the content, too.
	inside := false
	changes, err := ByteDiff(before.File, after.File)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		inside = inside || strings.HasPrefix(c.Part, "inside ") && c.OldText != c.NewText && !bytes.Equal(c.Old, c.New)
	}
	if !inside {
		t.Errorf("%s: no difference inside the block is listed", name)
	}
}
