package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/page"
	"pakbox/nadeo/nadeotest/mapsample"
)

// An explorer is a server of a folder, with an admitted client.
type explorer struct {
	testing.TB
	http.Handler
	files *page.Files
	dir   string
}

// newExplorer serves a folder of its own, with the sample map in it.
func newExplorer(tb testing.TB, change ...func(*page.Options)) *explorer {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "maps")
	if err := os.Mkdir(dir, 0o777); err != nil {
		tb.Fatal(err)
	}
	data, err := mapsample.Map()
	if err != nil {
		tb.Fatal(err)
	}
	writeFile(tb, filepath.Join(dir, "a.Map.Gbx"), data)
	return serving(tb, dir, change...)
}

// serving serves a folder.
func serving(tb testing.TB, dir string, change ...func(*page.Options)) *explorer {
	tb.Helper()
	files, err := page.NewFiles([]string{dir})
	if err != nil {
		tb.Fatal(err)
	}
	opts := page.Options{Files: files, Formats: pakbox.Formats()}
	for _, f := range change {
		f(&opts)
	}
	x := page.New(opts)
	tb.Cleanup(func() { x.Close(); files.Close() })
	return &explorer{tb, New(x, Options{Token: "secret"}), files, dir}
}

func writeFile(tb testing.TB, name string, data []byte) {
	tb.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		tb.Fatal(err)
	}
}

// request is a request from the page itself.
func request(method, target string, body io.Reader) *http.Request {
	r := httptest.NewRequest(method, "http://127.0.0.1:8042"+target, body)
	r.AddCookie(&http.Cookie{Name: "pakbox-8042", Value: "secret"})
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return r
}

func (e *explorer) send(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

func (e *explorer) get(name string, parameters ...string) *httptest.ResponseRecorder {
	q := url.Values{}
	for i := 0; i+1 < len(parameters); i += 2 {
		q.Add(parameters[i], parameters[i+1])
	}
	return e.send(request("GET", "/api/"+name+"?"+q.Encode(), nil))
}

func (e *explorer) post(name, path string, body any) *httptest.ResponseRecorder {
	e.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		e.Fatal(err)
	}
	return e.send(request("POST", "/api/"+name+"?path="+url.QueryEscape(path), bytes.NewReader(data)))
}

func (e *explorer) read(name string) []byte {
	e.Helper()
	data, err := os.ReadFile(filepath.Join(e.dir, name))
	if err != nil {
		e.Fatal(err)
	}
	return data
}

// A change has a preview, has the effect of its command, and keeps the old file with
// backup.
func TestChange(t *testing.T) {
	e := newExplorer(t)
	old := e.read("a.Map.Gbx")
	w := e.post("map.rename", "maps/a.Map.Gbx", map[string]any{"name": "Changed", "dry_run": true})
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Changed") {
		t.Fatalf("preview: status %d: %s", w.Code, w.Body)
	}
	if !bytes.Equal(e.read("a.Map.Gbx"), old) {
		t.Error("a dry run changed the file")
	}
	w = e.post("map.rename", "maps/a.Map.Gbx", map[string]any{"name": "Changed", "backup": true})
	if w.Code != http.StatusOK {
		t.Fatalf("rename: status %d: %s", w.Code, w.Body)
	}
	if !bytes.Equal(e.read("a.Map.Gbx.bak"), old) {
		t.Error("the old file was not kept")
	}
	if w := e.get("info", "path", "maps/a.Map.Gbx"); !strings.Contains(w.Body.String(), `"name":"Changed"`) {
		t.Errorf("name = %s", w.Body)
	}
	w = e.post("map.medals.set", "maps/a.Map.Gbx", map[string]any{"gold": "0:50.000"})
	if w.Code != http.StatusOK || !strings.Contains(e.get("info", "path", "maps/a.Map.Gbx").Body.String(), "50000") {
		t.Errorf("medals: status %d: %s", w.Code, w.Body)
	}
	w = e.post("set", "maps/a.Map.Gbx", map[string]any{"values": []string{"mapName=Set"}, "dry_run": true})
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Set") {
		t.Errorf("set: status %d: %s", w.Code, w.Body)
	}
}

// A read-only server refuses changes to served files, and allows them to dropped files.
func TestReadOnly(t *testing.T) {
	e := newExplorer(t, func(o *page.Options) { o.ReadOnly = true })
	old := e.read("a.Map.Gbx")
	if w := e.post("map.rename", "maps/a.Map.Gbx", map[string]any{"name": "x"}); w.Code != http.StatusForbidden {
		t.Errorf("rename: status %d: %s", w.Code, w.Body)
	}
	if w := e.send(request("POST", "/api/drop?name=b.Map.Gbx", bytes.NewReader(old))); w.Code != http.StatusOK {
		t.Errorf("drop: status %d: %s", w.Code, w.Body)
	}
	if w := e.post("map.rename", "dropped/b.Map.Gbx", map[string]any{"name": "x"}); w.Code != http.StatusOK {
		t.Errorf("a dropped file: status %d: %s", w.Code, w.Body)
	}
	if !bytes.Equal(e.read("a.Map.Gbx"), old) {
		t.Error("the file has changed")
	}
}

// A file that is read-only on disk is not changed, as by the commands.
func TestProtectedFile(t *testing.T) {
	e := newExplorer(t)
	if err := os.Chmod(filepath.Join(e.dir, "a.Map.Gbx"), 0o444); err != nil {
		t.Fatal(err)
	}
	w := e.post("map.rename", "maps/a.Map.Gbx", map[string]any{"name": "x"})
	if w.Code == http.StatusOK || !strings.Contains(w.Body.String(), "read-only") || strings.Contains(w.Body.String(), e.dir) {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

// A dropped file is changed in memory, and can be downloaded.
func TestDropped(t *testing.T) {
	e := newExplorer(t)
	if w := e.send(request("POST", "/api/drop?name=sub/b.Map.Gbx", bytes.NewReader(e.read("a.Map.Gbx")))); w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	const path = "dropped/sub/b.Map.Gbx"
	if w := e.post("map.rename", path, map[string]any{"name": "Changed"}); w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	w := e.get("content", "path", path)
	if w.Code != http.StatusOK || w.Header().Get("Content-Disposition") != "attachment" || bytes.Equal(w.Body.Bytes(), e.read("a.Map.Gbx")) {
		t.Errorf("status %d, %d bytes", w.Code, w.Body.Len())
	}
	if w := e.get("children", "path", "dropped/sub"); !strings.Contains(w.Body.String(), "b.Map.Gbx") {
		t.Errorf(`w.Body = %s; want w.Body.String() with "b.Map.Gbx"`, w.Body)
	}
}

// A request for a part of a file gets that part.
func TestRange(t *testing.T) {
	e := newExplorer(t)
	r := request("GET", "/api/bytes?layer=file&path=maps/a.Map.Gbx", nil)
	r.Header.Set("Range", "bytes=0-2")
	if w := e.send(r); w.Code != http.StatusPartialContent || w.Body.String() != "GBX" {
		t.Errorf("status %d: %q", w.Code, w.Body)
	}
}

// A cancelled request ends the work on it.
func TestBrokenOff(t *testing.T) {
	e := newExplorer(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range page.Questions(false) {
		w := e.send(request("GET", "/api/"+name+"?path=maps/a.Map.Gbx&q=.&a=maps/a.Map.Gbx&b=maps/a.Map.Gbx", nil).WithContext(ctx))
		if w.Body.Len() > 1<<20 {
			t.Errorf("%s: %d bytes for a cancelled request", name, w.Body.Len())
		}
	}
	if w := e.get("home"); w.Code != http.StatusOK { // the slots of cancelled requests are free
		t.Errorf("w.Code = %d; want http.StatusOK", w.Code)
	}
}

// A game folder must be below a served folder.
func TestGameFolder(t *testing.T) {
	e := newExplorer(t)
	outside := filepath.Join(filepath.Dir(e.dir), "game")
	for _, dir := range []string{outside, filepath.Join(e.dir, "game", "GameData")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(e.dir, "out")); err != nil {
		t.Fatal(err)
	}
	plain := e.get("map.mesh", "path", "maps/a.Map.Gbx")
	for game, want := range map[string]int{"maps/game": 200, "maps": 200, "maps/a.Map.Gbx": 415, "maps/nothing": 404, "maps/out": 404, "../game": 404, outside: 404, "dropped": 422} {
		w := e.get("map.mesh", "path", "maps/a.Map.Gbx", "game", game)
		if w.Code != want || want == 200 && !bytes.Equal(w.Body.Bytes(), plain.Body.Bytes()) {
			t.Errorf("game folder %q: status %d, want %d: %.200s", game, w.Code, want, w.Body)
		}
	}
}
