package draft_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/archive/ziparchive"
	"pakbox/cmd/internal/draft"
)

// textItem is a file to put into an archive.
func textItem(name, text string) archive.Item {
	return archive.Item{Name: name, Size: int64(len(text)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(text)), nil
	}}
}

// newZip makes a zip of texts, in the order of their names.
func newZip(t *testing.T, file string, texts map[string]string) {
	t.Helper()
	var items []archive.Item
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range texts {
			if !yield(name) {
				return
			}
		}
	}) {
		items = append(items, textItem(name, texts[name]))
	}
	stage, err := archive.NewStage(file, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := (ziparchive.Format{}).Create(t.Context(), stage, items, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
}

// openZip opens a zip file until the test ends.
func openZip(t *testing.T, file string) archive.Editor {
	t.Helper()
	in, closer, err := archive.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closer.Close() })
	a, err := (ziparchive.Format{}).Open(t.Context(), in, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a.(archive.Editor)
}

// contents reads all files of a file system.
func contents(t *testing.T, fsys fs.FS) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		all[name] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestDraftIsAFileSystem(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.zip")
	newZip(t, file, map[string]string{"a.txt": "a", "d/b.txt": "bb", "d/e/c.txt": "ccc"})
	d := draft.New(openZip(t, file))
	if err := d.Put(textItem("d/new.txt", "new")); err != nil {
		t.Fatal(err)
	}
	if err := d.Mkdir("empty"); err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(d, "a.txt", "d/b.txt", "d/e/c.txt", "d/new.txt", "empty"); err != nil {
		t.Error(err)
	}
}

// Random changes of a draft and of a real folder have the same effect: both have the same
// content, refuse the same changes, and the saved archive contains the same files.
func TestDraftLikeAFolder(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 22))
		dir := t.TempDir()
		file, real := filepath.Join(dir, "a.zip"), filepath.Join(dir, "real")
		start := map[string]string{}
		for i := range 12 {
			start[randomName(rnd)] = fmt.Sprint("start ", i)
		}
		for name := range start { // no parent folder is a file
			for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
				delete(start, dir)
			}
		}
		newZip(t, file, start)
		a := openZip(t, file)
		if err := archive.Extract(t.Context(), a, real, archive.ExtractOptions{}); err != nil {
			t.Fatal(err)
		}
		d := draft.New(a)
		var done []string
		for i := range 60 {
			what, mine, theirs := randomChange(rnd, d, real, i)
			done = append(done, what)
			if (mine == nil) != (theirs == nil) {
				t.Fatalf("seed %d: %v: %v, on a folder %v", seed, done, mine, theirs)
			}
		}
		want := contents(t, os.DirFS(real))
		if got := contents(t, d); !mapsEqual(got, want) {
			t.Fatalf("seed %d: %v: the draft holds %v, the folder %v", seed, done, got, want)
		}
		if got := save(t, a, d, file); !mapsEqual(got, want) {
			edits, _ := d.Edits()
			t.Fatalf("seed %d: %v: saved %v, the folder %v; edits %v", seed, done, got, want, words(edits))
		}
	}
}

func randomName(rnd *rand.Rand) string {
	name := string(rune('a' + rnd.IntN(4)))
	for rnd.IntN(2) == 0 && len(name) < 5 {
		name += "/" + string(rune('a'+rnd.IntN(4)))
	}
	return name
}

// randomChange makes the same change in a draft and in a folder.
func randomChange(rnd *rand.Rand, d *draft.Draft, dir string, i int) (what string, mine, theirs error) {
	name, to := randomName(rnd), randomName(rnd)
	at := func(name string) string { return filepath.Join(dir, name) }
	switch rnd.IntN(5) {
	case 0, 1:
		text := fmt.Sprint("text ", i)
		if _, err := d.Stat(path.Dir(name)); err != nil {
			return "", nil, nil // put would create the folder
		}
		return "put " + name, d.Put(textItem(name, text)), os.WriteFile(at(name), []byte(text), 0o666)
	case 2:
		return "mkdir " + name, d.Mkdir(name), os.Mkdir(at(name), 0o777)
	case 3:
		return "remove " + name, d.Remove(name), os.Remove(at(name))
	}
	if info, err := os.Stat(at(to)); err == nil && info.IsDir() {
		return "", nil, nil // os.Rename does not replace folders, not even empty ones
	}
	return "rename " + name + " " + to, d.Rename(name, to), os.Rename(at(name), at(to))
}

// save saves a draft and reads the file again.
func save(t *testing.T, a archive.Editor, d *draft.Draft, file string) map[string]string {
	t.Helper()
	edits, err := d.Edits()
	if err != nil {
		t.Fatal(err)
	}
	stage, err := archive.NewStage(file+".new", true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := a.Edit(t.Context(), stage, edits, archive.CreateOptions{}); err != nil {
		t.Fatalf("%v: %v", words(edits), err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	return contents(t, openZip(t, file+".new"))
}

func words(edits []archive.Edit) (list []string) {
	for _, e := range edits {
		switch {
		case e.Put != nil:
			list = append(list, "put "+e.Put.Name)
		case e.Rename != nil:
			list = append(list, "mv "+e.Rename.From+" "+e.Rename.To)
		default:
			list = append(list, "rm "+e.Remove)
		}
	}
	return list
}

func mapsEqual(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}

// Editors and rsync write a new file and rename it over the old one. That is one
// change of the old file, which keeps its position.
func TestDraftEdits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.zip")
	newZip(t, file, map[string]string{"a": "a", "b": "b", "c": "c", "d/x": "x", "d/y": "y"})
	for _, test := range []struct {
		do   func(d *draft.Draft) error
		want string
	}{
		{func(d *draft.Draft) error { return nil }, ""},
		{func(d *draft.Draft) error {
			return errors.Join(d.Put(textItem(".a.tmp", "new")), d.Rename(".a.tmp", "a"))
		}, "put a"},
		{func(d *draft.Draft) error { return errors.Join(d.Put(textItem("t", "t")), d.Remove("t")) }, ""},
		{func(d *draft.Draft) error { return errors.Join(d.Rename("a", "z"), d.Rename("z", "a")) }, ""},
		{func(d *draft.Draft) error { return d.Rename("d", "e") }, "mv d/x e/x, mv d/y e/y"},
		{func(d *draft.Draft) error { return errors.Join(d.Rename("a", "b")) }, "rm b, mv a b"},
		{func(d *draft.Draft) error { return errors.Join(d.Rename("b", "n"), d.Rename("a", "b")) }, "rm a, mv b n, put b"},
		{func(d *draft.Draft) error {
			return errors.Join(d.Rename("a", "t"), d.Rename("b", "a"), d.Rename("t", "b"))
		}, "rm a, put a, put b"},
		{func(d *draft.Draft) error {
			return errors.Join(d.Rename("a", "old"), d.Put(textItem("a", "new")))
		}, "mv a old, put a"},
	} {
		d := draft.New(openZip(t, file))
		if err := test.do(d); err != nil {
			t.Error(err)
		}
		edits, err := d.Edits()
		if got := strings.Join(words(edits), ", "); err != nil || got != test.want || d.Changed() != (got != "") {
			t.Errorf("edits %q, %v, want %q", got, err, test.want)
		}
	}
}

// In a format without case names match in any case, and keep their spelling
// outside.
func TestDraftNames(t *testing.T) {
	entries := []archive.Entry{{Name: "d:/ymir work/Pic.dds", Size: 1}, {Name: "a/b", Size: 1}, {Name: "a", Size: 1}, {Name: "../x", Size: 1}}
	tree := archive.NewTree(entries, true, func(i int) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader([]byte{byte('0' + i)})), nil
	}).WithRoot(archive.Root{Place: "d:/ymir work", Folder: "d_ymir_work", Param: "drive"})
	d := draft.New(tree)
	if got := contents(t, d); !mapsEqual(got, map[string]string{"d_ymir_work/Pic.dds": "0", "a/b": "1"}) {
		t.Errorf(`got = %v; want mapsEqual(got, map[string]string{"d_ymir_work/Pic.dds": "0", "a/b": "1"}) = true`, got)
	}
	if data, err := fs.ReadFile(d, "D_YMIR_WORK/pic.DDS"); err != nil || string(data) != "0" {
		t.Errorf(`data = %q, err = %v; want no error, data = "0"`, data, err)
	}
	if err := d.Put(textItem("D_ymir_work/PIC.dds", "new")); err != nil {
		t.Fatal(err)
	}
	edits, err := d.Edits()
	if err != nil || len(edits) != 1 || edits[0].Put.Name != "d:/ymir work/Pic.dds" {
		t.Errorf(`words(edits) = %v, err = %v; want no error, edits of length 1, edits[0].Put.Name = "d:/ymir work/Pic.dds"`, words(edits), err)
	}
	if err := d.Put(textItem("d:/ymir work/PIC.dds", "as stored")); err != nil {
		t.Error(err)
	}
	if edits, err := d.Edits(); err != nil || len(edits) != 1 {
		t.Errorf("words(edits) = %v, err = %v; want no error, edits of length 1", words(edits), err)
	}
	for _, bad := range []string{"../y", "/y", "", "a\x01"} {
		if err := d.Put(textItem(bad, "")); err == nil {
			t.Errorf("%q was put", bad)
		}
	}
}

// Content that grows after Put is saved with its final size.
func TestDraftGrows(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), []byte("one"), 0o666); err != nil {
		t.Fatal(err)
	}
	a, err := (folder.Format{}).OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := draft.New(a)
	if err := d.Put(archive.Item{Name: "x", Size: -1, Open: func() (io.ReadCloser, error) { return os.Open(filepath.Join(dir, "x")) }}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "one two"} {
		os.WriteFile(filepath.Join(dir, "x"), []byte(text), 0o666)
		info, err := d.Stat("x")
		edits, editsErr := d.Edits()
		if err != nil || editsErr != nil || info.Size() != int64(len(text)) || edits[0].Put.Size != int64(len(text)) {
			t.Errorf("info = %v, err = %v, editsErr = %v; want no error, no error, info.Size() = int64(len(text)), edits[0].Put.Size = int64(len(text))", info, err, editsErr)
		}
	}
}
