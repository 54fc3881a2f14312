package starter_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/simutrans/compile"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
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

// Every key stands below its sentence, and no sentence is repeated.
func TestSentences(t *testing.T) {
	target, err := object.LookupTarget(object.DefaultTarget)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range starter.Kinds() {
		source, _, name, err := starter.Object(kind, "My bus", 64)
		if err != nil {
			t.Fatal(err)
		}
		of, _ := node.ObjType(kind)
		keys := object.ByStem(of, target)
		said := map[string]bool{}
		set := 0
		lines := strings.Split(strings.TrimSuffix(string(source), "---\n"), "\n")
		if lines[0] != "# "+object.About(of) || lines[1] != "obj="+kind || lines[2] != "name=My bus" {
			t.Errorf("%s begins with %q", kind, lines[:3])
		}
		for _, line := range lines[4:] {
			if sentence, ok := strings.CutPrefix(line, "# "); ok {
				if said[sentence] || sentence == "" {
					t.Errorf("%s: sentence %q is repeated", kind, sentence)
				}
				said[sentence] = true
				continue
			}
			key, value, ok := strings.Cut(line, "=")
			if !ok {
				if line != "" {
					t.Errorf(`%s: line = %q; want ""`, kind, line)
				}
				continue
			}
			set++
			about := keys[dat.Stem(key)].About
			if about != "" && !said[about] {
				t.Errorf("%s: %s stands before its sentence %q", kind, key, about)
			}
			if strings.Contains(value, name+".") != (strings.Contains(key, "image") || key == "icon" || key == "cursor" || strings.HasPrefix(key, "diagonal")) {
				t.Errorf("%s: %s is %s", kind, key, value)
			}
		}
		if set < 7 || len(said) < 5 {
			t.Errorf("%s: %d keys, %d sentences", kind, set, len(said))
		}
	}
}
