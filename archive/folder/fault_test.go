package folder_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pakbox/archive"
	"pakbox/internal/testkit/leak"
)

// A file that appears or changes while a folder is edited must stay, and the folder must
// stay as it was.
func TestEditIsInTheWay(t *testing.T) {
	for what, test := range map[string]struct {
		edits  []archive.Edit
		hinder map[string]string
	}{
		"a new file of the same name":        {hinder: map[string]string{"put": "theirs"}},
		"a file where a new folder is to be": {edits: []archive.Edit{{Rename: &archive.Rename{From: "a", To: "new/a"}}}, hinder: map[string]string{"new": "x"}},
		"the new name of another file":       {edits: []archive.Edit{{Rename: &archive.Rename{From: "a", To: "c"}}}, hinder: map[string]string{"c": "x"}},
		"a changed file that is to go":       {edits: []archive.Edit{{Remove: "a"}}, hinder: map[string]string{"a": "longer"}},
		"a changed file that is to move":     {edits: []archive.Edit{{Rename: &archive.Rename{From: "sub", To: "c"}}}, hinder: map[string]string{"sub/b": "longer"}},
	} {
		t.Run(what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "f")
			write(t, dir, map[string]string{"a": "1", "sub/b": "2"})
			stage, err := archive.NewStage(dir, true)
			if err != nil {
				t.Fatal(err)
			}
			defer stage.Abort()
			item := archive.Items(openDir(t, dir))[0]
			item.Name = "put"
			if err := openDir(t, dir).(archive.Editor).Edit(t.Context(), stage, append(test.edits, archive.Edit{Put: &item}), archive.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			write(t, dir, test.hinder)
			before := contents(t, dir)
			if err := stage.Commit(); err == nil {
				t.Error("nothing was in the way")
			}
			if got := contents(t, dir); !equal(got, before) {
				t.Errorf("%v, before %v", got, before)
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Names of a folder that differ in case are different files, where the system
// distinguishes them.
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
			t.Fatalf("report = %+v, err = %v; want no error, report.Bytes = 3", report, err)
		}
	}
	leak.Settled(t, "open files", before, leak.OpenFiles)
}
