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
	"pakbox/internal/lib/stray"
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
		t.Fatalf("err = %v\nout = %s; want an error, out with \"staged\"", err, out)
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
		t.Errorf(`names = %v, read(t, index) = %q, read(t, data) = %q; want names of length 2, read(t, index) = "index", read(t, data) = "data"`, names, read(t, index), read(t, data))
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
	fmt.Println("staged")
	p, _ := os.FindProcess(os.Getpid())
	p.Kill()
	select {}
}

// Files that another process is still writing stay, and so do committed ones.
func TestSweepLeavesWhatIsInUse(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "x.epk"), []byte("data"), 0o666)
	s, _ := archive.NewStage(filepath.Join(dir, "x.eix"), true)
	f, err := s.Append("x.epk")
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(", and more")
	pair, _ := archive.NewStage(filepath.Join(dir, "w.eix"), true)
	w, _ := pair.File()
	w.WriteString("index")
	w, _ = pair.Sibling("w.epk")
	w.WriteString("data")
	if err := pair.CommitAndDie(); err != nil {
		t.Fatal(err)
	}
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

// Notes that no pakbox wrote must change nothing, whatever they say, and must stay.
func TestNotesOfStrangers(t *testing.T) {
	if path := os.Getenv("ARCHIVE_TEST_STRANGER"); path != "" {
		s, err := archive.NewStage(path, true)
		if err != nil {
			t.Fatal(err)
		}
		s.Abort()
		return
	}
	home, dir := t.TempDir(), t.TempDir()
	precious := filepath.Join(home, "precious.txt")
	victim := filepath.Join(dir, "victim")
	os.WriteFile(precious, []byte("precious"), 0o666)
	os.WriteFile(victim, []byte("victim"), 0o666)
	os.WriteFile(filepath.Join(dir, "victim.epk"), []byte("data"), 0o666)
	os.WriteFile(filepath.Join(dir, "m"), nil, 0o666)
	os.Symlink(precious, filepath.Join(dir, "linked"))
	notes := map[string]string{}
	write := func(name, text string) {
		notes[name] = text
		os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
	}
	// Notes as earlier versions wrote them, and notes that only lack the identity.
	write(".x.pakbox-append-00000000", `0 bytes of "victim" until "m" takes its place`+"\n")
	write(".x.pakbox-append-00000001", `0 bytes of "linked" until "m" takes its place`+"\n")
	write(".x.pakbox-append-00000002", `{"note":1,"data":{"name":"victim","id":2,"size":0},"waiting":{"name":"m","id":3}}`)
	write("victim.pakbox-append", "3 bytes of 0 until 76 at 0 changes\n")
	write("linked.pakbox-append", "3 bytes of 0 until 70 at 0 changes\n")
	write("victim.pakbox-commit", `{"note":1,"moves":[{"id":0,"from":"m","to":"victim"}]}`)
	write("victim.epk.pakbox-part", "stranger")
	write(".x.pakbox-0123abcd", "somebody's text")
	os.Mkdir(filepath.Join(dir, ".y.pakbox-0123abcd"), 0o777)
	write(".y.pakbox-0123abcd/letter.txt", "dear")
	before := listed(t, dir) + listed(t, home)

	if got := seen(t, victim); got != "victim" {
		t.Errorf("a reader sees %q", got)
	}
	if got := listed(t, dir) + listed(t, home); got != before {
		t.Errorf("a reader made\n%sof\n%s", got, before)
	}
	for _, name := range []string{"x", "victim", "linked"} { // in another process, where no sweep was
		sub := exec.Command(os.Args[0], "-test.run=^TestNotesOfStrangers$")
		sub.Env = append(os.Environ(), "ARCHIVE_TEST_STRANGER="+filepath.Join(dir, name))
		if out, err := sub.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if got := listed(t, dir) + listed(t, home); got != before {
		t.Errorf("a writer made\n%sof\n%s", got, before)
	}
	for name, text := range notes {
		if got := read(t, filepath.Join(dir, name)); got != text {
			t.Errorf("name = %s = got = %q; want %q", name, got, text)
		}
	}
	if read(t, precious) != "precious" || read(t, victim) != "victim" {
		t.Errorf(`read(t, precious) = %q, read(t, victim) = %q; want read(t, precious) = "precious", read(t, victim) = "victim"`, read(t, precious), read(t, victim))
	}
	for _, name := range []string{".x.pakbox-append-00000000", "a/.x.pakbox-0123abcd", "x.eix.pakbox-commit", "x.epk.pakbox-part"} {
		if err := pathname.Check(name); !errors.Is(err, fault.Unsafe) {
			t.Errorf("%s: err = %v; want err matching fault.Unsafe", name, err)
		}
	}
}

// Bytes appended by a killed process must stay if the pair was replaced by now: somebody has
// put a copy in its place.
func TestNoteAboutReplacedPair(t *testing.T) {
	dir := t.TempDir()
	index, data := filepath.Join(dir, "x.eix"), filepath.Join(dir, "x.epk")
	os.WriteFile(index, []byte("index"), 0o666)
	os.WriteFile(data, []byte("data"), 0o666)
	killed := exec.Command(os.Args[0], "-test.run=^TestKilledStageIsSwept$")
	killed.Env = append(os.Environ(), "ARCHIVE_TEST_KILLED="+dir)
	if out, err := killed.CombinedOutput(); err == nil || !strings.Contains(string(out), "staged") {
		t.Fatalf("err = %v\nout = %s; want an error, out with \"staged\"", err, out)
	}
	os.WriteFile(index, []byte("index 2"), 0o666) // the same files with other content, as cp writes it
	os.WriteFile(data, []byte("data and much that the new index names"), 0o666)
	s, err := archive.NewStage(filepath.Join(dir, "other"), true)
	if err != nil {
		t.Fatal(err)
	}
	s.Abort()
	if got := read(t, data); got != "data and much that the new index names" {
		t.Errorf("x.epk = %q", got)
	}
	noStrays(t, dir)
}

// A process that is killed while it writes a note leaves it without its content. The next
// one removes it.
func TestNoteWithoutContent(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"", `{"note":`} {
		f, release, err := stray.Create(filepath.Join(dir, ".x.epk.pakbox-append-"), 0o644)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(text)
		f.Close()
		release()
	}
	s, err := archive.NewStage(filepath.Join(dir, "x"), false)
	if err != nil {
		t.Fatal(err)
	}
	s.Abort()
	noStrays(t, dir)
}
