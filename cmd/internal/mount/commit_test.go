package mount_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/cmd/internal/mount"
	"pakbox/internal/testkit/leak"
)

// An archive of two files is a folder with the name of one of them; a change in it changes
// both.
func TestArchiveOfTwoFiles(t *testing.T) {
	var files []string
	for _, name := range []string{"hello.eix", "hello.epk"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "..", "samples", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, "d/"+name, string(data))
	}
	tree := openTree(t, writeFile(t, zipOf(t, files...)), mount.Options{Write: true})
	want := map[string]string{"d/": "", "d/hello.epk": files[3], "d/hello.eix/": ""}
	hello := os.DirFS(filepath.Join("..", "..", "..", "samples", "hello"))
	if err := fs.WalkDir(hello, ".", func(name string, e fs.DirEntry, err error) error {
		at := "d/hello.eix/" + name
		if name == "." || err != nil {
			return err
		}
		if e.IsDir() {
			want[at+"/"] = ""
			return nil
		}
		text, err := fs.ReadFile(hello, name)
		want[at] = string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if got := shown(t, tree, "."); !maps.Equal(got, want) {
		t.Errorf("%q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	if err := put(t, tree, "d/hello.eix/readme.txt", "other", create); err != nil {
		t.Fatal(err)
	}
	if n, err := tree.Commit(t.Context()); n == 0 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
	if got := read(t, tree, "d/hello.eix/readme.txt"); got != "other" || read(t, tree, "d/hello.epk") == files[3] {
		t.Errorf(`got = %q; want got = "other", read(t, tree, "d/hello.epk") other than files[3]`, got)
	}
}

// A file that a program is still writing is not saved when a mount ends: the archive keeps the
// old content. The new content is kept. The next mount shows it again, and does not save
// it either.
func TestEndWhileWriting(t *testing.T) {
	file := writeFile(t, zipOf(t, "a", "alpha", "b", "beta"))
	tree := openTree(t, file, mount.Options{Write: true})
	for _, name := range []string{"d/new", "a"} {
		tree.Mkdir("d")
		w, err := tree.OpenFile(name, create)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		io.WriteString(w, "half")
	}
	if err := put(t, tree, "b", "changed", create); err != nil {
		t.Fatal(err)
	}
	n, err := tree.End(t.Context())
	if n != 1 || err == nil || !strings.Contains(err.Error(), "not saved: a, d/new") {
		t.Errorf("%d saved, %v", n, err)
	}
	tree.Close()
	if got := unzipped(t, contentOf(t, file), ""); !maps.Equal(got, map[string]string{"a": "alpha", "b": "changed"}) {
		t.Errorf(`got = %q; want got equal to map[string]string{"a": "alpha", "b": "changed"}`, got)
	}
	tree = openTree(t, file, mount.Options{Write: true})
	if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"a": "half", "b": "changed", "d/": "", "d/new": "half"}) {
		t.Errorf("the next mount shows %q", got)
	}
	if got := tree.Half(); !slices.Equal(slices.Sorted(slices.Values(got)), []string{"a", "d/new"}) {
		t.Errorf("the next mount warns of %q", got)
	}
	// It saves them only after a program wrote them from the start; a new time is not enough.
	if err := errors.Join(tree.SetTime("a", time.Now()), put(t, tree, "c", "see", create), put(t, tree, "d/new", "whole", create|os.O_TRUNC)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		n, err := tree.End(t.Context())
		if err == nil || !strings.Contains(err.Error(), "not saved: a") || strings.Contains(err.Error(), "d/new") {
			t.Errorf("%d saved, %v", n, err)
		}
		tree.Close()
		if got := unzipped(t, contentOf(t, file), ""); !maps.Equal(got, map[string]string{"a": "alpha", "b": "changed", "c": "see", "d/new": "whole"}) {
			t.Errorf(`got = %q; want got equal to map[string]string{"a": "alpha", "b": "changed", "c": "see", "d/new": "whole"}`, got)
		}
		tree = openTree(t, file, mount.Options{Write: true})
	}
	tree.Close()
	tree = openTree(t, file, mount.Options{Write: true, Halves: true})
	if n, err := tree.End(t.Context()); n != 1 || err != nil || inFolder(t, mount.KeptAt(file)) != "no folder" {
		t.Errorf("%d saved, %v; the folder holds %s", n, err, inFolder(t, mount.KeptAt(file)))
	}
	if got := unzipped(t, contentOf(t, file), "")["a"]; got != "half" {
		t.Errorf(`got = %q; want "half"`, got)
	}
}

// An incomplete file in a nested archive is held back too, also under a new name.
func TestHalfBelow(t *testing.T) {
	file := writeFile(t, zipOf(t, "in.zip", string(zipOf(t, "x", "ex"))))
	tree := openTree(t, file, mount.Options{Write: true})
	w, err := tree.OpenFile("in.zip/new", create)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	io.WriteString(w, "half")
	if err := errors.Join(put(t, tree, "in.zip/y", "why", create), tree.Rename("in.zip/new", "in.zip/renamed")); err != nil {
		t.Fatal(err)
	}
	tree.Close() // as after a kill
	tree = openTree(t, file, mount.Options{Write: true})
	if got := tree.Half(); !slices.Equal(got, []string{"in.zip/renamed"}) {
		t.Errorf("the next mount warns of %q", got)
	}
	if n, err := tree.Commit(t.Context()); n != 1 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
	if got := unzipped(t, contentOf(t, file), ""); !maps.Equal(got, map[string]string{"in.zip/x": "ex", "in.zip/y": "why"}) {
		t.Errorf(`got = %q; want got equal to map[string]string{"in.zip/x": "ex", "in.zip/y": "why"}`, got)
	}
	if got := read(t, tree, "in.zip/renamed"); got != "half" {
		t.Errorf(`got = %q; want "half"`, got)
	}
}

func contentOf(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// copyOf copies files into a folder of the test, and returns the first copy.
func copyOf(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range files {
		data, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, filepath.Base(files[0]))
}

// A kernel releases a file some time after its program has closed it. Saving waits for
// that, but not for a file that a program is still writing.
func TestCommitWaitsForRelease(t *testing.T) {
	tree := openTree(t, writeFile(t, zipOf(t, "a", "alpha")), mount.Options{Write: true})
	w, err := tree.OpenFile("new", create)
	if err != nil {
		t.Fatal(err)
	}
	w.WriteAt([]byte("ne"), 0)
	w.Flush() // by another descriptor of the same file
	w.WriteAt([]byte("w"), 2)
	if n, err := tree.Commit(t.Context()); n != 0 || !errors.Is(err, mount.ErrBeingWritten) {
		t.Errorf("while it is written: %d saved, %v", n, err)
	}
	w.Flush()
	time.AfterFunc(50*time.Millisecond, func() { w.Close() })
	if n, err := tree.Commit(t.Context()); n != 1 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
	if got := read(t, tree, "new"); got != "new" {
		t.Errorf(`got = %q; want "new"`, got)
	}
}

// Saving changes of a nested archive needs a copy of it, which is removed afterwards: a mount
// can be saved many times.
func TestCommitLeavesNoCopies(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	deep := zipOf(t, "c.txt", "deep")
	inner := zipOf(t, "b.txt", "inner", "deep.zip", string(deep))
	file := writeFile(t, zipOf(t, "a.txt", "outer", "inner.zip", string(inner)))
	tree := openTree(t, file, mount.Options{Write: true})
	for i := range 3 {
		name, text := fmt.Sprintf("inner.zip/deep.zip/%d.txt", i), fmt.Sprint("new ", i)
		w, err := tree.OpenFile(name, os.O_CREATE|os.O_RDWR)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.WriteAt([]byte(text), 0); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if n, err := tree.Commit(t.Context()); n != 1 || err != nil {
			t.Fatalf("n = %v, err = %v; want n = 1, no error", n, err)
		}
		if got := read(t, tree, name); got != text {
			t.Errorf("%s holds %q", name, got)
		}
		left, err := os.ReadDir(temporary)
		if err != nil || len(left) > 0 {
			t.Errorf("after %d saves these files are left: %v, %v", i+1, left, err)
		}
	}
}

// Changes in a nested archive stay though many other archives are opened afterwards, more
// than can stay open.
func TestChangesOutlastOthers(t *testing.T) {
	var files []string
	for i := range 50 {
		files = append(files, fmt.Sprintf("%d.zip", i), string(zipOf(t, "x", "ex", "deep.zip", string(zipOf(t, "y", "why")))))
	}
	file := writeFile(t, zipOf(t, files...))
	tree := openTree(t, file, mount.Options{Write: true})
	want := shown(t, tree, ".")
	if err := errors.Join(put(t, tree, "7.zip/deep.zip/y", "other", create), tree.Remove("8.zip/x")); err != nil {
		t.Fatal(err)
	}
	want["7.zip/deep.zip/y"] = "other"
	delete(want, "8.zip/x")
	for range 2 {
		if got := shown(t, tree, "."); !maps.Equal(got, want) {
			t.Errorf("got = %q; want got equal to %q", got, want)
		}
	}
	if n, err := tree.Commit(t.Context()); n != 2 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
	data, err := os.ReadFile(file)
	if got := unzipped(t, string(data), ""); err != nil || len(got) != 99 || got["7.zip/deep.zip/y"] != "other" || got["8.zip/deep.zip/y"] != "why" {
		t.Errorf(`err = %v, got = %q; want no error, got of length 99, got["7.zip/deep.zip/y"] = "other", got["8.zip/deep.zip/y"] = "why"`, err, got)
	}
}

// After Close no file of a tree is open, and its changes can be saved: every file that was
// opened for them was closed.
func TestNothingIsLeftOfChanges(t *testing.T) {
	inner := string(zipOf(t, "x", "ex", "d/y", "why", "z", "zed", "empty.zip", string(zipOf(t)), "deep.zip", string(zipOf(t, "c", "see"))))
	file := writeFile(t, zipOf(t, "in.zip", inner, "other.zip", inner))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the garbage collector would close forgotten files
	before := leak.OpenFiles()
	for round := range 3 {
		tree := openTree(t, file, mount.Options{Write: true})
		name := func(s string) string { return fmt.Sprintf("in.zip/%s%d", s, round) }
		if err := errors.Join(
			put(t, tree, name("new"), "new", create), put(t, tree, name("new"), "newer", appendTo), tree.Truncate(name("new"), 2),
			tree.SetTime("in.zip/d/y", time.Unix(1e9, 0)), tree.Mkdir(name("dir")), put(t, tree, name("dir")+"/f", "f", create),
			put(t, tree, name("gone"), "x", create), tree.Remove(name("gone")), tree.Rename(name("new"), name("renamed")), put(t, tree, "in.zip/deep.zip/c", "see", create),
		); err != nil {
			t.Fatal(err)
		}
		for what, err := range map[string]error{
			"put": put(t, tree, "in.zip/d", "x", create), "put new": put(t, tree, "in.zip/x", "x", create|os.O_EXCL), "mkdir": tree.Mkdir("in.zip/d"),
			"remove": tree.Remove("in.zip/d"), "remove archive": tree.Remove("in.zip/deep.zip"), "rename": tree.Rename("in.zip/none", "in.zip/more"),
			"rename away": tree.Rename("in.zip/x", "other.zip/more"), "rename to nowhere": tree.Rename("in.zip/x", "in.zip/none/x"), "cut": tree.Truncate("in.zip/none", 1), "time": tree.SetTime("in.zip/none", time.Now()),
		} {
			if err == nil {
				t.Errorf("%s succeeded, want an error", what)
			}
		}
		shown(t, tree, ".")
		if round == 2 { // the changes of the first round
			if n, err := tree.Commit(t.Context()); n != 1 || err != nil {
				t.Errorf("%d saved, %v", n, err)
			}
			if got := read(t, tree, "in.zip/renamed0") + read(t, tree, "in.zip/renamed2") + read(t, tree, "in.zip/dir1/f"); got != "nenef" {
				t.Errorf(`got = %q; want "nenef"`, got)
			}
		}
		tree.Close()
		leak.Settled(t, "open files", before, leak.OpenFiles)
	}
}

// The tree of a folder in an archive, or of a nested archive, changes the file on disk that
// contains it.
func TestChangesBelow(t *testing.T) {
	for at, names := range map[string]string{"d/e": "d/e/", "in.zip": "in.zip/", "in.zip/f": "in.zip/f/"} {
		t.Run(at, func(t *testing.T) {
			inner := string(zipOf(t, "a", "alpha", "b", "beta", "c", "gamma", "f/a", "alpha", "f/b", "beta", "f/c", "gamma"))
			file := writeFile(t, zipOf(t, "a", "other", "d/e/a", "alpha", "d/e/b", "beta", "d/e/c", "gamma", "in.zip", inner))
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := unzipped(t, string(data), "")
			tree := openTree(t, filepath.Join(file, at), mount.Options{Write: true})
			if err := errors.Join(put(t, tree, "a", "new", create), tree.Remove("b"), tree.Rename("c", "n")); err != nil {
				t.Error(err)
			}
			if n, err := tree.End(t.Context()); n != 3 || err != nil {
				t.Errorf("%s: %d saved, %v", at, n, err)
			}
			want[names+"a"], want[names+"n"] = "new", "gamma"
			delete(want, names+"b")
			delete(want, names+"c")
			if data, err = os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
			if got := unzipped(t, string(data), ""); !maps.Equal(got, want) {
				t.Errorf("%s: %q, want %q", at, got, want)
			}
		})
	}
}

// Cancelling a save must leave the archive unchanged, and keep the changes so that
// a later save can use them.
func TestSavingCalledOff(t *testing.T) {
	file := writeFile(t, zipOf(t, "a", "alpha", "in.zip", string(zipOf(t, "x", "ex"))))
	tree := openTree(t, file, mount.Options{Write: true})
	original, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(put(t, tree, "in.zip/x", "other", create), tree.Remove("a")); err != nil {
		t.Fatal(err)
	}
	off, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		if n, err := tree.Commit(off); n != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("%d saved, %v", n, err)
		}
		if now, err := os.ReadFile(file); err != nil || string(now) != string(original) {
			t.Errorf("the archive changed, %v", err)
		}
		if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"in.zip/": "", "in.zip/x": "other"}) {
			t.Errorf(`got = %q; want got equal to map[string]string{"in.zip/": "", "in.zip/x": "other"}`, got)
		}
	}
	if n, err := tree.Commit(t.Context()); n != 2 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
	// Saved changes are not written again.
	saved, err := os.Stat(file)
	if n, again := tree.Commit(t.Context()); n != 0 || errors.Join(err, again) != nil {
		t.Errorf("%d saved again, %v, %v", n, err, again)
	}
	if now, err := os.Stat(file); err != nil || !os.SameFile(now, saved) {
		t.Errorf("the file was replaced, %v", err)
	}
}
