package archive_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
)

// extend begins to extend a file whose first byte is the number of valid bytes.
func extend(t *testing.T, path string) (*archive.Stage, *os.File) {
	t.Helper()
	s, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := s.Extend(0, 1)
	if !ok {
		t.Fatal("the file cannot be extended")
	}
	if _, err := f.WriteAt([]byte(", and more"), int64(len("1 old"))); err != nil {
		t.Fatal(err)
	}
	return s, f
}

// seen is the content that a reader of the file sees.
func seen(t *testing.T, path string) string {
	t.Helper()
	in, closer, err := archive.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	return string(in.Prefix(100))
}

func oldFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("1 old"), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExtend(t *testing.T) {
	path := oldFile(t)
	before, _ := os.Stat(path)
	s, _ := extend(t, path)
	if got := seen(t, path); got != "1 old" {
		t.Errorf("before the commit a reader sees %q", got)
	}
	if other, err := archive.NewStage(path, true); err != nil {
		t.Error(err)
	} else if _, ok := other.Extend(0, 1); ok {
		t.Error("two extend the file at once")
	}
	s.Switch([]byte("2"))
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := seen(t, path); got != "2 old, and more" {
		t.Errorf("after the commit a reader sees %q", got)
	}
	if after, _ := os.Stat(path); !os.SameFile(before, after) {
		t.Error("the file was replaced")
	}
	noStrays(t, filepath.Dir(path))
}

// Appended bytes that were not committed are removed, and the file keeps its time.
func TestExtendAborted(t *testing.T) {
	path := oldFile(t)
	before, _ := os.Stat(path)
	s, _ := extend(t, path)
	if err := s.Commit(); err == nil { // the appended part was not marked as valid
		t.Error("committed without a switch")
	}
	after, _ := os.Stat(path)
	if read(t, path) != "1 old" || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("%q, changed %v, was %v", read(t, path), after.ModTime(), before.ModTime())
	}
	noStrays(t, filepath.Dir(path))
}

// A process that is killed leaves the old file or the new one.
func TestExtendKilled(t *testing.T) {
	if path, late := os.Getenv("ARCHIVE_TEST_EXTEND"), os.Getenv("ARCHIVE_TEST_LATE") != ""; path != "" {
		_, f := extend(t, path)
		if late { // the note is still there, as if killed right behind the switch
			f.WriteAt([]byte("2"), 0)
		}
		fmt.Println("staged")
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		select {}
	}
	for late, want := range map[string]string{"": "1 old", "1": "2 old, and more"} {
		t.Run(late, func(t *testing.T) {
			path := oldFile(t)
			before, _ := os.Stat(path)
			killed := exec.Command(os.Args[0], "-test.run=^TestExtendKilled$")
			killed.Env = append(os.Environ(), "ARCHIVE_TEST_EXTEND="+path, "ARCHIVE_TEST_LATE="+late)
			if out, err := killed.CombinedOutput(); err == nil || !strings.Contains(string(out), "staged") {
				t.Fatalf("err = %v\nout = %s; want an error, out with \"staged\"", err, out)
			}
			if names, _ := os.ReadDir(filepath.Dir(path)); len(names) != 2 {
				t.Fatalf("the killed process left %v", names)
			}
			killedFile := read(t, path)
			if got := seen(t, path); got != want || read(t, path) != killedFile {
				t.Errorf("a reader sees %q, want %q; the file holds %q, held %q", got, want, read(t, path), killedFile)
			}
			s, err := archive.NewStage(filepath.Join(filepath.Dir(path), "other"), true)
			if err != nil {
				t.Fatal(err)
			}
			s.Abort()
			if got := read(t, path); got != want {
				t.Errorf("after the next writer the file holds %q, want %q", got, want)
			}
			if after, _ := os.Stat(path); late == "" && !before.ModTime().Equal(after.ModTime()) {
				t.Error("the old file has a new time")
			}
			noStrays(t, filepath.Dir(path))
		})
	}
}

// A file that cannot be extended is written anew.
func TestExtendRefused(t *testing.T) {
	linked := oldFile(t)
	if err := os.Link(linked, linked+"2"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{linked, filepath.Join(t.TempDir(), "new")} {
		s, err := archive.NewStage(path, true)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Extend(0, 1); ok {
			t.Errorf("%s is extended", path)
		}
		s.Abort()
	}
}
