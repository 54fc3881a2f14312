package web

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/cmd/internal/page"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/tier"
)

// A damaged file at any address gives a clear answer, never status 500.
func TestDamaged(t *testing.T) {
	for _, folder := range []string{"simutrans/corrupt", "vpk42/corrupt/v1", "vpk42/corrupt/v2", "nadeopak"} {
		e := serving(t, filepath.Join(corpus.Dir(t, strings.Split(folder, "/")[0]), filepath.Join(strings.Split(folder, "/")[1:]...)))
		root := filepath.Base(e.dir)
		list, err := e.files.ReadDir(root)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: err = %v; want no error, list not empty", folder, err)
		}
		for _, file := range list {
			e.askAll(root + "/" + file.Name())
		}
	}
}

// A real map with damage at many offsets.
func TestDamagedMap(t *testing.T) {
	e := newExplorer(t)
	whole := e.read("a.Map.Gbx")
	places := 60
	if tier.IsQuick() {
		places = 12
	}
	for at := 0; at < len(whole); at += max(1, len(whole)/places) {
		data := append([]byte(nil), whole...)
		data[at] ^= 0x55
		writeFile(t, filepath.Join(e.dir, "damaged.Map.Gbx"), data)
		e.askAll("maps/damaged.Map.Gbx")
		writeFile(t, filepath.Join(e.dir, "cut.Map.Gbx"), whole[:at])
		e.askAll("maps/cut.Map.Gbx")
	}
}

// A damaged file has a page with the error and its bytes.
func TestDamagedPage(t *testing.T) {
	e := newExplorer(t)
	whole := e.read("a.Map.Gbx")
	writeFile(t, filepath.Join(e.dir, "cut.Map.Gbx"), whole[:20]) // in the header
	w := e.get("what", "path", "maps/cut.Map.Gbx")
	for _, want := range []string{`"kind":"damaged"`, `"kind":"truncated"`, `"screen":"damage"`, `"screen":"bytes"`} {
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("status %d: %s lacks %s", w.Code, w.Body, want)
		}
	}
	if w := e.get("bytes", "path", "maps/cut.Map.Gbx"); w.Body.String() != string(whole[:20]) {
		t.Errorf("status %d: %q", w.Code, w.Body)
	}
	// A missing file is an error without a page.
	if w := e.get("what", "path", "maps/cut.Map.Gbx/thumbnail.jpg"); w.Code < 400 {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

// askAll asks every question that changes nothing about a file.
func (e *explorer) askAll(path string) {
	e.Helper()
	for _, name := range page.Questions(false) {
		q := url.Values{"path": {path}, "a": {path}, "b": {path}, "q": {"."}, "value": {"x"}, "layer": {"body"}}
		w := e.send(request("GET", "/api/"+name+"?"+q.Encode(), nil))
		if w.Code >= 500 {
			e.Errorf("%s of %s: status %d: %s", name, path, w.Code, w.Body)
		}
		if w.Code >= 400 && !strings.Contains(w.Body.String(), `"message":"`) {
			e.Errorf("%s of %s: status %d without a message: %s", name, path, w.Code, w.Body)
		}
	}
}
