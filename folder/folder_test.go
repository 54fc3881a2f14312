package folder_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/folder"
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
