package object_test

import (
	"os"
	"strings"
	"testing"

	"pakbox/simutrans/decompile"
	"pakbox/simutrans/object"
)

// Every small source is made into an object and written back as a source that makes the
// same object, without values in comments. testdata/back.txt has the sources
// for Extended, whose compiler is not available for a comparison.
func TestWrittenBack(t *testing.T) {
	const file = "testdata/back.txt"
	sources, err := os.ReadFile("testdata/written.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatalf("err = %v; want no error or *update", err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(sources)) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "> ")
		if !ok {
			continue
		}
		target, text, _ := strings.Cut(text, " ")
		for _, o := range source(t, target, strings.ReplaceAll(text, "; ", "\n")+"\n").Objects {
			if o.Node == nil {
				continue
			}
			r, err := decompile.Object(o.Node, decompile.Options{Target: target, Sheet: "s"})
			if err != nil || !r.Exact || r.Pins > 0 || r.Carried {
				t.Errorf("target = %s text = %s: r = %+v, err = %v; want no error, r.Exact = true, r.Pins at most 0, r.Carried = false", target, text, r, err)
			} else if target == object.Extended {
				got.WriteString("> " + text + "\n" + keysOf(r.Dat) + "\n")
			}
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, before := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(have), len(before)) {
		if i >= len(have) || i >= len(before) || have[i] != before[i] {
			t.Fatalf("line %d of %s is now\n%s", i+1, file, strings.Join(have[min(i, len(have)):min(i+2, len(have))], "\n"))
		}
	}
}

// keysOf are the lines of a source with keys, but for type and name.
func keysOf(source []byte) string {
	var keys []string
	for line := range strings.Lines(string(source)) {
		if key, _, ok := strings.Cut(line, "="); ok && key != "obj" && key != "name" && line[0] != '#' {
			keys = append(keys, strings.TrimSpace(line))
		}
	}
	return strings.Join(keys, "; ")
}
