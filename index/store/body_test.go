package store

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"pakbox/fault"
)

// A store that stops in the middle of an object, or goes on a byte at a time, is asked once
// more and then given up. One that is only slow is not.
func TestStalledBody(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		mu.Lock()
		asked[name]++
		again := asked[name] > 1
		mu.Unlock()
		w.Header().Set("Content-Length", "100000")
		send := func(n int, every time.Duration) {
			for left := 100_000; left > 0 && r.Context().Err() == nil; left -= n {
				if _, err := io.WriteString(w, strings.Repeat(" ", min(n, left))); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				time.Sleep(every)
			}
		}
		switch {
		case name == "slow", name == "once" && again:
			send(25_000, time.Millisecond) // far less than the patience, also on a busy machine
		case name == "bytes":
			send(1, time.Millisecond)
		default:
			send(50, time.Hour)
		}
	}))
	defer server.CloseClientConnections() // before Close, which waits for them
	s, err := Open(func(name string) string { return map[string]string{"AWS_ENDPOINT_URL": server.URL}[name] })
	if err != nil {
		t.Fatal(err)
	}
	s.Patience = 300 * time.Millisecond
	for name, tries := range map[string]int{"slow": 1, "once": 2, "stopped": 2, "bytes": 2} {
		start := time.Now()
		data, err := s.ReadAll(t.Context(), "s3://b/"+name, "", 1<<20)
		mu.Lock()
		if took := time.Since(start); asked[name] != tries || took > 10*time.Second {
			t.Errorf("%s: asked %d times in %v", name, asked[name], took)
		}
		mu.Unlock()
		switch stalls := name == "stopped" || name == "bytes"; {
		case !stalls && (err != nil || len(data) != 100_000):
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		case stalls && (!errors.Is(err, fault.Access) || !strings.Contains(err.Error(), "s3://b/"+name)):
			t.Errorf(`%s: err = %v; want stalls = false or err matching fault.Access, err with "s3://b/" + name`, name, err)
		}
	}
	if _, err := s.List(t.Context(), "s3://b/list"); !errors.Is(err, fault.Access) {
		t.Errorf("a list that stalls: %v", err)
	}
}
