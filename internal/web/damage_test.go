package web

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/explore"
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

// askAll asks every question that changes nothing about a file.
func (e *explorer) askAll(path string) {
	e.Helper()
	for _, name := range explore.Questions(false) {
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
