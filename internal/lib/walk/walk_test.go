package walk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// visited returns what a walk visits, as names below a folder with their sizes or kinds.
func visited(t *testing.T, path, below string) (names []string) {
	t.Helper()
	err := Files(path, func(e Entry, info fs.FileInfo) error {
		name := e.Path
		rel, err := filepath.Rel(below, name)
		if err != nil || filepath.Clean(name) != filepath.Join(below, rel) {
			t.Errorf("%s: err = %v; want no error, filepath.Clean(name) = filepath.Join(below, rel)", name, err)
		}
		what := strings.Repeat("x", int(info.Size()))
		if !info.Mode().IsRegular() {
			what = info.Mode().Type().String()
		}
		names = append(names, filepath.ToSlash(rel)+" "+what)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return names
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"in/b": "xx", "in/a/z": "x", "in/a/y/file": "xxx", "in/c": "", "out/far": "xxxx"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
				t.Fatal(err)
			}
		})
	}
	in := filepath.Join(dir, "in")
	plain := []string{"a/y/file xxx", "a/z x", "b xx", "c "}
	if got := visited(t, in, in); !slices.Equal(got, plain) {
		t.Errorf("got = %q; want got equal to %q", got, plain)
	}
	if got := visited(t, filepath.Join(in, "b"), in); !slices.Equal(got, []string{"b xx"}) {
		t.Errorf("of a file: %q", got)
	}
	for _, link := range [][2]string{{"../out/far", "in/d"}, {"../out", "in/e"}, {"nowhere", "in/f"}, {"..", "in/a/circle"}, {"in", "way"}} {
		if err := os.Symlink(filepath.FromSlash(link[0]), filepath.Join(dir, filepath.FromSlash(link[1]))); err != nil {
			t.Fatal(err)
		}
	}
	// A link to a file is the file, one to a folder is nothing, and a broken one is a link.
	const broken = "f L---------"
	linked := append(slices.Clone(plain), "d xxxx", broken)
	if got := visited(t, in, in); !slices.Equal(got, linked) {
		t.Errorf("with links: %q", got)
	}
	way := filepath.Join(dir, "way")
	if got := visited(t, way, way); !slices.Equal(got, linked) {
		t.Errorf("through a link: %q", got)
	}
	if got := visited(t, filepath.Join(in, "f"), in); !slices.Equal(got, []string{broken}) {
		t.Errorf("of a broken link: %q", got)
	}
}

// The walk ends with the first error, its own or that of the visitor.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	if err := Files(filepath.Join(dir, "none"), func(Entry, fs.FileInfo) error { return nil }); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v; want err matching fs.ErrNotExist", err)
	}
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	stop, seen := errors.New("stop"), 0
	if err := Files(dir, func(Entry, fs.FileInfo) error {
		if seen++; seen == 2 {
			return stop
		}
		return nil
	}); err != stop || seen != 2 {
		t.Errorf("%v after %d files", err, seen)
	}
}

// everything returns what a walk visits: folders with a slash, links with an @.
func everything(t *testing.T, w Walk, path string) (names []string) {
	t.Helper()
	err := w.Everything(path, func(e Entry) error {
		name := e.Rel()
		switch {
		case e.IsDir():
			name += "/"
		case e.Type()&fs.ModeSymlink != 0:
			name += "@"
		}
		if held := e.Folder != nil; held != (w.Hold && e.Rel() != ".") {
			t.Errorf("%s has an open folder: %t", e.Path, held)
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return names
}

// A walk visits folders before their content, and links as links; it leaves out what Skip
// names, and goes through other folders than those of the file system in the same order.
func TestEverything(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a/z", "a/y/file", ".git/config"} {
		path := filepath.Join(dir, "in", filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	in := filepath.Join(dir, "in")
	plain := []string{"./", ".git/", ".git/config", "a/", "a/y/", "a/y/file", "a/z", "b"}
	skip := func(path string) bool { return Hidden(filepath.Base(path)) || strings.HasSuffix(path, "y") }
	for _, hold := range []bool{false, true} {
		if got := everything(t, Walk{Hold: hold}, in); !slices.Equal(got, plain) {
			t.Errorf("it visits %q, want %q", got, plain)
		}
		if got, want := everything(t, Walk{Hold: hold, Skip: skip}, in), []string{"./", "a/", "a/z", "b"}; !slices.Equal(got, want) {
			t.Errorf("with Skip it visits %q, want %q", got, want)
		}
	}
	other := Walk{In: folders{fstest.MapFS{"r/b": {}, "r/a/z": {}, "r/a/y/file": {}, "r/.git/config": {}}}}
	if got := everything(t, other, "r"); !slices.Equal(got, plain) {
		t.Errorf("in other folders it visits %q, want %q", got, plain)
	}
	for _, link := range [][2]string{{"..", "a/circle"}, {"a", "folder"}, {"b", "file"}} {
		if err := os.Symlink(filepath.FromSlash(link[0]), filepath.Join(in, filepath.FromSlash(link[1]))); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"./", ".git/", ".git/config", "a/", "a/circle@", "a/y/", "a/y/file", "a/z", "b", "file@", "folder@"}
	if got := everything(t, Walk{}, in); !slices.Equal(got, want) {
		t.Errorf("with links it visits %q, want %q", got, want)
	}
	if got, want := everything(t, Walk{}, filepath.Join(in, "folder")), []string{"./", "circle@", "y/", "y/file", "z"}; !slices.Equal(got, want) {
		t.Errorf("from a link it visits %q, want %q", got, want)
	}
}

// folders are those of an [fs.FS].
type folders struct{ fs.FS }

func (f folders) Stat(name string) (fs.FileInfo, error)      { return fs.Stat(f.FS, name) }
func (f folders) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.FS, name) }

// A walk that receives errors continues behind them.
func TestFailed(t *testing.T) {
	var failed, visited []string
	w := Walk{In: failing{folders{fstest.MapFS{"a/x": {}, "b/x": {}, "c/x": {}}}}, Failed: func(path string, err error) error {
		if err != fs.ErrPermission {
			t.Error(err)
		}
		failed = append(failed, path)
		return nil
	}}
	err := w.Everything(".", func(e Entry) error { visited = append(visited, e.Path); return nil })
	if want := []string{".", "a", "a/x", "b", "c", "c/x"}; err != nil || !slices.Equal(visited, want) || !slices.Equal(failed, []string{"b"}) {
		t.Errorf("it visits %q after errors of %q: %v; want %q", visited, failed, err, want)
	}
	w.Failed = nil
	if err := w.Everything(".", func(Entry) error { return nil }); err != fs.ErrPermission {
		t.Errorf("err = %v, want that of b", err)
	}
	if err := w.Everything("b", func(Entry) error { return fs.SkipAll }); err != nil {
		t.Errorf("SkipAll gives %v", err)
	}
}

// failing cannot list the folder b.
type failing struct{ folders }

func (f failing) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "b" {
		return nil, fs.ErrPermission
	}
	return f.folders.ReadDir(name)
}

func TestHidden(t *testing.T) {
	for path, want := range map[string]bool{"a/b.gbx": false, ".git": true, "a/.b/c": true, "a/b./c": false, "": false} {
		if Hidden(filepath.FromSlash(path)) != want {
			t.Errorf("Hidden(%q) != %t", path, want)
		}
	}
}
