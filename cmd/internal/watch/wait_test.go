package watch

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"pakbox/internal/testkit/peer"
)

// knowsWriters lists the systems that report which program has a file open.
const knowsWriters = runtime.GOOS == "linux" || runtime.GOOS == "windows"

// A file that changed a moment ago may be incomplete. So may one that a program has
// open, whatever the time of its last change.
func TestUnfinished(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := Watcher{pending: map[string]*state{}}
	for _, ago := range []time.Duration{0, 2 * settle, 2 * patience, 24 * time.Hour} {
		if got, want := w.Unfinished(name, time.Now().Add(-ago)), ago == 0 || knowsWriters; got != want {
			t.Errorf("changed %v ago, and open: %v", ago, got)
		}
	}
	if w.pending[name] == nil {
		t.Error("the file is not checked again")
	}
	f.Close()
	for _, ago := range []time.Duration{2 * settle, -time.Hour} { // a time in the future would never pass
		if w.Unfinished(name, time.Now().Add(-ago)) {
			t.Errorf("changed %v ago, and closed: unfinished", ago)
		}
	}
}

// A watch that waits for all files reports a file that a program keeps open without a change
// when that program closes it, and meanwhile reports the wait.
func TestOpenForLong(t *testing.T) {
	if !knowsWriters {
		peer.Missing(t, "this system does not list open files of programs")
	}
	dir := t.TempDir()
	var mu sync.Mutex
	var said []string
	w := Watcher{Waits: func(names []string, reason Reason) {
		mu.Lock()
		defer mu.Unlock()
		if reason == Open {
			said = append(said, names...)
		}
	}}
	all := watchWith(t, &w, dir, func() {})
	f, err := os.Create(filepath.Join(dir, "open"))
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("half")
	all.nothing(t, patience+time.Second)
	mu.Lock()
	if !slices.Equal(said, []string{f.Name()}) {
		t.Errorf("waiting for %q", said)
	}
	mu.Unlock()
	f.Close()
	if got := all.next(t); !slices.Equal(got, []string{f.Name()}) {
		t.Errorf("reported %v", got)
	}
}

// watchWith is start with other settings and a function for changed files.
func watchWith(t *testing.T, w *Watcher, dir string, changed func()) *watching {
	t.Helper()
	all := &watching{changes: make(chan []string, 100)}
	ended := make(chan error, 1)
	go func() {
		ended <- w.Files(t.Context(), []string{dir}, nil, func(names []string) error {
			changed()
			all.changes <- names
			return nil
		})
	}()
	all.next(t)
	t.Cleanup(func() {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return all
}

// A damaged file that changed lately is read again after it has been unchanged for long enough,
// or when it changes; each change doubles the time. An intact file resets it.
func TestDoubt(t *testing.T) {
	old := still
	still = 2 * time.Second
	defer func() { still = old }()
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	w := &Watcher{Waits: func([]string, Reason) {}}
	if w.Doubt(name, time.Now().Add(-2*still), time.Now().Add(-2*still), false) {
		t.Error("a file that was damaged long ago is doubted")
	}
	read := make(chan string, 10) // the results of the reader of the file
	all := watchWith(t, w, dir, func() {
		info, err := os.Stat(name)
		if err != nil {
			return
		}
		if w.Unfinished(name, info.ModTime()) {
			read <- "nothing"
		} else if w.Doubt(name, info.ModTime(), info.ModTime(), info.Size() >= 10) {
			read <- "doubt"
		} else {
			read <- "a result"
		}
	})
	found := func(want string) {
		t.Helper()
		all.next(t)
		if got := <-read; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	write(t, name, "half")
	found("doubt")
	write(t, filepath.Join(dir, "other"), "x") // makes the watch check all files
	found("nothing")
	all.nothing(t, still/2)
	write(t, name, "more") // reported at once, before the time is over
	found("doubt")
	all.nothing(t, still+still/2) // twice as long as before
	found("a result")
	write(t, name, "more again")
	found("a result")
	if len(w.doubts) != 0 {
		t.Error("an intact file is still doubted")
	}
}

// A damaged file whose data is in another file that changed just now is doubted, and
// read again with each scan.
func TestDoubtOfPairs(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	write(t, name, "index")
	w := Watcher{pending: map[string]*state{}}
	long := time.Now().Add(-time.Hour)
	if !w.Doubt(name, long, time.Now(), false) {
		t.Error("a file with recently changed data is not doubted")
	}
	if w.Unfinished(name, long) {
		t.Error("the file would not be read again after its data is complete")
	}
}
