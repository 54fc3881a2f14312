package archive_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/pathname"
)

// A process that is killed while it writes leaves nothing behind that the next
// one does not remove.
func TestKilledStageIsSwept(t *testing.T) {
	if dir := os.Getenv("ARCHIVE_TEST_KILLED"); dir != "" {
		beKilled(t, dir)
	}
	dir := t.TempDir()
	index, data := filepath.Join(dir, "x.eix"), filepath.Join(dir, "x.epk")
	os.WriteFile(index, []byte("index"), 0o666)
	os.WriteFile(data, []byte("data"), 0o666)
	killed := exec.Command(os.Args[0], "-test.run=^TestKilledStageIsSwept$")
	killed.Env = append(os.Environ(), "ARCHIVE_TEST_KILLED="+dir)
	if out, err := killed.CombinedOutput(); err == nil || !strings.Contains(string(out), "staged") {
		t.Fatalf("%v\n%s", err, out)
	}
	if names, _ := os.ReadDir(dir); len(names) < 6 {
		t.Fatalf("the killed process left only %v", names)
	}
	if got := read(t, data); got != "data, and more" {
		t.Fatalf("the killed process left %q", got)
	}
	s, err := archive.NewStage(index, true)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Abort()
	names, _ := os.ReadDir(dir)
	if len(names) != 2 || read(t, index) != "index" || read(t, data) != "data" {
		t.Errorf("%v, %q, %q", names, read(t, index), read(t, data))
	}
}

// beKilled stages things of every kind and ends without a word.
func beKilled(t *testing.T, dir string) {
	s, err := archive.NewStage(filepath.Join(dir, "x.eix"), true)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Append("x.epk")
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(", and more")
	pair, _ := archive.NewStage(filepath.Join(dir, "y.eix"), true)
	pair.File()
	pair.Sibling("y.epk")
	folder, _ := archive.NewStage(filepath.Join(dir, "z"), true)
	d, _ := folder.Dir()
	os.WriteFile(filepath.Join(d, "file"), []byte("x"), 0o666)
	os.WriteFile(filepath.Join(dir, "w.epk.pakbox-part"), []byte("x"), 0o666)
	fmt.Println("staged")
	p, _ := os.FindProcess(os.Getpid())
	p.Kill()
	select {}
}

// What another process is still writing stays, and so does what was committed.
func TestSweepLeavesWhatIsInUse(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "x.epk"), []byte("data"), 0o666)
	s, _ := archive.NewStage(filepath.Join(dir, "x.eix"), true)
	f, err := s.Append("x.epk")
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(", and more")
	os.WriteFile(filepath.Join(dir, "w.eix.pakbox-commit"), []byte("index"), 0o666)
	os.WriteFile(filepath.Join(dir, "w.epk.pakbox-part"), []byte("data"), 0o666)
	sub := exec.Command(os.Args[0], "-test.run=^TestSweeps$")
	sub.Env = append(os.Environ(), "ARCHIVE_TEST_SWEEP="+filepath.Join(dir, "other"))
	if out, err := sub.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := read(t, filepath.Join(dir, "x.epk")); got != "data, and more" {
		t.Errorf("x.epk = %q", got)
	}
	s.File()
	if err := s.Commit(); err != nil {
		t.Error(err)
	}
	_, closer, err := archive.OpenFile(filepath.Join(dir, "w.eix"))
	if err != nil || read(t, filepath.Join(dir, "w.epk")) != "data" {
		t.Errorf("a committed set is gone: %v", err)
	} else {
		closer.Close()
	}
	noStrays(t, dir)
}

// TestSweeps is the other process of TestSweepLeavesWhatIsInUse.
func TestSweeps(t *testing.T) {
	path := os.Getenv("ARCHIVE_TEST_SWEEP")
	if path == "" {
		path = filepath.Join(t.TempDir(), "x")
	}
	s, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	s.Abort()
}

// A note about something appended only counts while what it is for waits, and
// an archive cannot bring one.
func TestSweepDoesNotTrustNotes(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	os.WriteFile(victim, []byte("precious"), 0o666)
	for i, note := range []string{
		`3 bytes of "victim" until ".gone.pakbox-00000000" takes its place`,
		`3 bytes of "../` + filepath.Base(dir) + `/victim" until "victim" takes its place`,
		`3 bytes of "victim" until "../` + filepath.Base(dir) + `/victim" takes its place`,
		`nonsense`,
	} {
		os.WriteFile(filepath.Join(dir, fmt.Sprintf(".x.pakbox-append-0000000%d", i)), []byte(note+"\n"), 0o666)
	}
	s, err := archive.NewStage(filepath.Join(dir, "x"), false)
	if err != nil {
		t.Fatal(err)
	}
	s.Abort()
	if got := read(t, victim); got != "precious" {
		t.Errorf("victim = %q", got)
	}
	noStrays(t, dir)
	for _, name := range []string{".x.pakbox-append-00000000", "a/.x.pakbox-0123abcd", "x.eix.pakbox-commit", "x.epk.pakbox-part"} {
		if err := pathname.Check(name); !errors.Is(err, fault.Unsafe) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
