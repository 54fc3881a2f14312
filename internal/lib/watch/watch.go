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
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Times for watching.
const (
	// settle is how long a file must stay unchanged to count as complete.
	settle = 200 * time.Millisecond
	// patience is the longest wait for a program that keeps an unchanged file open.
	patience = 5 * time.Second
)

// Files watches paths, and everything below them, until ctx ends. It calls changed with
// nil when everything is watched, and then with the files that were written, made,
// renamed or removed, sorted, as paths below the given ones. match, if not nil, chooses
// files. A moved folder is reported by its own name. The calls never overlap. An error of
// changed ends the watch.
func Files(ctx context.Context, paths []string, match func(name string) bool, changed func(names []string) error) error {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer notify.Close()
	w := &watcher{notify: notify, match: match, folders: map[string]bool{}, pending: map[string]*state{}}
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

// watcher is the state of one watch.
type watcher struct {
	notify  *fsnotify.Watcher
	match   func(string) bool
	roots   []string          // cleaned paths that are watched
	folders map[string]bool   // folders that are watched
	pending map[string]*state // changed files that may not be complete yet
}

// state is the state of a file at the last look.
type state struct {
	size  int64 // -1 if the file is gone
	mod   time.Time
	since time.Time // since when it has this state
	made  bool      // the first event was that it was made
}

// add watches a path and its parent folder, because the path may be removed and made
// again.
func (w *watcher) add(name string) error {
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
func (w *watcher) addFolder(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // it went in this moment
			return nil
		case err != nil:
			return err
		case d.IsDir():
			if err := w.notify.Add(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			w.folders[name] = true
		case d.Type().IsRegular():
			w.touch(name, false)
		}
		return nil
	})
}

// touch records that a file has changed, or was made.
func (w *watcher) touch(name string, made bool) {
	if w.match != nil && !w.match(name) {
		return
	}
	if _, ok := w.pending[name]; !ok {
		w.pending[name] = &state{size: -2, made: made} // a size that no file has
	}
}

// watched reports whether a path is watched, or below a watched path.
func (w *watcher) watched(name string) bool {
	return slices.ContainsFunc(w.roots, func(root string) bool {
		rel, err := filepath.Rel(root, name)
		return err == nil && filepath.IsLocal(rel)
	})
}

func (w *watcher) run(ctx context.Context, changed func([]string) error) error {
	tick := time.NewTicker(settle / 4)
	defer tick.Stop()
	for {
		var due <-chan time.Time
		if len(w.pending) > 0 {
			due = tick.C
		}
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
func (w *watcher) lookAgain() error {
	for _, root := range w.roots {
		if err := w.addFolder(root); err != nil {
			return err
		}
	}
	return nil
}

// event records an event.
func (w *watcher) event(e fsnotify.Event) error {
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
			w.pending[name] = &state{size: -2}
		}
	default:
		w.touch(name, e.Has(fsnotify.Create))
	}
	return nil
}

// forget ends the watch of a removed folder and its subfolders.
func (w *watcher) forget(dir string) {
	for name := range w.folders {
		if name == dir || strings.HasPrefix(name, dir+string(filepath.Separator)) {
			w.notify.Remove(name) // fails if the system has done it already
			delete(w.folders, name)
		}
	}
}

// complete removes from pending the files that nobody writes to any more, and returns
// them.
func (w *watcher) complete(now time.Time) (names []string) {
	for name, s := range w.pending {
		size, mod := int64(-1), time.Time{}
		info, err := os.Stat(name)
		if err == nil {
			size, mod = info.Size(), info.ModTime()
		}
		if size != s.size || !mod.Equal(s.mod) {
			s.size, s.mod, s.since = size, mod, now
			continue
		}
		quiet := now.Sub(s.since)
		if quiet < settle || err == nil && quiet < patience && beingWritten(name) {
			continue
		}
		delete(w.pending, name)
		// A file that appeared and disappeared does not count: programs save files under
		// temporary names first.
		if err != nil && !s.made || err == nil && info.Mode().IsRegular() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Unfinished reports whether somebody may still be writing to a file: it changed a moment
// ago, or somewhat longer ago and a program has it open for writing.
func Unfinished(name string, changed time.Time) bool {
	quiet := time.Since(changed)
	return quiet < settle || quiet < patience && beingWritten(name)
}

// TooMany reports whether the system cannot watch that many folders.
func TooMany(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) }
