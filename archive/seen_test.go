package archive_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/fault"
)

// A stage must not replace a file that was changed since it was read, in whatever way.
func TestStageExpect(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+"2", []byte("1 old"), 0o666), os.Rename(path+"2", path))
		},
		"written":  func(path string) error { return os.WriteFile(path, []byte("2 newer"), 0o666) },
		"touched":  func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) },
		"removed":  os.Remove,
		"nothing":  func(string) error { return nil },
		"put back": func(path string) error { return errors.Join(os.Rename(path, path+"2"), os.Rename(path+"2", path)) },
	} {
		t.Run(name, func(t *testing.T) {
			path := oldFile(t)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			s, err := archive.NewStage(path, true)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Abort()
			s.ExpectFile(path, info)
			f, _ := s.File()
			f.WriteString("computed")
			if err := change(path); err != nil {
				t.Fatal(err)
			}
			before := read(t, path)
			err = s.Commit()
			if same := name == "nothing" || name == "put back"; same != (err == nil) {
				t.Errorf("Commit() = %v", err)
			}
			if err != nil && (!errors.Is(err, fault.Access) || read(t, path) != before) {
				t.Errorf("%v; the file holds %q, want %q", err, read(t, path), before)
			}
		})
	}
}

// Two stages that append to one file must not mix their data: the second one is refused,
// also after the first one has committed.
func TestAppendTwice(t *testing.T) {
	dir := t.TempDir()
	index, data := filepath.Join(dir, "x.eix"), filepath.Join(dir, "x.epk")
	os.WriteFile(index, []byte("index"), 0o666)
	os.WriteFile(data, []byte("data"), 0o666)
	place := func() *archive.Stage {
		s, err := archive.NewStage(index, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{index, data} {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			s.ExpectFile(path, info)
		}
		return s
	}
	first, second, third := place(), place(), place()
	f, err := first.Append("x.epk")
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(", first")
	if _, err := second.Append("x.epk"); err == nil {
		t.Error("two append at once")
	}
	second.Abort()
	g, _ := first.File()
	g.WriteString("index 1")
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := third.Append("x.epk"); err == nil {
		t.Error("bytes are appended that the new index does not expect")
	}
	third.Abort()
	if read(t, index) != "index 1" || read(t, data) != "data, first" {
		t.Errorf(`read(t, index) = %q, read(t, data) = %q; want read(t, index) = "index 1", read(t, data) = "data, first"`, read(t, index), read(t, data))
	}
	noStrays(t, dir)
}

// A file that appears while a new one is written stays.
func TestCommitReplacesNothingNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new.zip")
	for _, pair := range []bool{false, true} {
		os.Remove(path)
		s, err := archive.NewStage(path, false)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := s.File()
		f.WriteString("mine")
		if pair {
			s.Sibling("new.epk")
		}
		os.WriteFile(path, []byte("theirs"), 0o666)
		if err := s.Commit(); !errors.Is(err, os.ErrExist) && !errors.Is(err, fault.Exists) {
			t.Errorf("Commit() = %v", err)
		}
		if got := read(t, path); got != "theirs" {
			t.Errorf("the file that appeared holds %q", got)
		}
		noStrays(t, dir)
	}
}

// An extension that is given up must not touch the file that has taken the place of its
// own.
func TestExtendAbortedLate(t *testing.T) {
	path := oldFile(t)
	s, _ := extend(t, path)
	os.WriteFile(path+"2", []byte("1 newer"), 0o666)
	os.Rename(path+"2", path)
	info, _ := os.Stat(path)
	s.Abort()
	after, err := os.Stat(path)
	if err != nil || !after.ModTime().Equal(info.ModTime()) || read(t, path) != "1 newer" {
		t.Errorf("%v: %q, changed at %v, want %v", err, read(t, path), after.ModTime(), info.ModTime())
	}
}

// The state of every file of an archive is kept when it is read, so that a change can be refused.
func TestPlaceChanged(t *testing.T) {
	const empty = "PK\x05\x06" + "000000000000000000"
	path := filepath.Join(t.TempDir(), "a.zip")
	os.WriteFile(path, []byte(strings.ReplaceAll(empty, "0", "\x00")), 0o666)
	p, err := registry.Locate(context.Background(), path, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Changed(); err != nil {
		t.Error(err)
	}
	os.WriteFile(path, []byte("PK and more"), 0o666)
	if p.Changed() == nil {
		t.Error("a changed file is not noticed")
	}
}

// A file read before this process cut off the bytes of a killed one counts as
// unchanged.
func TestExpectAfterCut(t *testing.T) {
	dir := t.TempDir()
	index, data := filepath.Join(dir, "x.eix"), filepath.Join(dir, "x.epk")
	os.WriteFile(index, []byte("index"), 0o666)
	os.WriteFile(data, []byte("data"), 0o666)
	killed := exec.Command(os.Args[0], "-test.run=^TestKilledStageIsSwept$")
	killed.Env = append(os.Environ(), "ARCHIVE_TEST_KILLED="+dir)
	if out, err := killed.CombinedOutput(); err == nil || !strings.Contains(string(out), "staged") {
		t.Fatalf("err = %v\nout = %s; want an error, out with \"staged\"", err, out)
	}
	info, err := os.Stat(data)
	if err != nil || info.Size() == 4 {
		t.Fatalf("nothing was appended: %v", err)
	}
	s, err := archive.NewStage(index, true)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Abort()
	s.ExpectFile(data, info)
	f, _ := s.File()
	f.WriteString("new")
	if err := s.Commit(); err != nil || read(t, data) != "data" {
		t.Errorf(`err = %v, read(t, data) = %q; want no error, read(t, data) = "data"`, err, read(t, data))
	}
}
