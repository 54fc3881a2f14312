package mount_test

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pakbox/cmd/internal/mount"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
)

// put writes a file of a tree.
func put(t *testing.T, tree *mount.Tree, name, text string, flags int) error {
	t.Helper()
	w, err := tree.OpenFile(name, flags)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return errors.Join(err, w.Close())
}

const create, appendTo = os.O_CREATE | os.O_RDWR | os.O_TRUNC, os.O_RDWR

// shown is the complete content of a tree: contents by path, with "/" behind folders.
func shown(t *testing.T, tree *mount.Tree, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	list, err := tree.ReadDir(dir)
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	seen := map[uint64]bool{}
	for _, i := range list {
		name := strings.TrimPrefix(dir+"/"+i.Name(), "./")
		info, err := tree.Stat(name)
		if err != nil || info.IsDir() != i.IsDir() || seen[i.ID] || !i.IsDir() && (info.Name() != i.Name() || info.ID != i.ID || i.Size() >= 0 && info.Size() != i.Size()) {
			t.Errorf("%s is listed as %+v, but Stat = %+v, %v", name, i, info, err)
		}
		seen[i.ID] = true
		if i.IsDir() {
			all[name+"/"] = ""
			maps.Copy(all, shown(t, tree, name))
			continue
		}
		all[name] = read(t, tree, name)
		if int64(len(all[name])) != info.Size() {
			t.Errorf("%s has %d bytes, but size %d", name, len(all[name]), info.Size())
		}
	}
	return all
}

// unzipped returns the files of a zip; zips in it are folders.
func unzipped(t *testing.T, data string, at string) map[string]string {
	t.Helper()
	r, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range r.File {
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(rc)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name, ".zip") {
			maps.Copy(all, unzipped(t, string(content), at+f.Name+"/"))
		} else if !strings.HasSuffix(f.Name, "/") {
			all[at+f.Name] = string(content)
		}
	}
	return all
}

// Every change of a tree is visible at once, after the next start, and in the archive after
// saving.
func TestChanges(t *testing.T) {
	for _, test := range []struct {
		what  string
		do    func(tree *mount.Tree) error
		want  map[string]string // the differences: content, or "gone"
		saved int
	}{
		{"nothing", func(*mount.Tree) error { return nil }, nil, 0},
		{"a new file", func(tree *mount.Tree) error { return put(t, tree, "new.txt", "new", create) }, map[string]string{"new.txt": "new"}, 1},
		{"a file replaced", func(tree *mount.Tree) error { return put(t, tree, "a.txt", "x", create) }, map[string]string{"a.txt": "x"}, 1},
		{"a file written over", func(tree *mount.Tree) error { return put(t, tree, "a.txt", "x", appendTo) }, map[string]string{"a.txt": "xlpha"}, 1},
		{"a file replaced twice", func(tree *mount.Tree) error {
			return errors.Join(put(t, tree, "a.txt", "first", create), put(t, tree, "a.txt", "2", create))
		}, map[string]string{"a.txt": "2"}, 1},
		{"a file written over twice", func(tree *mount.Tree) error {
			return errors.Join(put(t, tree, "a.txt", "fir", create), put(t, tree, "a.txt", "2", appendTo))
		}, map[string]string{"a.txt": "2ir"}, 1},
		{"a file cut", func(tree *mount.Tree) error { return tree.Truncate("d/b.txt", 2) }, map[string]string{"d/b.txt": "be"}, 1},
		{"a file removed", func(tree *mount.Tree) error { return tree.Remove("a.txt") }, map[string]string{"a.txt": "gone"}, 1},
		{"a file renamed", func(tree *mount.Tree) error { return tree.Rename("a.txt", "d/a.txt") }, map[string]string{"a.txt": "gone", "d/a.txt": "alpha"}, 1},
		{"a file renamed over another", func(tree *mount.Tree) error { return tree.Rename("a.txt", "d/b.txt") }, map[string]string{"a.txt": "gone", "d/b.txt": "alpha"}, 2},
		{"a folder renamed", func(tree *mount.Tree) error { return tree.Rename("d", "e") }, map[string]string{"d/b.txt": "gone", "e/b.txt": "beta"}, 1},
		{"a new folder with a file", func(tree *mount.Tree) error {
			return errors.Join(tree.Mkdir("n"), put(t, tree, "n/x", "x", create))
		}, map[string]string{"n/x": "x"}, 1},
		{"a file in an archive", func(tree *mount.Tree) error { return put(t, tree, "in.zip/x.txt", "other", create) }, map[string]string{"in.zip/x.txt": "other"}, 1},
		{"a file in an archive in an archive", func(tree *mount.Tree) error { return put(t, tree, "in.zip/deep.zip/new", "deep", create) }, map[string]string{"in.zip/deep.zip/new": "deep"}, 1},
		{"files here and there", func(tree *mount.Tree) error {
			return errors.Join(tree.Remove("a.txt"), tree.Remove("in.zip/x.txt"), tree.Rename("in.zip/deep.zip/y.txt", "in.zip/deep.zip/z.txt"))
		}, map[string]string{"a.txt": "gone", "in.zip/x.txt": "gone", "in.zip/deep.zip/y.txt": "gone", "in.zip/deep.zip/z.txt": "why"}, 2},
	} {
		t.Run(test.what, func(t *testing.T) {
			deep := string(zipOf(t, "y.txt", "why"))
			file := writeFile(t, zipOf(t, "a.txt", "alpha", "d/b.txt", "beta", "in.zip", string(zipOf(t, "x.txt", "ex", "deep.zip", deep))))
			original, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := unzipped(t, string(original), "")
			tree := openTree(t, file, mount.Options{Write: true})
			if err := test.do(tree); err != nil {
				t.Fatal(err)
			}
			for name, content := range test.want {
				if want[name] = content; content == "gone" {
					delete(want, name)
				}
			}
			check := func(tree *mount.Tree) {
				t.Helper()
				got := shown(t, tree, ".")
				maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
				if !maps.Equal(got, want) {
					t.Errorf("%q, want %q", got, want)
				}
			}
			check(tree)
			if now, err := os.ReadFile(file); err != nil || string(now) != string(original) {
				t.Error("the archive changed before saving")
			}
			tree.Close()
			again := openTree(t, file, mount.Options{Write: true})
			if _, found := again.Unsaved(); (found > 0) != (test.want != nil) {
				t.Errorf("%d changes were kept", found)
			}
			check(again)
			n, err := again.Commit(t.Context())
			if err != nil || n != test.saved {
				t.Errorf("%d changes saved, want %d: %v", n, test.saved, err)
			}
			check(again)
			if n, err := again.End(t.Context()); n != 0 || err != nil {
				t.Errorf("%d changes are left, %v", n, err)
			}
			again.Close()
			saved, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got := unzipped(t, string(saved), ""); !maps.Equal(got, want) {
				t.Errorf("the archive holds %q, want %q", got, want)
			}
			if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
				t.Errorf("files left behind: %v, %v", left, err)
			}
		})
	}
}

// Changed files have the times that programs set, unchanged ones those in the archive. A
// format without times shows the time of the archive.
func TestTimes(t *testing.T) {
	file := writeFile(t, zipOf(t, "a.txt", "alpha"))
	stored := time.Date(2020, 1, 2, 3, 4, 6, 0, time.UTC)
	if err := os.Chtimes(file, stored, stored); err != nil {
		t.Fatal(err)
	}
	tree := openTree(t, file, mount.Options{Write: true})
	if info, err := tree.Stat("a.txt"); err != nil || !info.ModTime().Equal(stored) {
		t.Errorf("info.ModTime() = %v, err = %v; want no error, info.ModTime().Equal(stored) = true", info.ModTime(), err)
	}
	// A file that was opened for writing without a change keeps its time.
	w, err := tree.OpenFile("a.txt", os.O_RDWR)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if info, err := tree.Stat("a.txt"); err != nil || !info.ModTime().Equal(stored) || read(t, tree, "a.txt") != "alpha" {
		t.Errorf(`info = %v, err = %v; want no error, info.ModTime().Equal(stored) = true, read(t, tree, "a.txt") = "alpha"`, info, err)
	}
	other := time.Date(2021, 2, 3, 4, 5, 6, 0, time.UTC)
	if err := tree.SetTime("a.txt", other); err != nil {
		t.Fatal(err)
	}
	if info, err := tree.Stat("a.txt"); err != nil || !info.ModTime().Equal(other) || info.Size() != 5 || read(t, tree, "a.txt") != "alpha" {
		t.Errorf(`info = %v, err = %v; want no error, info.ModTime().Equal(other) = true, info.Size() = 5, read(t, tree, "a.txt") = "alpha"`, info, err)
	}
	info, err := tree.Stat(".")
	if err != nil || !info.IsDir() || info.Mode() != fs.ModeDir|0o755 || info.Size() != 0 || info.Sys() != nil {
		t.Errorf("info = %+v, err = %v; want no error, info.IsDir() = true, info.Mode() = fs.ModeDir | 0o755, info.Size() = 0, info.Sys() = nil", info, err)
	}
	if info, err := tree.Stat("a.txt"); err != nil || info.Mode() != 0o644 {
		t.Errorf("info.Mode() = %v, err = %v; want no error, info.Mode() = 0o644", info.Mode(), err)
	}
	if _, err := tree.Open("."); !errors.Is(err, vfs.ErrIsDir) {
		t.Errorf("reading a folder as a file: %v", err)
	}
}

// The values of a document are texts in folders, each with an ID and a size.
func TestValues(t *testing.T) {
	object, err := os.ReadFile(filepath.FromSlash("../../../samples/trackmania/Sample.Map.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	tree := openTree(t, writeFile(t, zipOf(t, "m.Map.Gbx", string(object))), mount.Options{})
	all := shown(t, tree, "m.Map.Gbx#/values")
	texts := 0
	for name, text := range all {
		if !strings.HasSuffix(name, "/") {
			texts++
			if text == "" || !strings.HasSuffix(name, ".txt") {
				t.Errorf(`%s: text = %q; want text not empty, name ending in ".txt"`, name, text)
			}
		}
	}
	if texts == 0 {
		t.Errorf("all = %v; want texts other than 0", all)
	}
	if _, err := tree.Stat("m.Map.Gbx#/values/no such text"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v; want err matching fs.ErrNotExist", err)
	}
}

// Flat trees show archives as files.
func TestFlat(t *testing.T) {
	inner := string(zipOf(t, "x.txt", "ex"))
	tree := openTree(t, writeFile(t, zipOf(t, "in.zip", inner)), mount.Options{Flat: true})
	if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"in.zip": inner}) {
		t.Errorf("%d files", len(got))
	}
}

// A damaged file is listed. Reading it fails with the reason, which is also logged with the
// path.
func TestDamaged(t *testing.T) {
	data := zipOf(t, "a.txt", strings.Repeat("alpha ", 100), "b.txt", "beta")
	at := strings.Index(string(data), "a.txt") + len("a.txt") + 4
	data[at] ^= 0xff
	file := writeFile(t, data)
	var logged []string
	tree := openTree(t, file, mount.Options{Log: func(err error) { logged = append(logged, fmt.Sprint(err)) }})
	f, err := tree.Open("a.txt")
	if err == nil {
		_, err = io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
		f.Close()
	}
	if err == nil {
		t.Error("damage is not logged")
	}
	if got := read(t, tree, "b.txt"); got != "beta" {
		t.Errorf(`got = %q; want "beta"`, got)
	}
	if info, err := tree.Stat("a.txt"); err != nil || info.Size() != 600 {
		t.Errorf("info = %v, err = %v; want no error, info.Size() = 600", info, err)
	}
	if len(logged) == 0 || !strings.Contains(logged[0], "a.txt") {
		t.Errorf(`logged = %q; want logged not empty, logged[0] with "a.txt"`, logged)
	}
}

// A file above the limit for checks can be read up to its damage, but not changed. The same
// holds without disk space to unpack it.
func TestDamagedAtItsEnd(t *testing.T) {
	const size = 5 << 20
	text := strings.Repeat("0123456789abcdef", size/16)
	data := zipOf(t, "big", text, "in.zip", string(zipOf(t, "x", "ex")), "b", "beta")
	sums := func(name string) { // damages the checksum before a name in the directory
		at := strings.LastIndex(string(data), name) - 46 + 16
		data[at] ^= 1
	}
	sums("big")
	sums("in.zip")
	whole := writeFile(t, zipOf(t, "big", text))
	for _, c := range []struct {
		file, temporary string
		kind            error
	}{{writeFile(t, data), t.TempDir(), fault.Corrupt}, {whole, whole, syscall.ENOTDIR}} {
		t.Setenv("TMPDIR", c.temporary)
		var logged []string
		tree := openTree(t, c.file, mount.Options{Write: true, Log: func(err error) { logged = append(logged, err.Error()) }})
		f, err := tree.Open("big")
		if err != nil || f.Size() != size {
			t.Fatalf("err = %v; want no error, f.Size() = %v", err, size)
		}
		piece := make([]byte, 100)
		if n, err := f.ReadAt(piece, 1600); string(piece) != text[:100] || n != 100 || err != nil || len(logged) != 0 {
			t.Errorf("n = %d, err = %v, logged = %q; want piece = text[:100], n = 100, no error, empty logged", n, err, logged)
		}
		if _, err := f.ReadAt(piece, size-50); !errors.Is(err, c.kind) || len(logged) != 1 || c.file != whole && !strings.HasPrefix(logged[0], filepath.Join(c.file, "big")+": ") {
			t.Errorf(`err = %v, logged = %q; want err matching %v, logged of length 1, (c.file = %v or logged[0] beginning with filepath.Join(c.file, "big") + ": ")`, err, logged, c.kind, whole)
		}
		f.Close()
		if err := put(t, tree, "big", "x", appendTo); !errors.Is(err, c.kind) {
			t.Errorf("writing to a damaged file: %v", err)
		}
		if c.file == whole {
			continue
		}
		// An archive that cannot be unpacked is shown as a file.
		if info, err := tree.Stat("in.zip"); err != nil || info.IsDir() {
			t.Errorf("info = %+v, err = %v; want no error, info.IsDir() = false", info, err)
		}
		if _, err := tree.Open("in.zip"); !errors.Is(err, fault.Corrupt) {
			t.Errorf("err = %v; want err matching fault.Corrupt", err)
		}
		if list, err := tree.ReadDir("."); err != nil || len(list) != 3 {
			t.Errorf("list = %v, err = %v; want no error, list of length 3", list, err)
		}
		if err := errors.Join(put(t, tree, "big", "whole", create), tree.Remove("in.zip")); err != nil {
			t.Error(err)
		}
		if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"big": "whole", "b": "beta"}) {
			t.Errorf(`slices.Sorted(maps.Keys(got)) = %q; want got equal to map[string]string{"big": "whole", "b": "beta"}`, slices.Sorted(maps.Keys(got)))
		}
	}
}

// An archive without files is removed like an empty folder; one with files only as
// a file.
func TestRemoveArchives(t *testing.T) {
	file := writeFile(t, zipOf(t, "a", "alpha", "empty.zip", string(zipOf(t)), "full.zip", string(zipOf(t, "x", "ex"))))
	tree := openTree(t, file, mount.Options{Write: true})
	if err := errors.Join(tree.Remove("empty.zip"), tree.Remove("full.zip#")); err != nil {
		t.Error(err)
	}
	if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"a": "alpha"}) {
		t.Errorf(`got = %q; want got equal to map[string]string{"a": "alpha"}`, got)
	}
	// A file that replaces an archive stays a file until it is saved.
	text := string(zipOf(t, "new", "new"))
	if err := put(t, tree, "full.zip", text, create); err != nil || read(t, tree, "full.zip") != text {
		t.Errorf(`err = %v; want no error, read(t, tree, "full.zip") = %v`, err, text)
	}
	if n, err := tree.Commit(t.Context()); n != 2 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
	if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"a": "alpha", "full.zip/": "", "full.zip/new": "new"}) {
		t.Errorf(`got = %q; want got equal to map[string]string{"a": "alpha", "full.zip/": "", "full.zip/new": "new"}`, got)
	}
}
