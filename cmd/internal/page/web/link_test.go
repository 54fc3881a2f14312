package web

import (
	"io/fs"
	"path"
	"regexp"
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

// Screens import widgets and modules of lib, but no other screen and no styles of one: what a
// screen looks like must not depend on the screens that were open before.
func TestScreensImportNoScreens(t *testing.T) {
	imported := regexp.MustCompile(`"(\.\.?/[^"]+\.(?:js|css))"`)
	err := fs.WalkDir(pageFolder(), "screens", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".js" {
			return err
		}
		code, err := fs.ReadFile(pageFolder(), name)
		for _, found := range imported.FindAllStringSubmatch(string(code), -1) {
			file := path.Join(path.Dir(name), found[1])
			if strings.HasPrefix(file, "screens/") && path.Dir(file) != path.Dir(name) {
				t.Errorf("%s imports %s of another screen, want a widget", name, file)
			}
			if _, err := fs.Stat(pageFolder(), file); err != nil {
				t.Errorf("%s imports %s, which does not exist", name, file)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
