package source_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
)

// A backup has the content, time and mode of the file, under an unused name.
func TestBackup(t *testing.T) {
	o := stored(t)
	before, err := os.Stat("outer.zip")
	if err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile("outer.zip")
	for _, path := range []string{"outer.zip", "outer.zip/inner.zip/in", "outer.zip/docs"} {
		s, err := o.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		copies, err := o.Backup(s)
		s.Close()
		if err != nil || len(copies) != 1 {
			t.Fatalf("%s: copies = %q, err = %v; want no error, copies of length 1", path, copies, err)
		}
		copied, err := os.ReadFile(copies[0])
		info, _ := os.Stat(copies[0])
		if err != nil || string(copied) != string(data) || !info.ModTime().Equal(before.ModTime()) || info.Mode() != before.Mode() {
			t.Errorf("%s: %d bytes, %v, %v", copies[0], len(copied), info, err)
		}
	}
	var names []string
	left, _ := os.ReadDir(".")
	for _, e := range left {
		names = append(names, e.Name())
	}
	if want := []string{"outer.zip", "outer.zip.bak", "outer.zip.bak2", "outer.zip.bak3"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if to, err := source.BackupPath("outer.zip"); err != nil || to != "outer.zip.bak4" {
		t.Errorf(`to = %s, err = %v; want no error, to = "outer.zip.bak4"`, to, err)
	}
	for _, none := range []string{"none", "."} {
		if to, err := source.BackupPath(none); err != nil || to != "" {
			t.Errorf(`%s: to = %s, err = %v; want no error, to = ""`, none, to, err)
		}
	}
	s, err := o.Open(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := o.Backup(s); err == nil || !strings.Contains(err.Error(), "only files are backed up") {
		t.Errorf("a folder: %v", err)
	}
	if err := o.Protected(s); err != nil {
		t.Errorf("a folder: %v", err)
	}
}

// A read-only file is changed only with --force.
func TestProtected(t *testing.T) {
	o := stored(t)
	s, err := o.Open(t.Context(), "outer.zip/inner.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := o.Protected(s); err != nil {
		t.Error(err)
	}
	if err := os.Chmod("outer.zip", 0o444); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod("outer.zip", 0o666)
	err = o.Protected(s)
	if err == nil || !strings.Contains(err.Error(), "is read-only") || !strings.Contains(strings.Join(question.Hints(err), ""), "--force") {
		t.Errorf(`err = %v; want an error, err with "is read-only", strings.Join(question.Hints(err), "") with "--force"`, err)
	}
	for _, free := range []string{"none", "."} {
		if err := source.NotReadOnly(free); err != nil {
			t.Errorf("%s: %v", free, err)
		}
	}
}

// A file is written completely or not at all.
func TestStage(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := source.StageBytes("a", []byte("one"), false); err != nil {
		t.Fatal(err)
	}
	if err := source.StageBytes("a", []byte("two"), false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("replaced: %v", err)
	}
	failed := errors.New("failed")
	if err := source.StageFile("a", true, func(f *os.File) error { f.WriteString("half"); return failed }); err != failed {
		t.Errorf("err = %v; want %v", err, failed)
	}
	if data, _ := os.ReadFile("a"); string(data) != "one" {
		t.Errorf(`data = %q; want "one"`, data)
	}
	if err := source.StageBytes("a", []byte("three"), true); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile("a"); string(data) != "three" {
		t.Errorf(`data = %q; want "three"`, data)
	}
	if err := source.StageBytes("none/a", nil, true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v; want err matching fs.ErrNotExist", err)
	}
	if left, _ := os.ReadDir("."); len(left) != 1 {
		t.Errorf("files left behind: %v", left)
	}
}

func TestPaths(t *testing.T) {
	stored(t)
	if err := os.MkdirAll(filepath.Join("in", "deep"), 0o777); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct {
		through, exists bool
		outermost       string
	}{
		"outer.zip": {false, true, "outer.zip"}, "outer.zip/a": {true, true, "outer.zip"}, "outer.zip/a/b": {true, true, "outer.zip"}, "in": {false, true, "in"}, "in/deep": {false, true, "in/deep"},
		"in/none": {false, false, "in/none"}, "none": {false, false, "none"}, "none/a": {false, false, "none/a"}, ".": {false, true, "."},
	} {
		if source.ThroughFile(path) != want.through || source.Exists(path) != want.exists || source.Outermost(path) != want.outermost {
			t.Errorf("%s: through a file %v, exists %v, begins with %s", path, source.ThroughFile(path), source.Exists(path), source.Outermost(path))
		}
	}
	if !source.IsFolder("in") || source.IsFolder("outer.zip") || source.IsFolder("none") {
		t.Error("a folder was classified as a file")
	}
	if got := source.Slashed(`a\b`); (got == "a/b") != (runtime.GOOS == "windows") {
		t.Errorf(`got = %v; want got is "a/b" exactly if runtime.GOOS is "windows"`, got)
	}
}

// FilesBelow lists the files below a folder by their paths.
func TestBelow(t *testing.T) {
	stored(t)
	for _, name := range []string{"in/a", "in/b/c"} {
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, err := source.FilesBelow("in")
	for i := range files {
		files[i] = filepath.ToSlash(files[i])
	}
	if err != nil || !slices.Equal(files, []string{"in/a", "in/b/c"}) {
		t.Errorf(`files = %q, err = %v; want no error, files equal to []string{"in/a", "in/b/c"}`, files, err)
	}
	if _, err := source.FilesBelow("none"); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "lstat") {
		t.Errorf(`err = %v; want err matching fs.ErrNotExist, err without "lstat"`, err)
	}
}

// A slash at the end of a file's name leads into the file.
func TestThroughSlash(t *testing.T) {
	stored(t)
	if err := os.Mkdir("in", 0o777); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"outer.zip/": true, "in/": false, "none/": false, "in/none/": false} {
		if got := source.ThroughFile(path); got != want {
			t.Errorf("ThroughFile(%q) = %t, want %t", path, got, want)
		}
	}
}
