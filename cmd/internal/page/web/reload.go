package web

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/watch"
)

// A page that shows a file receives an event when the file changes, so that it can read it
// again. It listens at /api/changes?path=... The data of an event is a stamp of the file. The
// first event comes at once, the others when the file has been written completely.

// maxWatched limits the pages that listen at a time. sayTime limits the time that sending
// one event may take.
const (
	maxWatched = 32
	sayTime    = 10 * time.Second
)

// reloads sends events about changes of files to listening pages.
type reloads struct {
	explorer *page.Explorer
	places   chan struct{}
}

func newReloads(explorer *page.Explorer) *reloads {
	return &reloads{explorer, make(chan struct{}, maxWatched)}
}

func (x *reloads) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		refuse(w, http.StatusMethodNotAllowed, "this address only sends events: use GET")
		return
	}
	name := r.URL.Query().Get("path")
	file, err := x.explorer.OnDisk(name)
	if _, isFolder := x.explorer.FolderStamp(name); err != nil && !isFolder {
		refuse(w, http.StatusNotFound, "the file to watch does not exist")
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
	// The error is not reported: either the listener has gone, or the system cannot watch
	// the file, and then the page keeps showing what it has.
	if file == "" {
		_ = x.tellFolder(r.Context(), w, name)
	} else {
		_ = sendChanges(r.Context(), w, file)
	}
}

// folderTime is the interval for checking a folder. Listing it is quick; watching
// everything below it might be slow.
const folderTime = 2 * time.Second

// tellFolder sends an event at the beginning and whenever the list of the folder changes.
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

// sendChanges sends an event at the beginning and for each change of a file, until the listener
// disconnects.
func sendChanges(ctx context.Context, w http.ResponseWriter, file string) error {
	return watch.Files(ctx, []string{file}, nil, func([]string) error { return say(w, stampOf(file)) })
}

// say sends one event.
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

// stampOf returns a text that changes when the file changes: its size and time.
func stampOf(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return "gone"
	}
	return fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
}
