package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/internal/testkit/leak"
)

// watching is a watch in the background.
type watching struct {
	changes chan []string
	ended   chan error
	end     context.CancelFunc
}

func start(t *testing.T, match func(string) bool, paths ...string) *watching {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	w := &watching{changes: make(chan []string, 100), ended: make(chan error, 1), end: cancel}
	go func() {
		w.ended <- Files(ctx, paths, match, func(names []string) error {
			w.changes <- names
			return nil
		})
	}()
	if first := w.next(t); first != nil {
		t.Errorf("reported %v at the beginning", first)
	}
	t.Cleanup(func() {
		cancel()
		if err := <-w.ended; err != nil {
			t.Errorf("the watch ended with %v", err)
		}
		w.ended <- nil
	})
	return w
}

// next is the next report.
func (w *watching) next(t *testing.T) []string {
	t.Helper()
	select {
	case names := <-w.changes:
		return names
	case <-time.After(10 * time.Second):
		t.Fatal("no report")
		return nil
	}
}

// nothing checks that nothing is reported for some time.
func (w *watching) nothing(t *testing.T, d time.Duration) {
	t.Helper()
	select {
	case names := <-w.changes:
		t.Errorf("reported %v", names)
	case <-time.After(d):
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "there"), "x")
	w := start(t, func(name string) bool { return !strings.HasSuffix(name, ".skip") }, dir)
	w.nothing(t, 2*settle)
	check := func(want ...string) {
		t.Helper()
		for i, name := range want {
			want[i] = filepath.Join(dir, name)
		}
		if got := w.next(t); !slices.Equal(got, want) {
			t.Errorf("reported %v, want %v", got, want)
		}
	}
	write(t, filepath.Join(dir, "new"), "1")
	check("new")
	write(t, filepath.Join(dir, "a/b/c/deep"), "1") // in new folders
	check("a/b/c/deep")
	write(t, filepath.Join(dir, "a/b/c/deep"), "22")
	check("a/b/c/deep")
	os.Rename(filepath.Join(dir, "a/b/c/deep"), filepath.Join(dir, "moved"))
	check("a/b/c/deep", "moved")
	os.Remove(filepath.Join(dir, "moved"))
	check("moved")
	write(t, filepath.Join(dir, "x.skip"), "1")
	w.nothing(t, 2*settle)
	write(t, filepath.Join(dir, "gone"), "1")
	os.Remove(filepath.Join(dir, "gone"))
	w.nothing(t, 2*settle)
	os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "b"))
	check("a")
	write(t, filepath.Join(dir, "b/b/c/deep"), "1")
	check("b/b/c/deep")
	os.Remove(filepath.Join(dir, "b/b/c/deep"))
	check("b/b/c/deep")
	os.RemoveAll(filepath.Join(dir, "b")) // had become empty
	write(t, filepath.Join(dir, "a/again"), "1")
	check("a/again")
}

// A file that editors save repeatedly, by writing another file and renaming it.
func TestReplacedFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.dat")
	write(t, file, "0")
	w := start(t, nil, file)
	for i := range 3 {
		write(t, file+".tmp", fmt.Sprint("new ", i))
		if err := os.Rename(file+".tmp", file); err != nil {
			t.Fatal(err)
		}
		if got := w.next(t); !slices.Equal(got, []string{file}) {
			t.Errorf("reported %v", got)
		}
	}
	os.Remove(file) // removed for a moment
	time.Sleep(settle / 2)
	write(t, file, "back")
	if got := w.next(t); !slices.Equal(got, []string{file}) {
		t.Errorf("reported %v", got)
	}
	w.nothing(t, 2*settle)
}

// A file that is written slowly is reported when it is complete.
func TestIncomplete(t *testing.T) {
	dir := t.TempDir()
	w := start(t, nil, dir)
	f, err := os.Create(filepath.Join(dir, "slow"))
	if err != nil {
		t.Fatal(err)
	}
	pause := settle / 2
	if runtime.GOOS == "linux" {
		pause = 3 * settle // open files are known
	}
	for range 4 {
		f.WriteString("piece")
		w.nothing(t, pause)
	}
	f.Close()
	if got := w.next(t); len(got) != 1 {
		t.Errorf("reported %v", got)
	}
	data, err := os.ReadFile(f.Name())
	if err != nil || len(data) != 20 {
		t.Errorf("data = %q, err = %v; want no error, data of length 20", data, err)
	}
	w.nothing(t, 2*settle)
}

// If the system drops events, no file is lost.
func TestMany(t *testing.T) {
	dir := t.TempDir()
	w := start(t, nil, dir)
	const n = 3000
	for i := range n {
		write(t, filepath.Join(dir, fmt.Sprint("d", i%50), fmt.Sprint(i)), "x")
	}
	seen := map[string]bool{}
	for len(seen) < n {
		for _, name := range w.next(t) {
			seen[name] = true
		}
	}
}

// An error of the callback ends the watch, and frees its resources.
func TestEnds(t *testing.T) {
	dir := t.TempDir()
	before, files := runtime.NumGoroutine(), leak.OpenFiles()
	stop := errors.New("stop")
	ended := make(chan error, 1)
	go func() {
		ended <- Files(t.Context(), []string{dir}, nil, func(names []string) error {
			if names == nil {
				write(t, filepath.Join(dir, "x"), "x")
				return nil
			}
			return stop
		})
	}()
	if err := <-ended; err != stop {
		t.Errorf("ended with %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Files(ctx, []string{dir}, nil, func([]string) error { return nil }); err != nil {
		t.Error(err)
	}
	if err := Files(t.Context(), []string{filepath.Join(dir, "none")}, nil, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
	leak.Settled(t, "goroutines", before, runtime.NumGoroutine)
	leak.Settled(t, "files", files, leak.OpenFiles)
}

// The folder to watch may be a link, as it may be for every command.
func TestLinkedFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "real", "sub", "old"), "x")
	link := filepath.Join(dir, "link")
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	w := start(t, nil, link)
	write(t, filepath.Join(dir, "real", "sub", "new"), "x")
	if got, want := w.next(t), []string{filepath.Join(link, "sub", "new")}; !slices.Equal(got, want) {
		t.Errorf("reported %v, want %v", got, want)
	}
}
