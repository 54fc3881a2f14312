package web

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"pakbox/internal/explore"
	"pakbox/internal/lib/watch"
)

// A page that shows a file is told when the file has changed, so that it can
// read it again. It listens to events (/api/changes?path=...), each of which has
// as its data how the file looks: the first comes at once, the others when the
// file is complete again.

// maxWatched is how many pages are told at a time, sayTime how long one may take
// to hear.
const (
	maxWatched = 32
	sayTime    = 10 * time.Second
)

// reloads tells pages about changes.
type reloads struct {
	explorer *explore.Explorer
	places   chan struct{}
}

func newReloads(explorer *explore.Explorer) *reloads {
	return &reloads{explorer, make(chan struct{}, maxWatched)}
}

func (x *reloads) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		refuse(w, http.StatusMethodNotAllowed, "changes are only listened to")
		return
	}
	name := r.URL.Query().Get("path")
	file, err := x.explorer.OnDisk(name)
	if _, isFolder := x.explorer.FolderStamp(name); err != nil && !isFolder {
		refuse(w, http.StatusNotFound, "there is no such file to watch")
		return
	}
	select {
	case x.places <- struct{}{}:
		defer func() { <-x.places }()
	default:
		refuse(w, http.StatusServiceUnavailable, "too many pages listen already")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	// An error is that of whoever listened, or of a system that cannot watch any
	// more: the page shows what it has.
	if file == "" {
		_ = x.tellFolder(r.Context(), w, name)
	} else {
		_ = tell(r.Context(), w, file)
	}
}

// folderTime is how often a folder is looked at. Its list is short work, where a
// watch of all that lies below it might be long.
const folderTime = 2 * time.Second

// tellFolder writes an event at the beginning, and whenever the list of a folder is
// another.
func (x *reloads) tellFolder(ctx context.Context, w http.ResponseWriter, name string) error {
	tick := time.NewTicker(folderTime)
	defer tick.Stop()
	for said := ""; ; {
		stamp, ok := x.explorer.FolderStamp(name)
		if !ok {
			stamp = "gone"
		}
		if stamp != said {
			said = stamp
			if err := say(w, stamp); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// tell writes an event at the beginning and for each change, until the listener
// goes away.
func tell(ctx context.Context, w http.ResponseWriter, file string) error {
	return watch.Files(ctx, []string{file}, nil, func([]string) error { return say(w, stampOf(file)) })
}

// say writes one event.
func say(w http.ResponseWriter, data string) error {
	out := http.NewResponseController(w)
	if err := out.SetWriteDeadline(time.Now().Add(sayTime)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "data: %s\n\n", data); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return out.SetWriteDeadline(time.Time{})
}

// stampOf is how a file looks, in a word that is another when it has changed.
func stampOf(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return "gone"
	}
	return fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
}
