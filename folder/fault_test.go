package folder_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pakbox/archive"
	"pakbox/internal/testkit/leak"
)

// Whatever stands in the way of an edited folder is told, and the folder stays
// as it was.
func TestEditIsInTheWay(t *testing.T) {
	for what, test := range map[string]struct {
		edits  []archive.Edit
		hinder func(t *testing.T, dir string)
		late   bool // not before, but when the new file is opened
	}{
		"a file where a folder is to be": {hinder: func(t *testing.T, dir string) { write(t, dir, map[string]string{"sub": "x"}) }},
		"a file where a new folder is to be": {
			edits:  []archive.Edit{{Rename: &archive.Rename{From: "a", To: "new/a"}}},
			hinder: func(t *testing.T, dir string) { write(t, dir, map[string]string{"new": "x"}) },
		},
		"a file where a link is to be": {hinder: func(t *testing.T, dir string) { write(t, dir, map[string]string{"link": "x"}) }},
		"a folder that is gone before it has its permissions": {hinder: func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
				t.Fatal(err)
			}
		}, late: true},
	} {
		t.Run(what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "f")
			write(t, dir, map[string]string{"a": "1", "sub/b": "2"})
			if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
				t.Fatal(err)
			}
			before := contents(t, dir)
			stage, err := archive.NewStage(dir, true)
			if err != nil {
				t.Fatal(err)
			}
			defer stage.Abort()
			staged, err := stage.Dir()
			if err != nil {
				t.Fatal(err)
			}
			item := archive.Items(openDir(t, dir))[0]
			item.Name = "put"
			if open := item.Open; test.late {
				item.Open = func() (io.ReadCloser, error) { test.hinder(t, staged); return open() }
			} else {
				test.hinder(t, staged)
			}
			err = openDir(t, dir).(archive.Editor).Edit(t.Context(), stage, append(test.edits, archive.Edit{Put: &item}), archive.CreateOptions{})
			if err == nil {
				t.Error("nothing was in the way")
			}
			if got := contents(t, dir); !equal(got, before) {
				t.Errorf("%v, before %v", got, before)
			}
		})
	}
}

// Names of a folder that differ in case are different files, where the system
// tells them apart.
func TestEditKnowsCase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "f")
	write(t, dir, map[string]string{"a": "1"})
	if _, err := os.Stat(filepath.Join(dir, "A")); err == nil {
		return // it does not
	}
	stage, err := archive.NewStage(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := openDir(t, dir).(archive.Editor).Edit(t.Context(), stage, []archive.Edit{{Remove: "A"}}, archive.CreateOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("A, where there is only a: %v", err)
	}
}

// Listing and reading a folder leaves no file open.
func TestFilesAreClosed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a": "1", "b": "2", "c/d": "3"})
	before := leak.OpenFiles()
	for range 3 {
		if report, err := openDir(t, dir).Verify(t.Context(), archive.Options{}); err != nil || report.Bytes != 3 {
			t.Fatalf("%+v, %v", report, err)
		}
	}
	leak.Settled(t, "open files", before, leak.OpenFiles)
}
