package scan_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/index/store"
)

// An object that a store does not send to its end is a row with the error. The others are
// read.
func TestStalledObject(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Query().Has("list-type"):
			for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
				fmt.Fprintf(w, "%s<Contents><Key>in/%s</Key><Size>4</Size><ETag>t</ETag></Contents>", map[bool]string{true: "<R>"}[name == "a.txt"], name)
			}
			fmt.Fprint(w, "</R>")
		case strings.HasSuffix(r.URL.Path, "b.txt"):
			fmt.Fprint(w, "te")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		default:
			fmt.Fprint(w, "text")
		}
	}))
	defer server.Close()
	s, err := store.Open(func(name string) string { return map[string]string{"AWS_ENDPOINT_URL": server.URL}[name] })
	if err != nil {
		t.Fatal(err)
	}
	s.Patience = 100 * time.Millisecond
	file := filepath.Join(t.TempDir(), "s.sqlite")
	db, err := sqlite.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 2 { // it is tried again by the next scan
		result, err := scan.Run(t.Context(), db, []string{"s3://b/in"}, scan.Options{Store: s})
		if err != nil || result.Files != 3 || len(result.Problems) != 1 || result.Problems[0].Path != "s3://b/in/b.txt" {
			t.Errorf(`result = %+v, err = %v; want no error, result.Files = 3, result.Problems of length 1, result.Problems[0].Path = "s3://b/in/b.txt"`, result, err)
		}
	}
	read, err := sqlite.OpenReadOnly(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	rows, err := read.Query("select name || ' ' || status || ' ' || coalesce(error_kind, '') from files order by path")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var got []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		got = append(got, line)
	}
	if want := []string{"a.txt unknown bad_magic", "b.txt unreadable io", "c.txt unknown bad_magic"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
