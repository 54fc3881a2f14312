package tree

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
)

func parse(t *testing.T, data []byte) (*gbx.File, *Tree) {
	t.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	tr, err := Of(f)
	if err != nil {
		t.Fatal(err)
	}
	return f, tr
}

// another returns a value to set in the place of the one at p, or nothing for
// kinds on which the layout of a chunk may depend.
func another(p any) string {
	switch p := p.(type) {
	case *string:
		if *p != "" {
			return *p + "é"
		}
	case *gbx.ID:
		if name, ok := p.Name(); ok && name != "" {
			return name + "x"
		}
	case *float32:
		return "0.25"
	case *gbx.Time:
		return "1:02.003"
	case *gbx.Hash128:
		return `"000102030405060708090a0b0c0d0e0f"`
	}
	return ""
}

// TestCorpusEdits sets values of every kind in varied files: nothing else may
// change, and of the bytes only those of the value and the sizes around it.
// An ID that is changed may make a later one, which referred to it, be
// spelled out; its value stays.
func TestCorpusEdits(t *testing.T) {
	t.Parallel()
	const wantFiles, perFile = 50, 3
	seen, edited, edits, ids := 0, 0, 0, 0
	for path, data := range corpus.GBX(t) {
		if seen++; seen%9 != 0 {
			continue
		}
		n, k := editFile(t, filepath.Base(path), data, perFile)
		if n > 0 {
			edited++
		}
		if edits, ids = edits+n, ids+k; edited == wantFiles {
			break
		}
	}
	t.Logf("%d edits, %d of them of Ids, in %d files", edits, ids, edited)
	if edited < wantFiles {
		t.Errorf("only %d files could be edited", edited)
	}
}

// mostValues keeps the few largest files from taking most of the time.
const mostValues = 40_000

// leaves lists the single values below v in the order of the file.
func leaves(v *Value, path string, space int) []placed {
	if v.Kind == Leaf {
		return []placed{{path, v}}
	}
	var list []placed
	for i := range v.Children {
		if c := &v.Children[i]; c.Space == space {
			list = append(list, leaves(c, ChildPath(path, c), space)...)
		}
	}
	return list
}

func editFile(t *testing.T, name string, data []byte, most int) (edits, ids int) {
	_, before := parse(t, data)
	candidates := append(leaves(&before.Header, "header", InHeader), leaves(&before.Body, "body", InBody)...)
	if len(candidates) > mostValues {
		return 0, 0
	}
	step := max(1, len(candidates)/(most*4))
	for i := 0; i < len(candidates) && edits < most; i += step {
		// The next value from here on that can be set.
		for i < len(candidates) && another(candidates[i].p) == "" {
			i++
		}
		if i == len(candidates) {
			break
		}
		c := candidates[i]
		f, _ := parse(t, data)
		found, err := Set(f, c.path, another(c.p))
		if m, _ := before.Find(c.path); len(m) == 1 && m[0].guard {
			if err == nil {
				t.Errorf("%s: %s: a replay was altered", name, c.path)
			}
			continue
		}
		if err != nil || len(found) != 1 {
			t.Errorf("%s: c.path = %s: err = %v; want no error, found of length 1", name, c.path, err)
			continue
		}
		edits++
		_, isID := c.p.(*gbx.ID)
		if isID {
			ids++
		}
		checkEdit(t, name, before, f, c.path, isID)
	}
	return edits, ids
}

// checkEdit saves, reads back and compares.
func checkEdit(t *testing.T, name string, before *Tree, f *gbx.File, path string, isID bool) {
	saved, err := f.Encode()
	if err != nil {
		t.Errorf("%s: %s: %v", name, path, err)
		return
	}
	g, after := parse(t, saved)
	if again, err := g.Encode(); err != nil || !bytes.Equal(again, saved) {
		t.Errorf("%s: %s: the edited file is not saved the same (%v)", name, path, err)
	}
	meant, err := Of(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range diff(t, meant, after) {
		t.Errorf("%s: after setting %s, %s is read as %s", name, path, d.Path, d.New)
	}
	for _, d := range diff(t, before, after) {
		if d.Path != path {
			t.Errorf("%s: setting %s changed %s: %s -> %s", name, path, d.Path, d.Old, d.New)
		}
	}
	changes, err := ByteDiff(before.File, after.File)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if c.Place != path && !strings.HasPrefix(c.Place, "sizes before ") && !isID {
			t.Errorf("%s: setting %s changed bytes of %s", name, path, c.Place)
		}
	}
}

// diff lists how the files of two trees differ.
func diff(t *testing.T, a, b *Tree) []archive.ValueChange {
	t.Helper()
	list, err := Diff(a.File, b.File)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
