package archive_test

import (
	"context"
	"errors"
	"fmt"
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
		t.Errorf(`read(t, path) = %q, read(t, epk) = %q; want read(t, path) = "index", read(t, epk) = "data"`, read(t, path), read(t, epk))
	}
	noStrays(t, dir)

	// A writer killed after it committed, before its renames: readers see the new files and
	// change nothing, and the next writer finishes the job. Once the old files exist, once not.
	for _, old := range []bool{true, false} {
		if !old {
			if err := errors.Join(os.Remove(path), os.Remove(epk)); err != nil {
				t.Fatal(err)
			}
		}
		s, _ = archive.NewStage(path, true)
		f, _ = s.File()
		f.WriteString("index2")
		g, _ = s.Sibling("x.epk")
		g.WriteString("data2")
		if err := s.CommitAndDie(); err != nil {
			t.Fatal(err)
		}
		before := listed(t, dir)
		if a, b := seen(t, path), seen(t, epk); a != "index2" || b != "data2" {
			t.Errorf("a reader sees %q and %q", a, b)
		}
		if _, err := registry.Locate(context.Background(), path, archive.Options{}); !errors.Is(err, fault.NotFormat) {
			t.Errorf("a committed set was not found: %v", err)
		}
		if got := listed(t, dir); got != before {
			t.Errorf("a reader made %s of %s", got, before)
		}
		s, err := archive.NewStage(filepath.Join(dir, "x.eix"), true)
		if err != nil {
			t.Fatal(err)
		}
		s.Abort()
		if read(t, path) != "index2" || read(t, epk) != "data2" {
			t.Errorf(`read(t, path) = %q, read(t, epk) = %q; want read(t, path) = "index2", read(t, epk) = "data2"`, read(t, path), read(t, epk))
		}
		noStrays(t, dir)
	}
}

// listed is the names, sizes and times of the files in a folder.
func listed(t *testing.T, dir string) (all string) {
	t.Helper()
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		info, err := n.Info()
		if err != nil {
			t.Fatal(err)
		}
		all += fmt.Sprintln(n.Name(), info.Size(), info.ModTime())
	}
	return all
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
		if got := read(t, filepath.Join(path, content)); got != content {
			t.Errorf("content = %s = got = %q; want %q", content, got, content)
		}
	}
	if got := read(t, filepath.Join(path, "first")); got != "first" {
		t.Errorf("a file that nobody named is gone: %q", got)
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

// Appended bytes are removed if the destination cannot be replaced.
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
