package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

// whole returns the body of an answer, unpacked.
func whole(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	if w.Header().Get("Content-Encoding") != "gzip" {
		return w.Body.String()
	}
	z, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Files of the page and JSON are compressed for clients that accept it. Ranges, the content
// of files and errors are not compressed.
func TestCompressed(t *testing.T) {
	e := newExplorer(t)
	for _, c := range []struct {
		target, accepts, part string
		packed                bool
		status                int
	}{
		{"/app.js", "gzip, br", "", true, 200}, {"/app.js", "", "", false, 200}, {"/app.js", "br", "", false, 200}, {"/app.js", "gzip", "bytes=0-9", false, 206},
		{"/", "gzip", "", true, 200}, {"/icon.svg", "gzip", "", true, 200},
		{"/api/info?path=maps/a.Map.Gbx", "gzip", "", true, 200}, {"/api/info?path=maps/a.Map.Gbx", "", "", false, 200},
		{"/api/content?path=maps/a.Map.Gbx", "gzip", "", false, 200}, {"/api/info?path=maps/none", "gzip", "", false, 404},
	} {
		ask := func(accepts, part string) *httptest.ResponseRecorder {
			r := request("GET", c.target, nil)
			r.Header.Set("Accept-Encoding", accepts)
			if part != "" {
				r.Header.Set("Range", part)
			}
			return e.send(r)
		}
		w, plain := ask(c.accepts, c.part), ask("", c.part)
		if packed := w.Header().Get("Content-Encoding") == "gzip"; w.Code != c.status || packed != c.packed || packed != (w.Header().Get("Vary") == "Accept-Encoding") {
			t.Errorf("%+v: status %d, headers %v", c, w.Code, w.Header())
		}
		if got := whole(t, w); got != plain.Body.String() || got == "" || c.packed && w.Body.Len() >= len(got) {
			t.Errorf("%+v: %d bytes unpacked, %d bytes without compression", c, len(got), plain.Body.Len())
		}
		if c.part != "" && w.Body.Len() != 10 {
			t.Errorf("%+v: %d bytes", c, w.Body.Len())
		}
	}
}

// A browser gets a file again only after the file has changed. The types of files
// do not depend on the system.
func TestKept(t *testing.T) {
	e := newExplorer(t)
	tags := map[string]string{}
	for target, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/app.js": "text/javascript; charset=utf-8", "/app.css": "text/css; charset=utf-8", "/icon.svg": "image/svg+xml", "/lib/dom.js": "text/javascript; charset=utf-8",
	} {
		first := e.send(request("GET", target, nil))
		tag := first.Header().Get("ETag")
		if first.Code != 200 || first.Header().Get("Content-Type") != kind || len(tag) != 26 || tags[tag] != "" {
			t.Errorf("%s: status %d, headers %v", target, first.Code, first.Header())
		}
		tags[tag] = target
		r := request("GET", target, nil)
		r.Header.Set("If-None-Match", tag)
		if w := e.send(r); w.Code != http.StatusNotModified || w.Body.Len() != 0 {
			t.Errorf("%s again: status %d, %d bytes", target, w.Code, w.Body.Len())
		}
		r.Header.Set("If-None-Match", `"another"`)
		if w := e.send(r); w.Code != 200 || w.Body.String() != first.Body.String() {
			t.Errorf("%s with another ETag: status %d, %d bytes", target, w.Code, w.Body.Len())
		}
	}
	index, start := e.send(request("GET", "/index.html", nil)), e.send(request("GET", "/", nil))
	if index.Body.String() != start.Body.String() || e.send(request("HEAD", "/", nil)).Body.Len() != 0 {
		t.Error("the start page differs from index.html, or the answer to HEAD has a body")
	}
	for _, target := range []string{"/lib", "/lib/"} {
		if w := e.send(request("GET", target, nil)); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d", target, w.Code)
		}
	}
}

// A browser without the token gets a page that explains where to find it, with the styles
// of that page; neither reveals the served files.
func TestStranger(t *testing.T) {
	e := newExplorer(t)
	ask := func(method, target, accept string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://127.0.0.1:8042"+target, nil)
		r.Header.Set("Accept", accept)
		r.AddCookie(&http.Cookie{Name: "pakbox-8043", Value: "secret"}) // of another server on this computer
		return e.send(r)
	}
	for target, status := range map[string]int{"/": 401, "/?token=wrong": 403, "/?token=": 401, "/api/home": 401} {
		w := ask("GET", target, "text/html,*/*")
		if w.Code != status || !strings.Contains(w.Body.String(), "<h1>This browser has not been let in</h1>") || w.Header().Get("Cache-Control") != "no-store" || strings.Contains(w.Body.String(), "maps") {
			t.Errorf("%s: status %d, headers %v: %s", target, w.Code, w.Header(), w.Body)
		}
		wantRefused(t, target, ask("GET", target, "*/*"), status)
	}
	for _, target := range []string{"/tokens.css", "/app.css", "/icon.svg"} {
		if w := ask("GET", target, "*/*"); w.Code != 200 || w.Body.Len() == 0 {
			t.Errorf("%s: status %d", target, w.Code)
		}
		wantRefused(t, "POST "+target, ask("POST", target, "*/*"), 401)
	}
	w := ask("GET", "/?token=secret", "text/html")
	if c := w.Result().Cookies(); w.Code != 303 || len(c) != 1 || c[0].Name != "pakbox-8042" || c[0].Value != "secret" || c[0].Path != "/" {
		t.Errorf("status %d, headers %v", w.Code, w.Header())
	}
	open := New(nil, Options{})
	r := httptest.NewRecorder()
	open.ServeHTTP(r, httptest.NewRequest("GET", "http://localhost/app.js", nil))
	if r.Code != 200 {
		t.Errorf("without a token: status %d", r.Code)
	}
}

// A link on another web page leads only to the start page.
func TestLinkFromElsewhere(t *testing.T) {
	h := guard(reached, nil, "", nil)
	for _, c := range []struct {
		method, path, site, mode string
		want                     int
	}{
		{"GET", "/", "same-site", "navigate", 200}, {"GET", "/", "cross-site", "navigate", 200}, {"GET", "/", "cross-site", "cors", 403},
		{"HEAD", "/", "cross-site", "navigate", 403}, {"GET", "/x", "same-site", "navigate", 403}, {"GET", "/x", "none", "navigate", 200}, {"GET", "/x", "same-origin", "cors", 200},
	} {
		r := httptest.NewRequest(c.method, "http://127.0.0.1"+c.path, nil)
		r.Header.Set("Sec-Fetch-Site", c.site)
		r.Header.Set("Sec-Fetch-Mode", c.mode)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%+v: status %d", c, w.Code)
		}
	}
}

// Joined scripts behave like their modules: exports are available under every form of import,
// a module runs once, and styles are in the order of their imports.
func TestLinkForms(t *testing.T) {
	files := fstest.MapFS{
		"index.html": {Data: []byte("<head>\n<link rel=\"stylesheet\" href=\"tokens.css\">\n<link rel=\"stylesheet\" href=\"app.css\">\n</head>")},
		"tokens.css": {Data: []byte("t{}")}, "app.css": {Data: []byte("a{}")}, "screens/home/home.css": {Data: []byte("h{}")}, "lib/x.css": {Data: []byte("x{}")},
		"app.js":               {Data: []byte("import { a, b as c } from \"./lib/x.js\";\nimport * as home from \"./screens/home/home.js\";\nhome.show(a, c);\n")},
		"screens/home/home.js": {Data: []byte("import {\n  a,\n} from \"../../lib/x.js\";\nstyles(\"./home.css\");\nexport async function show() {}\nexport class K {}\nconst here = import.meta.url;\n")},
		"lib/x.js":             {Data: []byte("styles(\"./x.css\");\nexport const a = 1;\nexport function b() {}\n")},
		"lib/other.js":         {Data: []byte("export const later = 1;\n")},
	}
	made, err := Link(files)
	if err != nil {
		t.Fatal(err)
	}
	want := `const modules = globalThis.pakboxModules = {};
globalThis.pakboxStyles = new Set(["lib/x.css", "screens/home/home.css"]);
modules["lib/x.js"] = await (async () => {
styles("./x.css");
const a = 1;
function b() {}

return { a, b };
})();
modules["screens/home/home.js"] = await (async () => {
const {
  a,
} = modules["lib/x.js"];
styles("./home.css");
async function show() {}
class K {}
const here = new URL("./screens/home/home.js", import.meta.url);

return { show, K };
})();
modules["app.js"] = await (async () => {
const { a, b: c } = modules["lib/x.js"];
const home = modules["screens/home/home.js"];
home.show(a, c);

return {  };
})();
`
	if got := string(made["app.js"]); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for name, want := range map[string]string{
		"lib/x.js":             "export const { a, b } = globalThis.pakboxModules[\"lib/x.js\"];\n",
		"screens/home/home.js": "export const { show, K } = globalThis.pakboxModules[\"screens/home/home.js\"];\n",
		"app.css":              "t{}\na{}\nx{}\nh{}\n",
		"index.html":           "<head>\n<link rel=\"stylesheet\" href=\"app.css\">\n</head>",
	} {
		if string(made[name]) != want {
			t.Errorf("%s = %q, want %q", name, made[name], want)
		}
	}
	if len(made) != 5 {
		t.Errorf("linking made %d files", len(made))
	}
	for _, name := range []string{"index.html", "tokens.css", "lib/x.css", "lib/x.js", "app.js"} {
		less := fstest.MapFS{}
		for n, f := range files {
			if n != name {
				less[n] = f
			}
		}
		if _, err := Link(less); err == nil {
			t.Errorf("linking without %s succeeded, want an error", name)
		}
	}
}
