package web

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/cmd/internal/page"
	"pakbox/internal/testkit/corpus"
)

// Damaged files through every address: a clear answer, never a 500.
func TestDamaged(t *testing.T) {
	for _, folder := range []string{"simutrans/corrupt", "vpk42/corrupt/v1", "vpk42/corrupt/v2", "nadeopak"} {
		e := serving(t, filepath.Join(corpus.Dir(t, strings.Split(folder, "/")[0]), filepath.Join(strings.Split(folder, "/")[1:]...)))
		root := filepath.Base(e.dir)
		list, err := e.files.ReadDir(root)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %v", folder, err)
		}
		for _, file := range list {
			e.askAll(root + "/" + file.Name())
		}
	}
}

// A real map, damaged at many places.
func TestDamagedMap(t *testing.T) {
	e := newExplorer(t)
	whole := e.read("a.Map.Gbx")
	for at := 0; at < len(whole); at += max(1, len(whole)/60) {
		data := append([]byte(nil), whole...)
		data[at] ^= 0x55
		writeFile(t, filepath.Join(e.dir, "damaged.Map.Gbx"), data)
		e.askAll("maps/damaged.Map.Gbx")
		writeFile(t, filepath.Join(e.dir, "cut.Map.Gbx"), whole[:at])
		e.askAll("maps/cut.Map.Gbx")
	}
}

// A damaged file has a page that tells what is wrong, and offers its bytes.
func TestDamagedPage(t *testing.T) {
	e := newExplorer(t)
	whole := e.read("a.Map.Gbx")
	writeFile(t, filepath.Join(e.dir, "cut.Map.Gbx"), whole[:20]) // in the header
	w := e.get("what", "path", "maps/cut.Map.Gbx")
	for _, want := range []string{`"kind":"damaged"`, `"kind":"truncated"`, `"screen":"damage"`, `"screen":"bytes"`} {
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d %s has no %s", w.Code, w.Body, want)
		}
	}
	if w := e.get("bytes", "path", "maps/cut.Map.Gbx"); w.Body.String() != string(whole[:20]) {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	// What cannot be had at all is an error, and no page.
	if w := e.get("what", "path", "maps/cut.Map.Gbx/thumbnail.jpg"); w.Code < 400 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// askAll asks every question that changes nothing about a file.
func (e *explorer) askAll(path string) {
	e.Helper()
	for _, name := range page.Questions(false) {
		q := url.Values{"path": {path}, "a": {path}, "b": {path}, "q": {"."}, "value": {"x"}, "layer": {"body"}}
		w := e.send(request("GET", "/api/"+name+"?"+q.Encode(), nil))
		if w.Code >= 500 {
			e.Errorf("%s of %s: %d %s", name, path, w.Code, w.Body)
		}
		if w.Code >= 400 && !strings.Contains(w.Body.String(), `"message":"`) {
			e.Errorf("%s of %s: %d says nothing: %s", name, path, w.Code, w.Body)
		}
	}
}
