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
	file, err := x.explorer.OnDisk(r.URL.Query().Get("path"))
	if err != nil {
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
	_ = tell(r.Context(), w, file)
}

// tell writes an event at the beginning and for each change, until the listener
// goes away.
func tell(ctx context.Context, w http.ResponseWriter, file string) error {
	out := http.NewResponseController(w)
	return watch.Files(ctx, []string{file}, nil, func([]string) error {
		if err := out.SetWriteDeadline(time.Now().Add(sayTime)); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "data: %s\n\n", stampOf(file)); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
		return out.SetWriteDeadline(time.Time{})
	})
}

// stampOf is how a file looks, in a word that is another when it has changed.
func stampOf(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return "gone"
	}
	return fmt.Sprintf("%d-%d", info.Size(), info.ModTime().UnixNano())
}
