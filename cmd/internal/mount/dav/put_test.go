package dav

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
)

// breaking is a body that ends with an error.
type breaking struct {
	io.Reader
	err error
}

func (b breaking) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

// An incomplete upload must neither replace the old file nor create a
// new one.
func TestPutBroken(t *testing.T) {
	for name, k := range map[string]struct {
		err  error
		want int
	}{
		"connection closed": {io.ErrUnexpectedEOF, http.StatusBadRequest},
		"disk full":         {syscall.ENOSPC, http.StatusInsufficientStorage},
	} {
		t.Run(name, func(t *testing.T) {
			tr := tree(t, true, "doc.txt")
			h := Handler([]Root{{"", tr}})
			ask := func(method, path string, body io.Reader) *httptest.ResponseRecorder {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest(method, path, body))
				return w
			}
			old := ask("GET", "/doc.txt", nil).Body.String()
			for _, path := range []string{"/doc.txt", "/new.txt"} {
				if w := ask("PUT", path, breaking{strings.NewReader("half"), k.err}); w.Code != k.want {
					t.Errorf("PUT %s = %d, want %d", path, w.Code, k.want)
				}
			}
			if got := ask("GET", "/doc.txt", nil); got.Body.String() != old || got.Code != http.StatusOK {
				t.Errorf("the old file became %q", got.Body.String())
			}
			if got := ask("GET", "/new.txt", nil); got.Code != http.StatusNotFound {
				t.Errorf("an incomplete new file exists: %d %q", got.Code, got.Body.String())
			}
			if n, err := tr.Commit(t.Context()); n != 0 || err != nil {
				t.Errorf("Commit() = %d, %v", n, err)
			}
			if w := ask("PUT", "/doc.txt", strings.NewReader("whole")); w.Code != http.StatusCreated && w.Code != http.StatusNoContent {
				t.Errorf("PUT of a whole file = %d", w.Code)
			}
			if got := ask("GET", "/doc.txt", nil).Body.String(); got != "whole" {
				t.Errorf("the new file is %q", got)
			}
		})
	}
}

// Copying an unreadable file must not replace another file.
func TestCopyBroken(t *testing.T) {
	tr := tree(t, true, "a.txt", "b.txt")
	before, err := tr.Stat("b.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Put("b.txt", breaking{strings.NewReader("half"), io.ErrUnexpectedEOF}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Put() = %v", err)
	}
	if after, err := tr.Stat("b.txt"); err != nil || after.Size() != before.Size() {
		t.Errorf("the old file became %v, %v", after, err)
	}
}

// A part of a file must not replace the file. WebDAV has no request that stores a part.
func TestPutOfPart(t *testing.T) {
	for name, old := range map[string]int{"/doc.txt": http.StatusOK, "/new.txt": http.StatusNotFound} {
		h := Handler([]Root{{"", tree(t, true, "doc.txt")}})
		r := httptest.NewRequest("PUT", name, strings.NewReader("abc"))
		r.Header.Set("Content-Range", "bytes 4-6/12")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusBadRequest {
			t.Errorf("PUT %s with Content-Range = %d, want %d", name, w.Code, http.StatusBadRequest)
		}
		w = httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", name, nil))
		if w.Code != old || strings.Contains(w.Body.String(), "abc") {
			t.Errorf("GET %s = %d %q, want %d and the old text", name, w.Code, w.Body, old)
		}
	}
}

// Copying a folder into itself must be refused; it went on until the longest possible name.
func TestCopyIntoItself(t *testing.T) {
	h := Handler([]Root{{"", tree(t, true, "d/a.txt")}})
	for _, from := range []string{"/", "/d", "/d/"} {
		r := httptest.NewRequest("COPY", from, nil)
		r.Header.Set("Destination", "/d/inside")
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusForbidden {
			t.Errorf("COPY %s to /d/inside = %d, want %d", from, w.Code, http.StatusForbidden)
		}
	}
	r := httptest.NewRequest("COPY", "/d", nil)
	r.Header.Set("Destination", "/d2")
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != http.StatusCreated {
		t.Errorf("COPY /d to /d2 = %d, want %d", w.Code, http.StatusCreated)
	}
}
