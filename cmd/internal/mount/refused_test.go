package mount_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/cmd/internal/mount"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
)

// Impossible operations are refused with the errors of a file system, and change
// nothing.
func TestRefused(t *testing.T) {
	object, err := os.ReadFile(filepath.FromSlash("../../../samples/trackmania/Sample.Map.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	file := writeFile(t, zipOf(t, "a.txt", "alpha", "d/b.txt", "beta", "in.zip", string(zipOf(t, "x.txt", "ex")), "m.Map.Gbx", string(object)))
	tree := openTree(t, file, mount.Options{Write: true})
	before := shown(t, tree, ".")
	for _, test := range []struct {
		what string
		err  error
		want error
	}{
		{"a folder as a file", put(t, tree, "d", "x", create), vfs.ErrIsDir},
		{"a file that is there", put(t, tree, "a.txt", "x", create|os.O_EXCL), fs.ErrExist},
		{"a file that is not", put(t, tree, "b.txt", "x", appendTo), fs.ErrNotExist},
		{"a file in no folder", put(t, tree, "none/b.txt", "x", create), fs.ErrNotExist},
		{"a file in a file", put(t, tree, "a.txt/b.txt", "x", create), vfs.ErrNotDir},
		{"an invalid name", put(t, tree, "../b.txt", "x", create), fs.ErrInvalid},
		{"a folder that is there", tree.Mkdir("d"), fs.ErrExist},
		{"a folder that is not empty", tree.Remove("d"), vfs.ErrNotEmpty},
		{"an archive that is not empty", tree.Remove("in.zip"), vfs.ErrNotEmpty},
		{"nothing removed", tree.Remove("none"), fs.ErrNotExist},
		{"a file in no folder removed", tree.Remove("none/x"), fs.ErrNotExist},
		{"a file in no folder renamed", tree.Rename("none/x", "x"), fs.ErrNotExist},
		{"a file below an archive that is a file", put(t, tree, "in.zip#/x", "x", create), fs.ErrPermission},
		{"nothing renamed", tree.Rename("none", "x"), fs.ErrNotExist},
		{"into another archive", tree.Rename("a.txt", "in.zip/a.txt"), mount.ErrOtherArchive},
		{"out of another archive", tree.Rename("in.zip/x.txt", "x.txt"), mount.ErrOtherArchive},
		{"to nowhere", tree.Rename("a.txt", "none/a.txt"), fs.ErrNotExist},
		{"a value", put(t, tree, "m.Map.Gbx#/values/x.txt", "x", create), fs.ErrPermission},
		{"the folder of values", tree.Mkdir("m.Map.Gbx#/values"), fs.ErrPermission},
		{"the size of nothing", tree.Truncate("none", 1), fs.ErrNotExist},
		{"the time of nothing", tree.SetTime("none", time.Now()), fs.ErrNotExist},
	} {
		if !errors.Is(test.err, test.want) {
			t.Errorf("%s: %v, want %v", test.what, test.err, test.want)
		}
	}
	if got := shown(t, tree, "."); !maps.Equal(got, before) {
		t.Errorf("%q, before %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(before)))
	}
	// While a file is being written, nothing is saved.
	w, err := tree.OpenFile("a.txt", create)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Commit(t.Context()); err == nil || !strings.Contains(err.Error(), "being written") {
		t.Errorf("saved while a file is written: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	w.Close() // once more, which counts once
	if w, err = tree.OpenFile("d/b.txt", appendTo); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Commit(t.Context()); err == nil || !strings.Contains(err.Error(), "being written") {
		t.Errorf("saved while another file is written: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	// An archive with unsaved changes cannot be renamed.
	if err := errors.Join(put(t, tree, "in.zip/new", "x", create)); err != nil {
		t.Fatal(err)
	}
	if err := tree.Rename("in.zip", "other.zip"); !errors.Is(err, mount.ErrUnsaved) {
		t.Errorf("renamed with changes in it: %v", err)
	}
	if n, err := tree.Commit(t.Context()); err != nil || n != 3 {
		t.Errorf("%d saved, %v", n, err)
	}
	if err := tree.Rename("in.zip", "other.zip"); err != nil {
		t.Error(err)
	}
	if got := read(t, tree, "other.zip/new"); got != "x" {
		t.Errorf(`got = %q; want "x"`, got)
	}
	// A second mount of the same archive has to wait.
	if err := mount.Discard(file); err == nil || !strings.Contains(err.Error(), "by another mount") {
		t.Errorf("dropped by another: %v", err)
	}
	closed := openTree(t, writeFile(t, zipOf(t, "a", "a")), mount.Options{})
	if dir, found := closed.Unsaved(); dir != "" || found != 0 || closed.Writable() {
		t.Errorf(`dir = %s, found = %d; want dir = "", found = 0, closed.Writable() = false`, dir, found)
	}
	for what, err := range map[string]error{"put": put(t, closed, "a", "x", create), "remove": closed.Remove("a"), "rename": closed.Rename("a", "b"), "cut": closed.Truncate("a", 0)} {
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: err = %v; want err matching fs.ErrPermission", what, err)
		}
	}
	if n, err := closed.Commit(t.Context()); n != 0 || err != nil {
		t.Errorf("n = %d, err = %v; want n = 0, no error", n, err)
	}
	if n, err := closed.End(t.Context()); n != 0 || err != nil {
		t.Errorf("n = %d, err = %v; want n = 0, no error", n, err)
	}
}

// Files that systems create in every folder, such as .DS_Store, are not saved in an archive.
// They can be read, and are gone afterwards. Such files in the archive stay.
func TestOwnFilesOfSystems(t *testing.T) {
	file := writeFile(t, zipOf(t, "a", "alpha", "old/.DS_Store", "held"))
	tree := openTree(t, file, mount.Options{Write: true})
	tree.Mkdir("d")
	for _, name := range []string{".DS_Store", "._a", "d/Thumbs.db", "old/desktop.ini", "old/.DS_Store", "new"} {
		if err := put(t, tree, name, "own", create); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, err := tree.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{".DS_Store": "own", "._a": "own", "a": "alpha", "d/": "", "d/Thumbs.db": "own", "new": "own",
			"old/": "", "old/.DS_Store": "own", "old/desktop.ini": "own"}
		if got := shown(t, tree, "."); !maps.Equal(got, want) {
			t.Errorf("shown are %q", got)
		}
	}
	if n, err := tree.End(t.Context()); n != 0 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
	tree.Close()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := unzipped(t, string(data), ""); !maps.Equal(got, map[string]string{"a": "alpha", "new": "own", "old/.DS_Store": "held"}) {
		t.Errorf(`got = %q; want got equal to map[string]string{"a": "alpha", "new": "own", "old/.DS_Store": "held"}`, got)
	}
	if _, err := os.Stat(mount.KeptAt(file)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("changes are left: %v", err)
	}
}

// A name that the format cannot store is refused at its creation, and not at
// saving.
func TestNamesThatDoNotFit(t *testing.T) {
	file := copyOf(t, "../../../samples/hello.eix", "../../../samples/hello.epk")
	tree := openTree(t, file, mount.Options{Write: true})
	long := strings.Repeat("n", 200)
	for what, err := range map[string]error{
		"a file": put(t, tree, long, "x", create), "a folder": tree.Mkdir(long), "a rename": tree.Rename("readme.txt", long),
	} {
		if !errors.Is(err, fault.NameTooLong) {
			t.Errorf("%s: err = %v; want err matching fault.NameTooLong", what, err)
		}
	}
	if err := put(t, tree, "short", "x", create); err != nil {
		t.Error(err)
	}
	if err := put(t, tree, "안녕", "x", create); err != nil {
		t.Error(err)
	}
	if n, err := tree.Commit(t.Context()); n != 2 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
	// Now the pack has a code page, which lacks a character of this name.
	for what, err := range map[string]error{
		"a file": put(t, tree, "grüße", "x", create), "a folder": tree.Mkdir("grüße"), "a rename": tree.Rename("short", "grüße"),
	} {
		if !errors.Is(err, mount.ErrName) {
			t.Errorf("%s: err = %v; want err matching mount.ErrName", what, err)
		}
	}
	if n, err := tree.End(t.Context()); n != 0 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
}
