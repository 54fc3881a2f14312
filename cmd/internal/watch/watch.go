// Package watch reports changed files as soon as nobody writes to them any more. It
// watches folders, so that a file stays watched when another one replaces it.
package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"pakbox/internal/lib/walk"
)

// settle is how long a file must stay unchanged to count as complete.
const settle = 200 * time.Millisecond

// patience is the longest wait for a program that keeps an unchanged file open, unless all
// files are waited for (see [Watcher]). After this time, that wait is reported.
var patience = 5 * time.Second

// SetTimes replaces five seconds of patience, and the thirty seconds for which a damaged
// file must not change, so that tests of the whole program need not wait as long.
func SetTimes(forPrograms, forDamaged time.Duration) { patience, still = forPrograms, forDamaged }

// Files watches paths, and everything below them, until ctx ends. It calls changed with
// nil when everything is watched, and then with the files that were written, made,
// renamed or removed, sorted, as paths below the given ones. match, if not nil, chooses
// files. A moved folder is reported by its own name. The calls never overlap. An error of
// changed ends the watch.
func Files(ctx context.Context, paths []string, match func(name string) bool, changed func(names []string) error) error {
	return new(Watcher).Files(ctx, paths, match, changed)
}

// Watcher is one watch. Its zero value waits five seconds for programs that keep an
// unchanged file open. One with Waits waits for all files that may not be finished, as
// [Watcher.Unfinished] and [Watcher.Doubt] say.
type Watcher struct {
	// Waits receives the pending files, sorted, with the condition for each. It
	// is called again from time to time during the wait.
	Waits func(names []string, reason Reason)

	notify  *fsnotify.Watcher
	match   func(string) bool
	roots   []string        // cleaned paths that are watched
	folders map[string]bool // folders that are watched

	mu      sync.Mutex        // guards the rest, because several goroutines read files
	pending map[string]*state // changed files that may not be complete yet
	doubts  map[string]*doubt // files that were damaged when they were read
}

// Files is the function [Files] for this watch. It is called once.
func (w *Watcher) Files(ctx context.Context, paths []string, match func(name string) bool, changed func(names []string) error) error {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer notify.Close()
	w.notify, w.match, w.folders, w.pending = notify, match, map[string]bool{}, map[string]*state{}
	for _, name := range paths {
		if err := w.add(filepath.Clean(name)); err != nil {
			return err
		}
	}
	clear(w.pending) // files at the beginning do not count as changed
	if err := changed(nil); err != nil {
		return err
	}
	return w.run(ctx, changed)
}

// unseen is a size that no file has.
const unseen = -2

// state is the state of a file at the last look.
type state struct {
	size  int64 // -1 if the file is gone
	mod   time.Time
	since time.Time // since when it has this state
	made  bool      // the first event was that it was made

	until time.Time     // it counts as complete only then, unless it changes before
	look  time.Time     // when to look again whether a program still has it open
	say   time.Time     // when to report the wait
	wait  time.Duration // interval of the reports
}

// add watches a path and its parent folder, because the path may be removed and made
// again.
func (w *Watcher) add(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	w.roots = append(w.roots, name)
	if err := w.notify.Add(filepath.Dir(name)); err != nil {
		return err
	}
	if info.IsDir() {
		return w.addFolder(name)
	}
	return nil
}

// addFolder watches a folder and its subfolders. Files in it may be older than the watch.
func (w *Watcher) addFolder(dir string) error {
	gone := func(_ string, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // it went in this moment
			return nil
		}
		return err
	}
	all := walk.Walk{Failed: gone}
	return all.Everything(dir, func(e walk.Entry) error {
		switch {
		case e.IsDir():
			if err := gone(e.Path, w.notify.Add(e.Path)); err != nil {
				return err
			}
			w.folders[e.Path] = true
		case e.Type().IsRegular():
			w.touch(e.Path, false)
		}
		return nil
	})
}

// touch records that a file has changed, or was made.
func (w *Watcher) touch(name string, made bool) {
	if w.match != nil && !w.match(name) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.pending[name]; !ok {
		w.pending[name] = &state{size: unseen, made: made}
	}
}

// watched reports whether a path is watched, or below a watched path.
func (w *Watcher) watched(name string) bool {
	return slices.ContainsFunc(w.roots, func(root string) bool {
		rel, err := filepath.Rel(root, name)
		return err == nil && filepath.IsLocal(rel)
	})
}

func (w *Watcher) run(ctx context.Context, changed func([]string) error) error {
	tick := time.NewTicker(settle / 4)
	defer tick.Stop()
	for {
		var due <-chan time.Time
		w.mu.Lock()
		if len(w.pending) > 0 {
			due = tick.C
		}
		w.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-w.notify.Events:
			if !ok {
				return nil
			}
			if err := w.event(e); err != nil {
				return err
			}
		case err := <-w.notify.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return err
			}
			if err := w.lookAgain(); err != nil { // the system lost events because there were too many
				return err
			}
		case <-due:
			if names := w.complete(time.Now()); len(names) > 0 {
				if err := changed(names); err != nil {
					return err
				}
			}
		}
	}
}

// lookAgain treats everything as changed.
func (w *Watcher) lookAgain() error {
	for _, root := range w.roots {
		if err := w.addFolder(root); err != nil {
			return err
		}
	}
	return nil
}

// event records an event.
func (w *Watcher) event(e fsnotify.Event) error {
	name := filepath.Clean(e.Name)
	if !w.watched(name) || e.Op == fsnotify.Chmod {
		return nil
	}
	info, err := os.Lstat(name)
	switch {
	case err == nil && info.IsDir() && e.Has(fsnotify.Create):
		return w.addFolder(name)
	case err == nil && info.IsDir():
	case err != nil && w.folders[name]:
		w.forget(name)
		if e.Has(fsnotify.Rename) { // the system does not report its content one by one
			w.mu.Lock()
			w.pending[name] = &state{size: unseen}
			w.mu.Unlock()
		}
	default:
		w.touch(name, e.Has(fsnotify.Create))
	}
	return nil
}

// forget ends the watch of a removed folder and its subfolders.
func (w *Watcher) forget(dir string) {
	for name := range w.folders {
		if name == dir || strings.HasPrefix(name, dir+string(filepath.Separator)) {
			w.notify.Remove(name) // fails if the system has done it already
			delete(w.folders, name)
		}
	}
}

// TooMany reports whether the system cannot watch that many folders.
func TooMany(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) }
