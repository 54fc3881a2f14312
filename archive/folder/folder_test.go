package folder_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/fault"
)

var ctx = context.Background()

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	a, err := folder.Format{}.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	for _, e := range a.Entries() {
		b, err := fs.ReadFile(a, e.Name)
		if err != nil {
			t.Fatal(err)
		}
		m[e.Name] = string(b)
	}
	return m
}

func equal(a, b map[string]string) bool {
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

func TestFolderIsAFileSystem(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a": "1", "d/b": "2", "d/e/c": ""})
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	a, err := folder.Format{}.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(a, "a", "d/b", "d/e/c"); err != nil {
		t.Error(err)
	}
	if len(a.Entries()) != 3 {
		t.Errorf("entries: %+v", a.Entries())
	}
	report, err := a.Verify(ctx, archive.Options{})
	if err != nil || !report.OK() || report.Bytes != 2 {
		t.Errorf("verify: %+v, %v", report, err)
	}
}

func TestCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	items := func(names ...string) (list []archive.Item) {
		for _, n := range names {
			list = append(list, archive.Item{Name: n, Size: -1, Open: func() (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader("content of " + n)), nil
			}})
		}
		return list
	}
	stage, _ := archive.NewStage(path, false)
	if err := (folder.Format{}).Create(ctx, stage, items("a", "d/b"), archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, path); !equal(got, map[string]string{"a": "content of a", "d/b": "content of d/b"}) {
		t.Errorf("contents: %v", got)
	}
	stage, _ = archive.NewStage(path, true)
	defer stage.Abort()
	if err := (folder.Format{}).Create(ctx, stage, items("../x"), archive.CreateOptions{}); !errors.Is(err, fault.Unsafe) {
		t.Errorf("unsafe name: %v", err)
	}
}

func TestEdit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "f")
	write(t, dir, map[string]string{"keep": "k", "gone/x": "g", "old": "o"})
	before, _ := os.Stat(filepath.Join(dir, "keep"))
	a, err := folder.Format{}.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	stage, _ := archive.NewStage(dir, true)
	put := archive.Item{Name: "n/new", Size: 1, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("n")), nil }}
	err = a.(archive.Editor).Edit(ctx, stage, []archive.Edit{
		{Put: &put}, {Remove: "gone"}, {Rename: &archive.Rename{From: "old", To: "d/moved"}},
	}, archive.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, dir); !equal(got, map[string]string{"keep": "k", "n/new": "n", "d/moved": "o"}) {
		t.Errorf("contents: %v", got)
	}
	after, _ := os.Stat(filepath.Join(dir, "keep"))
	if !os.SameFile(before, after) {
		t.Error("an untouched file was copied")
	}
}

// Special files are not listed, but an edit must not lose them.
func TestEditKeepsWhatIsNoFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "f")
	write(t, dir, map[string]string{"a": "1", "gone/x": "2", "gone/deep/y": "3", "half/x": "4", "half/y": "5", "old/x": "6", "odd\\name": "7"})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(dir, "empty", "inner"), 0o777))
	must(os.Symlink("a", filepath.Join(dir, "link")))
	must(os.Symlink("nowhere", filepath.Join(dir, "old", "broken")))
	must(os.Chmod(filepath.Join(dir, "half"), 0o750))
	must(os.Chmod(dir, 0o700))
	a, err := folder.Format{}.OpenDir(dir)
	must(err)
	stage, err := archive.NewStage(dir, true)
	must(err)
	must(a.(archive.Editor).Edit(ctx, stage, []archive.Edit{
		{Remove: "gone/x"}, {Remove: "gone/deep/y"}, {Remove: "half/x"}, {Rename: &archive.Rename{From: "old", To: "new"}},
	}, archive.CreateOptions{}))
	must(stage.Commit())

	var got []string
	must(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		if target, err := os.Readlink(path); err == nil {
			name += " -> " + target
		}
		got = append(got, filepath.ToSlash(name))
		return err
	}))
	want := []string{".", "a", "empty", "empty/inner", "half", "half/y", "link -> a", "new", "new/broken -> nowhere", "new/x", "odd\\name"}
	if !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
	for name, want := range map[string]fs.FileMode{".": 0o700, "half": 0o750} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: info.Mode() = %v, err = %v; want no error, info.Mode().Perm() = %v", name, info.Mode(), err, want)
		}
	}
}
