package starter_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/simutrans/compile"
	"pakbox/simutrans/object"
	"pakbox/simutrans/starter"
)

// TestStartersCompile: every kind compiles for every target and size of cells
// without a word, and each image has pixels.
func TestStartersCompile(t *testing.T) {
	for _, kind := range starter.Kinds() {
		for _, cell := range []int{64, 128} {
			dir := t.TempDir()
			source, picture, name, err := starter.Object(kind, "My first/one", cell)
			if err != nil {
				t.Fatal(err)
			}
			if strings.ContainsAny(name, "/ ") {
				t.Errorf("the file is called %q", name)
			}
			for file, data := range map[string][]byte{name + ".dat": source, name + ".png": picture} {
				if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, target := range object.Targets() {
				c, err := compile.NewCompiler(target, 0)
				if err != nil {
					t.Fatal(err)
				}
				s := c.File(filepath.Join(dir, name+".dat"))
				for _, p := range s.Problems {
					// Windows has no / in names, and Extended other keys.
					if p.Rule != "file_name" && target != object.Extended {
						t.Errorf("%s for %s: %s", kind, target, p)
					}
				}
				if len(s.Objects) != 1 || s.Objects[0].Obj != kind || s.Objects[0].Name != "My first/one" {
					t.Errorf("%s for %s: %v %v", kind, target, s.Objects, s.Problems)
				}
			}
		}
	}
	for _, wrong := range [][2]string{{"tree", "a"}, {"vehicle", ""}, {"vehicle", " a"}, {"vehicle", "a\nb"}} {
		if _, _, _, err := starter.Object(wrong[0], wrong[1], 64); err == nil {
			t.Errorf("%q is made", wrong)
		}
	}
	if _, _, _, err := starter.Object("way", "a", 3); err == nil {
		t.Error("cells of 3 pixels")
	}
}
