package web

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	declared "pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/page"
	"pakbox/internal/testkit/tier"
	"pakbox/nadeo"
)

// A request with a host name that an attacker points at this computer gets no answer.
func TestRebinding(t *testing.T) {
	e := newExplorer(t)
	for host, want := range map[string]int{
		"127.0.0.1:8042": 200, "localhost:8042": 200, "[::1]:8042": 200, "LOCALHOST.:8042": 200,
		"evil.example:8042": 421, "127.0.0.1.evil.example:8042": 421, "localhost.evil.example": 421, "": 421, "192.168.1.1:8042": 421, "0.0.0.0:8042": 421,
	} {
		r := request("GET", "/api/home", nil)
		r.Host = host
		if w := e.send(r); w.Code != want {
			t.Errorf("host %q: status %d", host, w.Code)
		}
	}
}

// Another web page can neither ask nor change anything; it may only link to the start
// page.
func TestCrossSite(t *testing.T) {
	e := newExplorer(t)
	for _, k := range []struct {
		method, target string
		header         map[string]string
		want           int
	}{
		{"GET", "/api/home", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"GET", "/api/home", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"GET", "/app.js", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"GET", "/api/content?path=maps/a.Map.Gbx", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403},
		{"GET", "/", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200},
		{"POST", "/api/map.rename?path=maps/a.Map.Gbx", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"POST", "/api/map.rename?path=maps/a.Map.Gbx", map[string]string{"Sec-Fetch-Site": "", "Origin": "http://evil.example"}, 403},
		{"POST", "/api/drop?name=x", map[string]string{"Sec-Fetch-Site": "", "Origin": "null"}, 403},
		{"GET", "/api/map.rename?path=maps/a.Map.Gbx", nil, 405},
		{"PUT", "/", nil, 405},
	} {
		r := request(k.method, k.target, strings.NewReader(`{"name":"x"}`))
		for name, value := range k.header {
			r.Header.Set(name, value)
		}
		if w := e.send(r); w.Code != k.want {
			t.Errorf("%s %s %v: %d, want %d", k.method, k.target, k.header, w.Code, k.want)
		}
	}
}

// Without the token every request is refused, and the token leaves the address at once.
func TestToken(t *testing.T) {
	e := newExplorer(t)
	ask := func(target, cookie, bearer string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "http://127.0.0.1:8042"+target, nil)
		if cookie != "" {
			r.AddCookie(&http.Cookie{Name: "pakbox-8042", Value: cookie})
		}
		if bearer != "" {
			r.Header.Set("Authorization", "Bearer "+bearer)
		}
		return e.send(r)
	}
	for _, k := range []struct {
		target, cookie, bearer string
		want                   int
	}{
		{"/", "", "", 401}, {"/api/home", "", "", 401}, {"/app.js", "", "", 401}, {"/api/home", "secre", "", 401}, {"/api/home", "", "x", 401},
		{"/?token=wrong", "", "", 403}, {"/api/home?token=secret", "", "", 401}, {"/?token=secret", "", "", 303}, {"/api/home", "secret", "", 200}, {"/api/home", "", "secret", 200},
	} {
		if w := ask(k.target, k.cookie, k.bearer); w.Code != k.want {
			t.Errorf("%v: status %d", k, w.Code)
		}
	}
	w := ask("/?token=secret", "", "")
	if c := w.Result().Cookies(); w.Header().Get("Location") != "/" || len(c) != 1 || !c[0].HttpOnly || c[0].SameSite != http.SameSiteStrictMode {
		t.Errorf(`w.Header() = %v; want w.Header().Get("Location") = "/", c of length 1, c[0].HttpOnly = true, c[0].SameSite = http.SameSiteStrictMode`, w.Header())
	}
}

// Every answer has the headers that restrict browsers.
func TestHeaders(t *testing.T) {
	e := newExplorer(t)
	for _, target := range []string{"/", "/app.js", "/api/home", "/api/content?path=maps/a.Map.Gbx", "/api/nothing", "/missing"} {
		h := e.send(request("GET", target, nil)).Header()
		csp := h.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe-inline") || !strings.Contains(csp, "frame-ancestors 'none'") ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" || h.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s has the headers %v", target, h)
		}
	}
	// The content of a file is sent as bytes, never as a page.
	writeFile(t, filepath.Join(e.dir, "x.svg"), []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`))
	for _, name := range []string{"content", "bytes"} {
		if w := e.get(name, "path", "maps/x.svg"); w.Header().Get("Content-Type") != "application/octet-stream" {
			t.Errorf("%s has the headers %v", name, w.Header())
		}
	}
	if w := e.get("picture", "path", "maps/x.svg"); w.Code == 200 {
		t.Error("an SVG from a file was sent as a picture")
	}
}

// parameters are those that a question of the page itself may read.
var parameters = []string{"path", "a", "b", "at", "q", "layer", "object", "value", "ghost", "kind", "name", "game"}

// textParameters returns the parameters of a question that can hold a path: "path" and the
// texts and lists that it declares. Undeclared ones are ignored, so there is nothing to try.
func textParameters(name string) []string {
	for _, q := range declared.Questions() {
		if q.Name != name {
			continue
		}
		names := []string{"path"}
		for _, p := range q.Parameters() {
			if kind := p.Kind(); kind == "text" || kind == "list" {
				names = append(names, p.Name)
			}
		}
		return names
	}
	return parameters
}

// traversing is a request that names a file by path in one parameter of a question.
func traversing(name, parameter, path string) *http.Request {
	q := url.Values{"path": {"maps/a.Map.Gbx"}, "a": {"maps/a.Map.Gbx"}, "b": {"maps/a.Map.Gbx"}, "q": {"."}}
	if !slices.Contains(page.Questions(true), name) {
		q.Set(parameter, path)
		return request("GET", "/api/"+name+"?"+q.Encode(), nil)
	}
	sent := map[string]any{"dry_run": true}
	if parameter == "path" {
		q.Set(parameter, path)
	} else {
		sent[parameter] = path
		for _, c := range declared.Questions() {
			for _, p := range c.Parameters() {
				if c.Name == name && p.Name == parameter && p.Kind() == "list" {
					sent[parameter] = []string{path}
				}
			}
		}
	}
	body, _ := json.Marshal(sent) // of texts, which cannot fail
	return request("POST", "/api/"+name+"?"+q.Encode(), bytes.NewReader(body))
}

// No parameter of any question reaches a file outside of the folder.
func TestTraversal(t *testing.T) {
	const secret = "the secret of another folder"
	e := newExplorer(t)
	outside := filepath.Join(filepath.Dir(e.dir), "outside.txt")
	writeFile(t, outside, []byte(secret))
	if err := os.Symlink(outside, filepath.Join(e.dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(e.dir), filepath.Join(e.dir, "up")); err != nil {
		t.Fatal(err)
	}
	for i, path := range []string{
		"../outside.txt", "maps/../../outside.txt", "maps/../outside.txt", "/etc/passwd", outside, "maps/" + outside, "maps//../outside.txt",
		"maps/link.txt", "maps/up/outside.txt", `maps\..\outside.txt`, "maps/%2e%2e/outside.txt", "maps/./../outside.txt", "-", "maps/a.Map.Gbx/../../../outside.txt",
		"file:///etc/passwd", "maps/\x00/../outside.txt", "~/x", "dropped/../maps/link.txt", "dropped/../../outside.txt", ".",
	} {
		if tier.IsQuick() && i%4 != 0 {
			continue
		}
		for _, name := range append(page.Questions(true), page.Questions(false)...) {
			for _, parameter := range textParameters(name) {
				w := e.send(traversing(name, parameter, path))
				text := w.Body.String()
				tells := strings.Contains(text, filepath.Dir(e.dir)) && !strings.Contains(path, filepath.Dir(e.dir))
				if tells || strings.Contains(text, secret) || strings.Contains(text, "root:x:") {
					t.Errorf("%s %s=%q: status %d: %.200s", name, parameter, path, w.Code, text)
				}
				if w.Code >= 500 {
					t.Errorf("%s %s=%q: status %d", name, parameter, path, w.Code)
				}
			}
		}
	}
	// Changes write no file outside of the folder.
	for _, name := range []string{"../evil", "/evil", "a/../../evil", `..\evil`} {
		w := e.send(request("POST", "/api/drop?name="+url.QueryEscape(name), strings.NewReader("x")))
		var got struct{ Path string }
		json.Unmarshal(w.Body.Bytes(), &got)
		if w.Code == 200 && !strings.HasPrefix(got.Path, "dropped/") {
			t.Errorf("path of the dropped file %q = %q", name, got.Path)
		}
	}
	if w := e.post("set", "maps/link.txt", map[string]any{"values": []string{"x=y"}}); w.Code == 200 {
		t.Error("a change through a link out of the folder succeeded")
	}
	if data, _ := os.ReadFile(outside); string(data) != secret {
		t.Error("the file outside has changed")
	}
}

// Links in the names of maps are plain text on the page.
func TestLinksInNames(t *testing.T) {
	for _, name := range []string{"$l[javascript:alert(1)]click$l", "$h[javascript:alert(1)]x", "$l[data:text/html,<script>]y$l", "$l[\x00javascript:x]z"} {
		data, err := json.Marshal(nadeo.Spans(name))
		if err != nil || bytes.Contains(data, []byte("script")) {
			t.Errorf("name %q: %s", name, data)
		}
	}
}

// bomb is a zip with one entry that is far larger than the zip.
func bomb(tb testing.TB, size int64) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("zeros.txt")
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := io.CopyN(w, zeros{}, size); err != nil {
		tb.Fatal(err)
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// An entry that unpacks to more than a view shows is refused, and not kept in memory.
func TestBomb(t *testing.T) {
	e := newExplorer(t)
	writeFile(t, filepath.Join(e.dir, "bomb.zip"), bomb(t, 64<<20+1))
	if w := e.get("picture", "path", "maps/bomb.zip/zeros.txt"); w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "limit_exceeded") {
		t.Errorf("question about a bomb: status %d: %s", w.Code, w.Body)
	}
	// A picture whose header has a huge size is refused.
	huge := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x06\x00\x00\x00")
	writeFile(t, filepath.Join(e.dir, "huge.png"), append(huge, make([]byte, 100)...))
	if w := e.get("picture", "path", "maps/huge.png"); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("huge picture: status %d: %s", w.Code, w.Body)
	}
}

// The number and the size of dropped files are limited.
func TestFlood(t *testing.T) {
	e := newExplorer(t)
	w := e.send(request("POST", "/api/drop?name=big", io.LimitReader(zeros{}, page.MaxDrop+1)))
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("one large file: status %d: %s", w.Code, w.Body)
	}
	w = e.send(request("POST", "/api/set?path=maps/a.Map.Gbx", io.LimitReader(zeros{}, 2<<20)))
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a large question: status %d: %s", w.Code, w.Body)
	}
}

// A question with an endless result is stopped before it fills the memory.
func TestEndlessQuestion(t *testing.T) {
	e := newExplorer(t)
	w := e.get("query", "path", "maps/a.Map.Gbx", "q", "[range(1e12) | \"x\" * 100000] | length")
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "limit_exceeded") {
		t.Errorf("endless result: status %d: %s", w.Code, w.Body)
	}
}
