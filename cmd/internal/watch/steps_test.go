package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"pakbox/internal/testkit/peer"
)

// newWatch is a watch of a folder that does not run: the test sets the time.
func newWatch(t *testing.T, dir string) *Watcher {
	t.Helper()
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { notify.Close() })
	return &Watcher{notify: notify, roots: []string{dir}, folders: map[string]bool{}, pending: map[string]*state{}}
}

// A file is complete when it has been unchanged for a moment. A file that was created and
// removed is not reported, nor is anything but a file.
func TestComplete(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	w, base := newWatch(t, dir), time.Now()
	check := func(after time.Duration, want ...string) {
		t.Helper()
		if got := w.complete(base.Add(after)); !slices.Equal(got, want) {
			t.Errorf("after %v: %q, want %q", after, got, want)
		}
	}
	write(t, at("b"), "1")
	write(t, at("a"), "1")
	w.touch(at("b"), true)
	w.touch(at("a"), false)
	check(0)
	check(settle - 1)
	check(settle, at("a"), at("b"))
	check(2 * settle)
	if len(w.pending) != 0 {
		t.Errorf("files are still pending: %v", w.pending)
	}
	w.touch(at("a"), false)
	check(0)
	write(t, at("a"), "22") // starts again
	check(settle)
	check(2*settle - 1)
	check(2*settle, at("a"))
	w.touch(at("none"), true)
	w.touch(at("removed"), false)
	if err := os.Mkdir(at("folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	w.touch(at("folder"), true)
	check(0)
	check(settle, at("removed"))
	w.match = func(name string) bool { return name == at("b") }
	w.touch(at("a"), false)
	w.touch(at("b"), false)
	if w.touch(at("b"), true); len(w.pending) != 1 || w.pending[at("b")].made {
		t.Errorf(`w.pending = %v; want w.pending of length 1, w.pending[at("b")].made = false`, w.pending)
	}
}

// A damaged file is pending until its time is over, unless it changes. The wait is
// reported once at the beginning, and then at growing intervals.
func TestTold(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	write(t, name, "1")
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	w, base := newWatch(t, dir), time.Now()
	var said []string
	w.Waits = func(names []string, reason Reason) { said = append(said, fmt.Sprint(reason, names)) }
	d := &doubt{changed: info.ModTime(), until: base.Add(time.Minute)}
	w.hold(name, d)
	w.hold(name, &doubt{until: base.Add(time.Hour)}) // it is already pending
	if s := w.pending[name]; s == nil || !s.until.Equal(d.until) || !s.mod.Equal(d.changed) || s.size != unseen {
		t.Fatalf("s = %+v; want s other than nil, s.until.Equal(d.until) = true, s.mod.Equal(d.changed) = true, s.size = %v", s, unseen)
	}
	want := "[" + fmt.Sprint(Damaged, []string{name}) + "]"
	for _, k := range []struct {
		after time.Duration
		said  int
		done  bool
	}{{0, 0, false}, {settle, 0, false}, {settle + 1, 1, false}, {patience, 1, false}, {3 * patience, 2, false}, {5 * patience, 2, false}, {8 * patience, 3, false}, {time.Minute - 1, 3, false}, {time.Minute, 3, true}} {
		if got := w.complete(base.Add(k.after)); (len(got) > 0) != k.done || len(said) != k.said {
			t.Errorf("after %v: complete files = %q, reports = %d", k.after, got, len(said))
		}
	}
	if len(said) == 0 || fmt.Sprint(said[:1]) != want {
		t.Errorf("%q, want %s", said, want)
	}
	// A change ends the doubt.
	w.hold(name, d)
	w.complete(base)
	write(t, name, "22")
	if later := info.ModTime().Add(time.Second); os.Chtimes(name, later, later) != nil { // the system's own times may be too coarse
		t.Fatal("the time cannot be set")
	}
	w.complete(base.Add(1))
	if got := w.complete(base.Add(1 + settle)); len(got) != 1 {
		t.Errorf("a changed file is not reported: %+v", w.pending[name])
	}
	// The same holds for a change before the first look.
	w.hold(name, d)
	w.complete(base)
	if got := w.complete(base.Add(settle)); len(got) != 1 {
		t.Errorf("a file that changed before is not reported: %+v", w.pending[name])
	}
}

// A file that a program has open is pending for the time of patience, or for as long as it is
// open if all files are waited for. It is not checked in between.
func TestOpenSteps(t *testing.T) {
	if !knowsWriters {
		peer.Missing(t, "this system does not list open files of programs")
	}
	for _, all := range []bool{false, true} {
		dir := t.TempDir()
		f, err := os.Create(filepath.Join(dir, "x"))
		if err != nil {
			t.Fatal(err)
		}
		w, base := newWatch(t, dir), time.Now()
		said := 0
		if all {
			w.Waits = func([]string, Reason) { said++ }
		}
		w.touch(f.Name(), true)
		for _, after := range []time.Duration{0, settle, patience - 1} {
			if got := w.complete(base.Add(after)); len(got) != 0 {
				t.Errorf("all %t, after %v: %q", all, after, got)
			}
		}
		if s := w.pending[f.Name()]; !s.look.Equal(base.Add(patience - 1 + min((patience-1)/4, mostLook))) {
			t.Errorf("next check at %v", s.look.Sub(base))
		}
		long := base.Add(patience + time.Minute)
		if got := w.complete(long); (len(got) == 0) != all || said > 1 || all && said != 1 {
			t.Errorf("all %t: files after a minute = %q, reports = %d", all, got, said)
		}
		f.Close()
		if !all {
			continue
		}
		if got := w.complete(long.Add(mostLook - 1)); len(got) != 0 {
			t.Errorf("checked too early: %q", got)
		}
		if got := w.complete(long.Add(mostLook)); len(got) != 1 {
			t.Errorf("a closed file is not reported: %+v", w.pending[f.Name()])
		}
	}
}

// A damaged file must be unchanged for a time since its last change, which doubles
// with each further one, up to a limit.
func TestDoubtTimes(t *testing.T) {
	w := Watcher{pending: map[string]*state{}}
	doubted := func(name string, ago time.Duration, want bool, wait, until time.Duration) {
		t.Helper()
		before := time.Now()
		latest := before.Add(-ago)
		if got := w.Doubt(name, latest, latest, false); got != want {
			t.Errorf("changed %v ago: %t", ago, got)
		}
		after := time.Now()
		d := w.doubts[name]
		if d == nil {
			if wait != 0 {
				t.Errorf("changed %v ago: no doubt is stored", ago)
			}
			return
		}
		if d.still != wait || !d.changed.Equal(latest) || !d.latest.Equal(latest) || d.until.Before(before.Add(until-after.Sub(before))) || d.until.After(after.Add(until)) {
			t.Errorf("changed %v ago: must be still for %v until %v from now", ago, d.still, d.until.Sub(after))
		}
	}
	doubted("old", still, false, 0, 0)
	doubted("old", 24*time.Hour, false, 0, 0)
	doubted("new", 10*time.Second, true, still, still-10*time.Second)
	doubted("ahead", -time.Hour, true, still, still)
	doubted("x", time.Second, true, still, still-time.Second)
	for wait, ago := 2*still, 2*time.Second; wait < 2*mostStill; wait, ago = 2*wait, ago+time.Second {
		doubted("x", ago, true, min(wait, mostStill), min(wait, mostStill)-ago)
	}
	doubted("x", time.Hour, false, mostStill, 0)
	// The same state again has no effect.
	latest := time.Now()
	w.Doubt("y", latest, latest, false)
	kept := *w.doubts["y"]
	if !w.Doubt("y", latest, latest, false) || *w.doubts["y"] != kept {
		t.Errorf("%+v, then %+v", kept, *w.doubts["y"])
	}
	if !w.Unfinished("y", latest) || w.Unfinished("y", latest.Add(-time.Hour)) {
		t.Error("the file is pending in another state than the doubted one")
	}
	if w.Doubt("y", latest, latest, true) || w.doubts["y"] != nil || w.pending["y"] == nil {
		t.Error("an intact file is doubted")
	}
}

// Events in a watched folder are handled; events elsewhere, and changes of permissions,
// are ignored.
func TestEvents(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("in/sub/file"), "1")
	write(t, at("out/file"), "1")
	w := newWatch(t, at("in"))
	event := func(op fsnotify.Op, name string, want ...string) {
		t.Helper()
		if err := w.event(fsnotify.Event{Name: at(name), Op: op}); err != nil {
			t.Errorf("%v %s: %v", op, name, err)
		}
		var got []string
		for name := range w.pending {
			rel, _ := filepath.Rel(dir, name)
			got = append(got, filepath.ToSlash(rel))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%v %s: %q, want %q", op, name, got, want)
		}
		clear(w.pending)
	}
	event(fsnotify.Create, "in/sub", "in/sub/file")
	event(fsnotify.Write, "in/sub")
	event(fsnotify.Write, "in/sub/file", "in/sub/file")
	event(fsnotify.Chmod, "in/sub/file")
	event(fsnotify.Write|fsnotify.Chmod, "in/sub/file", "in/sub/file")
	event(fsnotify.Write, "out/file")
	event(fsnotify.Write, "in/../out/file")
	event(fsnotify.Remove, "in/gone", "in/gone")
	if err := os.RemoveAll(at("in/sub")); err != nil {
		t.Fatal(err)
	}
	w.folders[at("in/sub/below")], w.folders[at("in/subway")] = true, true
	event(fsnotify.Remove, "in/sub")
	if len(w.folders) != 1 || !w.folders[at("in/subway")] {
		t.Errorf("%v are watched", w.folders)
	}
	event(fsnotify.Rename, "in/subway", "in/subway")
	if len(w.folders) != 0 {
		t.Errorf("%v are watched", w.folders)
	}
	write(t, at("in/new/file"), "1")
	w.roots = append(w.roots, at("none"), at("out/file"))
	if err := w.lookAgain(); err != nil || len(w.pending) != 2 || w.pending[at("in/new/file")] == nil || w.pending[at("out/file")] == nil {
		t.Errorf("looked again: %v, %v", w.pending, err)
	}
	w.roots = []string{"a/b", "c"}
	for name, want := range map[string]bool{"a/b": true, "a/b/c": true, "a/bc": false, "a": false, "c": true, "c/../a": false, "d": false} {
		if w.watched(filepath.FromSlash(name)) != want {
			t.Errorf("%s is watched: %t", name, !want)
		}
	}
	for err, want := range map[error]bool{syscall.ENOSPC: true, syscall.EMFILE: true, &fs.PathError{Err: syscall.EMFILE}: true, syscall.ENOENT: false, errors.New("x"): false} {
		if TooMany(err) != want {
			t.Errorf("%v: !want = %t; want TooMany(err) = %v", err, !want, want)
		}
	}
}
