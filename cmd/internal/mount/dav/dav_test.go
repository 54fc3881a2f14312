package dav_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"pakbox"
	"pakbox/cmd/internal/mount"
	"pakbox/cmd/internal/mount/dav"
	"pakbox/cmd/internal/source"

	"pakbox/internal/testkit/leak"
)

// newZip makes a zip of files whose content is their name.
func newZip(t *testing.T, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, name)
	}
	w.Close()
	file := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func open(t *testing.T, file string, write bool) *mount.Tree {
	t.Helper()
	o := source.NewOpener(pakbox.Formats())
	t.Cleanup(o.CleanUp)
	tree, err := mount.Open(t.Context(), file, mount.Options{Opener: o, Write: write})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func ask(t *testing.T, s *httptest.Server, method, path, body string, header ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(data)
}

// Several trees are folders, which cannot be changed; files cannot be moved from one to
// another.
func TestRoots(t *testing.T) {
	one, two := open(t, newZip(t, "x/1.txt"), true), open(t, newZip(t, "2.txt"), false)
	defer one.Close()
	defer two.Close()
	s := httptest.NewServer(dav.Handler([]dav.Root{{Name: "one.zip", Tree: one}, {Name: "two.zip", Tree: two}}))
	defer s.Close()
	if code, body := ask(t, s, "PROPFIND", "/", "", "Depth", "1"); code != 207 || !strings.Contains(body, "/one.zip/") || !strings.Contains(body, "/two.zip/") {
		t.Errorf(`code = %d body = %s; want code = 207, body with "/one.zip/", body with "/two.zip/"`, code, body)
	}
	for _, test := range []struct {
		method, path, to string
		want             int
	}{
		{"GET", "/one.zip/x/1.txt", "", 200},
		{"GET", "/two.zip/2.txt", "", 200},
		{"GET", "/three.zip/2.txt", "", 404},
		{"PUT", "/one.zip/new.txt", "", 201},
		{"PUT", "/two.zip/new.txt", "", 404},
		{"PUT", "/new.txt", "", 409},
		{"DELETE", "/one.zip", "", 405},
		{"MOVE", "/one.zip/new.txt", "/two.zip/new.txt", 403},
		{"MOVE", "/one.zip/new.txt", "/one.zip/x/new.txt", 201},
		{"COPY", "/two.zip/2.txt", "/one.zip/2.txt", 201},
		{"GET", "/one.zip/2.txt", "", 200},
	} {
		if code, body := ask(t, s, test.method, test.path, "", "Destination", s.URL+test.to); code != test.want {
			t.Errorf("%s %s %s: %d, want %d: %s", test.method, test.path, test.to, code, test.want, body)
		}
	}
}

// With many parallel clients, some of which disconnect during a request, all resources
// are freed.
func TestNothingIsLeft(t *testing.T) {
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("d%d/f%d.txt", i%4, i))
	}
	file := newZip(t, names...)
	goroutines, files := runtime.NumGoroutine(), leak.OpenFiles()
	tree := open(t, file, true)
	s := httptest.NewServer(dav.Handler([]dav.Root{{Tree: tree}}))
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			for j := range 10 {
				name := names[(i+j)%len(names)]
				if code, body := ask(t, s, "GET", "/"+name, ""); code != 200 || body != name {
					t.Errorf("%s: code = %d body = %q; want code = 200, body = %q", name, code, body, name)
				}
				ask(t, s, "PUT", fmt.Sprintf("/new%d-%d", i, j), "text")
				ask(t, s, "PROPFIND", "/", "", "Depth", "1")
				ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
				r, _ := http.NewRequestWithContext(ctx, "PUT", s.URL+"/broken", io.LimitReader(endless{}, 1<<20))
				if answer, err := s.Client().Do(r); err == nil {
					answer.Body.Close()
				}
				cancel()
			}
		})
	}
	group.Wait()
	s.Close()
	s.Client().CloseIdleConnections()
	if n, err := tree.End(t.Context()); err != nil || n < 160 {
		t.Errorf("%d changes saved, %v", n, err)
	}
	tree.Close()
	leak.Settled(t, "goroutines", goroutines, runtime.NumGoroutine)
	leak.Settled(t, "open files", files, leak.OpenFiles)
}

// endless is an endless text.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, "endless "), nil }
