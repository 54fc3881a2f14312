package archive_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		return "ERROR " + err.Error()
	}
	return string(b)
}

func noStrays(t *testing.T, dir string) {
	t.Helper()
	names, _ := os.ReadDir(dir)
	for _, n := range names {
		if strings.Contains(n.Name(), "pakbox") {
			t.Errorf("left behind: %s", n.Name())
		}
	}
}

func TestStageReplacesAtomically(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.vpk")
	os.WriteFile(path, []byte("old"), 0o640)
	if _, err := archive.NewStage(path, false); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("an existing file was not refused: %v", err)
	}
	s, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.File()
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("new")
	if got := read(t, path); got != "old" {
		t.Errorf("changed before the commit: %q", got)
	}
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "new" {
		t.Errorf("after the commit: %q", got)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("permissions became %v", info.Mode())
	}
	s.Abort()
	noStrays(t, dir)
}

func TestStageAbortLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.eix")
	os.WriteFile(path, []byte("index"), 0o666)
	os.WriteFile(filepath.Join(dir, "x.epk"), []byte("data"), 0o666)
	s, _ := archive.NewStage(path, true)
	s.File()
	s.Sibling("x.epk")
	f, err := s.Append("x.epk")
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("more")
	s.Abort()
	if got := read(t, filepath.Join(dir, "x.epk")); got != "data" {
		t.Errorf("x.epk = %q", got)
	}
	if got := read(t, path); got != "index" {
		t.Errorf("x.eix = %q", got)
	}
	noStrays(t, dir)
}

func TestStageWritesThroughLinks(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "real")
	os.WriteFile(path, []byte("old"), 0o666)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	s, _ := archive.NewStage(link, true)
	f, _ := s.File()
	f.WriteString("new")
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "new" {
		t.Errorf("the link's target holds %q", got)
	}
}

func TestStagePairIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.eix")
	epk := filepath.Join(dir, "x.epk")
	s, _ := archive.NewStage(path, false)
	f, _ := s.File()
	f.WriteString("index")
	g, _ := s.Sibling("x.epk")
	g.WriteString("data")
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	if read(t, path) != "index" || read(t, epk) != "data" {
		t.Errorf("%q, %q", read(t, path), read(t, epk))
	}
	noStrays(t, dir)

	// A writer killed after it committed, before its renames: the next one
	// to open the file finishes the job.
	os.WriteFile(path+".pakbox-commit", []byte("index2"), 0o666)
	os.WriteFile(epk+".pakbox-part", []byte("data2"), 0o666)
	_, c, err := archive.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if read(t, path) != "index2" || read(t, epk) != "data2" {
		t.Errorf("%q, %q", read(t, path), read(t, epk))
	}
	noStrays(t, dir)

	// Likewise where the files are new.
	if err := errors.Join(os.Rename(path, path+".pakbox-commit"), os.Rename(epk, epk+".pakbox-part")); err != nil {
		t.Fatal(err)
	}
	if _, err := registry.Locate(context.Background(), path, archive.Options{}); !errors.Is(err, fault.NotFormat) {
		t.Errorf("a new set was not found: %v", err)
	}
	if read(t, path) != "index2" || read(t, epk) != "data2" {
		t.Errorf("%q, %q", read(t, path), read(t, epk))
	}

	// One killed before it committed: nothing happened.
	os.WriteFile(epk+".pakbox-part", []byte("data3"), 0o666)
	for _, name := range []string{path, epk} {
		_, c, err = archive.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	if read(t, path) != "index2" || read(t, epk) != "data2" {
		t.Errorf("%q, %q", read(t, path), read(t, epk))
	}
}

func TestStageFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	for _, content := range []string{"first", "second"} {
		s, err := archive.NewStage(path, true)
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Dir()
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(filepath.Join(d, content), []byte(content), 0o666)
		if err := s.Commit(); err != nil {
			t.Fatal(err)
		}
		names, _ := os.ReadDir(path)
		if len(names) != 1 || names[0].Name() != content {
			t.Errorf("after %s: %v", content, names)
		}
	}
	noStrays(t, dir)
}

// A set whose main file is gone is replaced as a whole when overwriting is
// asked for, and left alone when it is not.
func TestStageSiblingWithoutMain(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.dat"), []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, overwrite := range []bool{false, true} {
		stage, err := archive.NewStage(filepath.Join(dir, "a.idx"), overwrite)
		if err != nil {
			t.Fatal(err)
		}
		_, err = stage.Sibling("a.dat")
		stage.Abort()
		if overwrite && err != nil || !overwrite && !errors.Is(err, fs.ErrExist) {
			t.Errorf("overwrite %v: %v", overwrite, err)
		}
	}
}

// A commit that fails leaves what was there before, also for the next one who
// opens the file.
func TestStageFailedCommit(t *testing.T) {
	dir := t.TempDir()
	path, epk := filepath.Join(dir, "x.eix"), filepath.Join(dir, "x.epk")
	os.WriteFile(path, []byte("index"), 0o666)
	s, _ := archive.NewStage(path, true)
	f, _ := s.File()
	f.WriteString("index2")
	if _, err := s.Sibling("x.epk"); err != nil {
		t.Fatal(err)
	}
	os.MkdirAll(filepath.Join(epk, "in the way"), 0o777) // no file can take this place
	if err := s.Commit(); err == nil {
		t.Fatal("a file took the place of a folder")
	}
	noStrays(t, dir)
	_, c, err := archive.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if got := read(t, path); got != "index" {
		t.Errorf("x.eix = %q", got)
	}
}

// What was appended goes again if the destination cannot be replaced.
func TestStageFailedCommitCutsOff(t *testing.T) {
	dir := t.TempDir()
	path, epk := filepath.Join(dir, "x.eix"), filepath.Join(dir, "x.epk")
	os.WriteFile(epk, []byte("data"), 0o666)
	s, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.File(); err != nil {
		t.Fatal(err)
	}
	f, err := s.Append("x.epk")
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("more")
	os.MkdirAll(filepath.Join(path, "in the way"), 0o777)
	if err := s.Commit(); err == nil {
		t.Fatal("a file took the place of a folder")
	}
	if got := read(t, epk); got != "data" {
		t.Errorf("x.epk = %q", got)
	}
	noStrays(t, dir)
}

func TestStageLongName(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("名", 83)+".x") // 251 bytes
	for range 2 {
		s, err := archive.NewStage(path, true)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.File(); err != nil {
			t.Fatal(err)
		}
		if err := s.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}
