package scan_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	"pakbox/index"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/index/store"
)

// Keys that expire while objects are read end the scan: each of the other objects would
// be a row with that error, in an index marked as finished. The next scan goes on.
func TestLostStore(t *testing.T) {
	var expired atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Query().Has("list-type"):
			fmt.Fprint(w, "<R><Contents><Key>in/a.txt</Key><Size>4</Size><ETag>t</ETag></Contents><Contents><Key>in/b.txt</Key><Size>4</Size><ETag>t</ETag></Contents></R>")
		case expired.Load():
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, "<Error><Code>ExpiredToken</Code></Error>")
		default:
			fmt.Fprint(w, "text")
		}
	}))
	defer server.Close()
	s, err := store.Open(func(name string) string { return map[string]string{"AWS_ENDPOINT_URL": server.URL}[name] })
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "s.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, is := range []bool{true, false} {
		expired.Store(is)
		result, err := scan.Run(t.Context(), db, []string{"s3://b/in"}, scan.Options{Store: s})
		if store.Lost(err) != is || !is && (err != nil || result.Read != 2 || len(result.Problems) > 0) {
			t.Errorf("expired %t: %+v, %v", is, result, err)
		}
		if about, err := db.About(t.Context()); err != nil || scan.Finished(about) == is {
			t.Errorf("expired %t: the index notes %v, %v", is, about, err)
		}
	}
	// The pipeline gets an error too, which its runner tries again.
	expired.Store(true)
	one := scan.ListEntry{Path: "s3://b/in/a.txt", Size: 4, Tag: "t"}
	if rows, _, err := one.Rows(t.Context(), &index.Indexer{}, s); !store.Lost(err) || rows != nil {
		t.Errorf("rows = %v, err = %v; want store.Lost(err) = true, rows = nil", rows, err)
	}
}
