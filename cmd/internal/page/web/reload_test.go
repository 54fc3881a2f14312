package web

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pakbox/internal/testkit/leak"
)

// listen opens the events of a file of the folder.
func listen(t *testing.T, ctx context.Context, server *httptest.Server, path string) (*http.Response, *bufio.Scanner) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/api/changes?path="+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer secret")
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Body.Close() })
	return w, bufio.NewScanner(w.Body)
}

// event is the data of the next event.
func event(t *testing.T, s *bufio.Scanner) string {
	t.Helper()
	for s.Scan() {
		if data, ok := strings.CutPrefix(s.Text(), "data: "); ok {
			return data
		}
	}
	t.Fatalf("no event: %v", s.Err())
	return ""
}

// A page receives an event for each change of its file, also for one that is saved by
// renaming. Nothing is watched after it disconnects.
func TestReload(t *testing.T) {
	e := newExplorer(t)
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	files, routines := leak.OpenFiles(), runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	w, events := listen(t, ctx, server, "maps/a.Map.Gbx/thumbnail.jpg") // an entry of the file
	if w.StatusCode != 200 || w.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("status %d, headers %v", w.StatusCode, w.Header)
	}
	first := event(t, events)
	name := filepath.Join(e.dir, "a.Map.Gbx")
	writeFile(t, name+".new", append(e.read("a.Map.Gbx"), 0))
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
	second := event(t, events)
	if second == first || strings.Contains(second, e.dir) {
		t.Errorf("event = %q after %q", second, first)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if third := event(t, events); third != "gone" {
		t.Errorf(`third = %q; want "gone"`, third)
	}
	cancel()
	http.DefaultClient.CloseIdleConnections()
	leak.Settled(t, "open files", files, leak.OpenFiles)
	leak.Settled(t, "goroutines", routines, runtime.NumGoroutine)
}

// A page that shows a folder receives an event when a file is added to it.
func TestReloadFolder(t *testing.T) {
	e := newExplorer(t)
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w, events := listen(t, ctx, server, "maps")
	if w.StatusCode != 200 {
		t.Fatalf("w.StatusCode = %d; want 200", w.StatusCode)
	}
	first := event(t, events)
	writeFile(t, filepath.Join(e.dir, "new.txt"), []byte("x"))
	if second := event(t, events); second == first || strings.Contains(second, "new") {
		t.Errorf("event = %q after %q", second, first)
	}
}

// Files outside of the folder are not watched, and the number of listeners is limited.
func TestReloadLimits(t *testing.T) {
	e := newExplorer(t)
	outside := filepath.Join(filepath.Dir(e.dir), "outside.txt")
	writeFile(t, outside, []byte("x"))
	if err := os.Symlink(outside, filepath.Join(e.dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", ".", "maps/link.txt", "../outside.txt", "maps/../outside.txt", outside, "maps/nothing", "dropped/x"} {
		if w := e.get("changes", "path", path); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), filepath.Dir(e.dir)) {
			t.Errorf("%q: status %d: %s", path, w.Code, w.Body)
		}
	}
	if w := e.send(request("POST", "/api/changes?path=maps/a.Map.Gbx", nil)); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d", w.Code)
	}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range maxWatched {
		_, events := listen(t, ctx, server, "maps/a.Map.Gbx")
		event(t, events)
	}
	if w, _ := listen(t, ctx, server, "maps/a.Map.Gbx"); w.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one listener above the limit: status %d", w.StatusCode)
	}
}
