package web

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// The modules of the first screen are in app.js, and each registers its exports
// there.
func TestLink(t *testing.T) {
	made, err := Link(pageFolder())
	if err != nil {
		t.Fatal(err)
	}
	app := string(made["app.js"])
	if strings.Count(app, "modules[\"lib/dom.js\"] = ") != 1 || !strings.Contains(string(made["lib/dom.js"]), "h, svg, append, replace, styles") {
		t.Errorf("lib/dom.js = %s", made["lib/dom.js"])
	}
	if at, by := strings.Index(app, `modules["lib/dom.js"] = `), strings.Index(app, `modules["app.js"] = `); at < 0 || by < at {
		t.Error("a module stands before one that it imports")
	}
	if css, _ := fs.ReadFile(pageFolder(), "screens/home/home.css"); !strings.Contains(string(made["app.css"]), strings.TrimSpace(string(css))) {
		t.Error("app.css lacks the styles of the first screen")
	}
}

// An unsupported form of import is an error at linking, so that it cannot break the page
// later.
func TestLinkRefuses(t *testing.T) {
	for _, code := range []string{`import x from "./lib/x.js";`, `export default 1;`, `export { a };`, `import "./lib/x.js";`} {
		files := fstest.MapFS{"app.js": {Data: []byte(code)}, "lib/x.js": {Data: []byte("export const x = 1;")}, "screens/home/home.js": {Data: nil}, "app.css": {Data: nil}}
		if _, err := Link(files); err == nil {
			t.Errorf("linking %s succeeded, want an error", code)
		}
	}
}
