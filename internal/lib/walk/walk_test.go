package walk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// visited returns what a walk visits, as names below a folder with their sizes or kinds.
func visited(t *testing.T, path, below string) (names []string) {
	t.Helper()
	err := Files(path, func(name string, info fs.FileInfo) error {
		rel, err := filepath.Rel(below, name)
		if err != nil || filepath.Clean(name) != filepath.Join(below, rel) {
			t.Errorf("%s: err = %v; want err == nil && filepath.Clean(name) == filepath.Join(below, rel)", name, err)
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
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	in := filepath.Join(dir, "in")
	plain := []string{"a/y/file xxx", "a/z x", "b xx", "c "}
	if got := visited(t, in, in); !slices.Equal(got, plain) {
		t.Errorf("got = %q; want slices.Equal(got, plain)", got)
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
	if err := Files(filepath.Join(dir, "none"), func(name string, _ fs.FileInfo) error { return nil }); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v; want errors.Is(err, fs.ErrNotExist)", err)
	}
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	stop, seen := errors.New("stop"), 0
	if err := Files(dir, func(name string, _ fs.FileInfo) error {
		if seen++; seen == 2 {
			return stop
		}
		return nil
	}); err != stop || seen != 2 {
		t.Errorf("%v after %d files", err, seen)
	}
}
