package mount_test

import (
	"archive/zip"
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
	"syscall"
	"testing"
	"time"

	"pakbox/fault"
	"pakbox/internal/lib/vfs"
	"pakbox/internal/mount"
	"pakbox/internal/testkit/leak"
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

// shown is all that a tree shows: contents by path, "/" behind folders.
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
			t.Errorf("%s is listed as %+v, and is %+v, %v", name, i, info, err)
		}
		seen[i.ID] = true
		if i.IsDir() {
			all[name+"/"] = ""
			maps.Copy(all, shown(t, tree, name))
			continue
		}
		all[name] = read(t, tree, name)
		if int64(len(all[name])) != info.Size() {
			t.Errorf("%s: %d bytes, told as %d", name, len(all[name]), info.Size())
		}
	}
	return all
}

// unzipped is what a zip holds, zips in it as folders.
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

// All that can be done to a tree is seen at once, after a new start, and in the
// archive when it is saved.
func TestChanges(t *testing.T) {
	for _, test := range []struct {
		what  string
		do    func(tree *mount.Tree) error
		want  map[string]string // what is other than before: content, or "gone"
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
				t.Error("the archive is another before it is saved")
			}
			tree.Close()
			again := openTree(t, file, mount.Options{Write: true})
			if _, found := again.Kept(); (found > 0) != (test.want != nil) {
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
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// What cannot be done is refused with what a file system says, and changes
// nothing.
func TestRefused(t *testing.T) {
	object, err := os.ReadFile(filepath.FromSlash("../../samples/trackmania/Sample.Map.Gbx"))
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
		{"a name that is none", put(t, tree, "../b.txt", "x", create), fs.ErrInvalid},
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
	// A changed archive keeps its name until it is saved.
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
		t.Errorf("%q", got)
	}
	// Another mount of the same archive has to wait.
	if err := mount.Discard(file); err == nil || !strings.Contains(err.Error(), "by another mount") {
		t.Errorf("dropped by another: %v", err)
	}
	closed := openTree(t, writeFile(t, zipOf(t, "a", "a")), mount.Options{})
	if dir, found := closed.Kept(); dir != "" || found != 0 || closed.Writable() {
		t.Errorf("%s, %d", dir, found)
	}
	for what, err := range map[string]error{"put": put(t, closed, "a", "x", create), "remove": closed.Remove("a"), "rename": closed.Rename("a", "b"), "cut": closed.Truncate("a", 0)} {
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if n, err := closed.Commit(t.Context()); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := closed.End(t.Context()); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// Files have the times that they are given, and those that are stored; what
// stores none has that of the archive.
func TestTimes(t *testing.T) {
	file := writeFile(t, zipOf(t, "a.txt", "alpha"))
	stored := time.Date(2020, 1, 2, 3, 4, 6, 0, time.UTC)
	if err := os.Chtimes(file, stored, stored); err != nil {
		t.Fatal(err)
	}
	tree := openTree(t, file, mount.Options{Write: true})
	if info, err := tree.Stat("a.txt"); err != nil || !info.ModTime().Equal(stored) {
		t.Errorf("%v, %v", info.ModTime(), err)
	}
	// Opened to be changed and left alone, it is as it was.
	w, err := tree.OpenFile("a.txt", os.O_RDWR)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if info, err := tree.Stat("a.txt"); err != nil || !info.ModTime().Equal(stored) || read(t, tree, "a.txt") != "alpha" {
		t.Errorf("%v, %v", info, err)
	}
	other := time.Date(2021, 2, 3, 4, 5, 6, 0, time.UTC)
	if err := tree.SetTime("a.txt", other); err != nil {
		t.Fatal(err)
	}
	if info, err := tree.Stat("a.txt"); err != nil || !info.ModTime().Equal(other) || info.Size() != 5 || read(t, tree, "a.txt") != "alpha" {
		t.Errorf("%v, %v", info, err)
	}
	info, err := tree.Stat(".")
	if err != nil || !info.IsDir() || info.Mode() != fs.ModeDir|0o755 || info.Size() != 0 || info.Sys() != nil {
		t.Errorf("%+v, %v", info, err)
	}
	if info, err := tree.Stat("a.txt"); err != nil || info.Mode() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if _, err := tree.Open("."); !errors.Is(err, vfs.ErrIsDir) {
		t.Errorf("a folder is read: %v", err)
	}
}

// The values of a document are texts in folders, each with a number and a size.
func TestValues(t *testing.T) {
	object, err := os.ReadFile(filepath.FromSlash("../../samples/trackmania/Sample.Map.Gbx"))
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
				t.Errorf("%s: %q", name, text)
			}
		}
	}
	if texts == 0 {
		t.Errorf("%v", all)
	}
	if _, err := tree.Stat("m.Map.Gbx#/values/no such text"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// Flat trees show archives as the files that they are.
func TestFlat(t *testing.T) {
	inner := string(zipOf(t, "x.txt", "ex"))
	tree := openTree(t, writeFile(t, zipOf(t, "in.zip", inner)), mount.Options{Flat: true})
	if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"in.zip": inner}) {
		t.Errorf("%d files", len(got))
	}
}

// A file that is damaged is there, and whoever reads it learns why it cannot be;
// so does the log, with its path.
func TestDamaged(t *testing.T) {
	data := zipOf(t, "a.txt", strings.Repeat("alpha ", 100), "b.txt", "beta")
	at := strings.Index(string(data), "a.txt") + len("a.txt") + 4
	data[at] ^= 0xff
	file := writeFile(t, data)
	var told []string
	tree := openTree(t, file, mount.Options{Log: func(err error) { told = append(told, fmt.Sprint(err)) }})
	f, err := tree.Open("a.txt")
	if err == nil {
		_, err = io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
		f.Close()
	}
	if err == nil {
		t.Error("damage is not told")
	}
	if got := read(t, tree, "b.txt"); got != "beta" {
		t.Errorf("%q", got)
	}
	if info, err := tree.Stat("a.txt"); err != nil || info.Size() != 600 {
		t.Errorf("%v, %v", info, err)
	}
	if len(told) == 0 || !strings.Contains(told[0], "a.txt") {
		t.Errorf("%q", told)
	}
}

// What is too large to be checked first can be read up to where it is damaged, and
// is not changed as if it were whole; so with what there is no room to unpack.
func TestDamagedAtItsEnd(t *testing.T) {
	const size = 5 << 20
	text := strings.Repeat("0123456789abcdef", size/16)
	data := zipOf(t, "big", text, "in.zip", string(zipOf(t, "x", "ex")), "b", "beta")
	sums := func(name string) { // spoils the checksum that stands before a name in the directory
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
		var told []string
		tree := openTree(t, c.file, mount.Options{Write: true, Log: func(err error) { told = append(told, err.Error()) }})
		f, err := tree.Open("big")
		if err != nil || f.Size() != size {
			t.Fatal(err)
		}
		piece := make([]byte, 100)
		if n, err := f.ReadAt(piece, 1600); string(piece) != text[:100] || n != 100 || err != nil || len(told) != 0 {
			t.Errorf("%d, %v, %q", n, err, told)
		}
		if _, err := f.ReadAt(piece, size-50); !errors.Is(err, c.kind) || len(told) != 1 || c.file != whole && !strings.HasPrefix(told[0], filepath.Join(c.file, "big")+": ") {
			t.Errorf("%v, %q", err, told)
		}
		f.Close()
		if err := put(t, tree, "big", "x", appendTo); !errors.Is(err, c.kind) {
			t.Errorf("written over: %v", err)
		}
		if c.file == whole {
			continue
		}
		// An archive that cannot be unpacked is the file that it is.
		if info, err := tree.Stat("in.zip"); err != nil || info.IsDir() {
			t.Errorf("%+v, %v", info, err)
		}
		if _, err := tree.Open("in.zip"); !errors.Is(err, fault.Corrupt) {
			t.Error(err)
		}
		if list, err := tree.ReadDir("."); err != nil || len(list) != 3 {
			t.Errorf("%v, %v", list, err)
		}
		if err := errors.Join(put(t, tree, "big", "whole", create), tree.Remove("in.zip")); err != nil {
			t.Error(err)
		}
		if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"big": "whole", "b": "beta"}) {
			t.Errorf("%q", slices.Sorted(maps.Keys(got)))
		}
	}
}

// An archive that is two files is a folder under the name of one of them; what is
// changed in it is changed in both.
func TestArchiveOfTwoFiles(t *testing.T) {
	var files []string
	for _, name := range []string{"hello.eix", "hello.epk"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "samples", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, "d/"+name, string(data))
	}
	tree := openTree(t, writeFile(t, zipOf(t, files...)), mount.Options{Write: true})
	want := map[string]string{"d/": "", "d/hello.epk": files[3], "d/hello.eix/": ""}
	hello := os.DirFS(filepath.Join("..", "..", "samples", "hello"))
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
		t.Errorf("%q", got)
	}
}

// A file that a program still writes is not saved when a mount ends: an old file stays
// what it was. What was written is kept, and the next mount shows it again.
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
	if n != 1 || err == nil || !strings.Contains(err.Error(), "programs were still writing: a, d/new") {
		t.Errorf("%d saved, %v", n, err)
	}
	tree.Close()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := unzipped(t, string(data), ""); !maps.Equal(got, map[string]string{"a": "alpha", "b": "changed"}) {
		t.Errorf("%q", got)
	}
	tree = openTree(t, file, mount.Options{Write: true})
	if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"a": "half", "b": "changed", "d/": "", "d/new": "half"}) {
		t.Errorf("the next mount shows %q", got)
	}
	if n, err := tree.End(t.Context()); n != 2 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
}

// What systems make for themselves in every folder stays out of an archive, can be read
// back, and leaves nothing behind. What an archive holds of it stays there.
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
		t.Errorf("%q", got)
	}
	if _, err := os.Stat(mount.KeptAt(file)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("changes are left: %v", err)
	}
}

// A name that the format cannot hold is refused when it is made, and not when all
// changes are saved.
func TestNamesThatDoNotFit(t *testing.T) {
	file := copyOf(t, "../../samples/hello.eix", "../../samples/hello.epk")
	tree := openTree(t, file, mount.Options{Write: true})
	long := strings.Repeat("n", 200)
	for what, err := range map[string]error{
		"a file": put(t, tree, long, "x", create), "a folder": tree.Mkdir(long), "a rename": tree.Rename("readme.txt", long),
	} {
		if !errors.Is(err, fault.NameTooLong) {
			t.Errorf("%s: %v", what, err)
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
	// Now the pack has a code page, and that has no letter for this.
	for what, err := range map[string]error{
		"a file": put(t, tree, "grüße", "x", create), "a folder": tree.Mkdir("grüße"), "a rename": tree.Rename("short", "grüße"),
	} {
		if !errors.Is(err, mount.ErrName) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if n, err := tree.End(t.Context()); n != 0 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
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

// A kernel releases a file some time after its program closed it. Saving waits for
// that, and not for a file that a program still writes.
func TestCommitWaitsForRelease(t *testing.T) {
	tree := openTree(t, writeFile(t, zipOf(t, "a", "alpha")), mount.Options{Write: true})
	w, err := tree.OpenFile("new", create)
	if err != nil {
		t.Fatal(err)
	}
	w.WriteAt([]byte("ne"), 0)
	w.Flush() // of another descriptor of the same file
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
		t.Errorf("%q", got)
	}
}

// Saving changes of an archive in another needs a copy of it, which is gone when it
// is saved: who mounts for a week saves often.
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
			t.Fatal(n, err)
		}
		if got := read(t, tree, name); got != text {
			t.Errorf("%s holds %q", name, got)
		}
		left, err := os.ReadDir(temporary)
		if err != nil || len(left) > 0 {
			t.Errorf("saved %d times, and there is %v, %v", i+1, left, err)
		}
	}
}

// Changes in an archive in another stay though many others are looked at since,
// more than are kept open.
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
			t.Errorf("%q", got)
		}
	}
	if n, err := tree.Commit(t.Context()); n != 2 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
	data, err := os.ReadFile(file)
	if got := unzipped(t, string(data), ""); err != nil || len(got) != 99 || got["7.zip/deep.zip/y"] != "other" || got["8.zip/deep.zip/y"] != "why" {
		t.Errorf("%v, %q", err, got)
	}
}

// An archive without files is removed as an empty folder is, one with files only as
// the file that it also is.
func TestRemoveArchives(t *testing.T) {
	file := writeFile(t, zipOf(t, "a", "alpha", "empty.zip", string(zipOf(t)), "full.zip", string(zipOf(t, "x", "ex"))))
	tree := openTree(t, file, mount.Options{Write: true})
	if err := errors.Join(tree.Remove("empty.zip"), tree.Remove("full.zip#")); err != nil {
		t.Error(err)
	}
	if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"a": "alpha"}) {
		t.Errorf("%q", got)
	}
	// What is put in its place is a file until it is saved, whatever it was before.
	text := string(zipOf(t, "new", "new"))
	if err := put(t, tree, "full.zip", text, create); err != nil || read(t, tree, "full.zip") != text {
		t.Error(err)
	}
	if n, err := tree.Commit(t.Context()); n != 2 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
	if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"a": "alpha", "full.zip/": "", "full.zip/new": "new"}) {
		t.Errorf("%q", got)
	}
}

// Whatever was done to a tree, nothing is left open when it is closed, and what was
// written can be saved: all that was opened for it was closed.
func TestNothingIsLeftOfChanges(t *testing.T) {
	inner := string(zipOf(t, "x", "ex", "d/y", "why", "z", "zed", "empty.zip", string(zipOf(t)), "deep.zip", string(zipOf(t, "c", "see"))))
	file := writeFile(t, zipOf(t, "in.zip", inner, "other.zip", inner))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector closes files that somebody forgot
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
				t.Errorf("%s: nothing is wrong", what)
			}
		}
		shown(t, tree, ".")
		if round == 2 { // the first left them to the second
			if n, err := tree.Commit(t.Context()); n != 1 || err != nil {
				t.Errorf("%d saved, %v", n, err)
			}
			if got := read(t, tree, "in.zip/renamed0") + read(t, tree, "in.zip/renamed2") + read(t, tree, "in.zip/dir1/f"); got != "nenef" {
				t.Errorf("%q", got)
			}
		}
		tree.Close()
		leak.Settled(t, "open files", before, leak.OpenFiles)
	}
}

// A tree can be that of a folder in an archive, or of an archive in another: what is
// changed there is changed in the file that holds it all.
func TestChangesBelow(t *testing.T) {
	for at, names := range map[string]string{"d/e": "d/e/", "in.zip": "in.zip/", "in.zip/f": "in.zip/f/"} {
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
	}
}

// Saving that is called off leaves the archive as it was and the changes where they
// are kept, from where they can be saved.
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
			t.Errorf("the archive is another, %v", err)
		}
		if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"in.zip/": "", "in.zip/x": "other"}) {
			t.Errorf("%q", got)
		}
	}
	if n, err := tree.Commit(t.Context()); n != 2 || err != nil {
		t.Errorf("%d saved, %v", n, err)
	}
	// What is saved already is not written again.
	saved, err := os.Stat(file)
	if n, again := tree.Commit(t.Context()); n != 0 || errors.Join(err, again) != nil {
		t.Errorf("%d saved again, %v, %v", n, err, again)
	}
	if now, err := os.Stat(file); err != nil || !os.SameFile(now, saved) {
		t.Errorf("it is another file, %v", err)
	}
}
