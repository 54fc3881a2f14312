package web

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

// The page consists of many small modules. A browser would fetch the modules of the first
// screen one by one, so the server links them: app.js holds the whole first screen, and
// the file of each linked module only exports the names that app.js defined. Other
// screens import modules as before. Modules may use only the forms of import and export
// below; linking fails at start for other forms.

var (
	importLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^import (\{[^}]*\}|\* as \w+) from "([^"]+)";$`) })
	exportLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^export (async function|function|class|const) (\w+)`)
	})
	otherModule = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(import|export)\b.*$`) })
	styleFile   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(\.{1,2}/[^"]+\.css)"`) })
)

// firstScreen are the modules from which the first screen starts.
var firstScreen = []string{"screens/home/home.js", "app.js"}

// linked collects the modules and styles of the first screen while Link joins them.
type linked struct {
	files   fs.FS
	order   []string            // modules, each after the modules that it imports
	code    map[string]string   // of each module, as the body of a function
	exports map[string][]string // names that each module exports
	styles  []string
}

// Link returns the files that replace files of the page: the joined scripts and styles of
// the first screen. Server and static site both use them.
func Link(files fs.FS) (map[string][]byte, error) {
	l := &linked{files: files, code: map[string]string{}, exports: map[string][]string{}}
	for _, name := range firstScreen {
		if err := l.add(name); err != nil {
			return nil, err
		}
	}
	made := map[string][]byte{}
	var app bytes.Buffer
	fmt.Fprintf(&app, "const modules = globalThis.pakboxModules = {};\nglobalThis.pakboxStyles = new Set(%s);\n", quoted(l.styles))
	for _, name := range l.order {
		fmt.Fprintf(&app, "modules[%q] = await (async () => {\n%s\n})();\n", name, l.code[name])
		if name != "app.js" {
			made[name] = fmt.Appendf(nil, "export const { %s } = globalThis.pakboxModules[%q];\n", strings.Join(l.exports[name], ", "), name)
		}
	}
	made["app.js"] = app.Bytes()
	var css bytes.Buffer
	for _, name := range append([]string{"tokens.css", "app.css"}, l.styles...) {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		css.Write(data)
		css.WriteByte('\n')
	}
	made["app.css"] = css.Bytes()
	index, err := fs.ReadFile(files, "index.html")
	made["index.html"] = bytes.Replace(index, []byte("<link rel=\"stylesheet\" href=\"tokens.css\">\n"), nil, 1)
	return made, err
}

// add reads a module after the modules that it imports.
func (l *linked) add(name string) error {
	if _, known := l.code[name]; known {
		return nil
	}
	l.code[name] = ""
	data, err := fs.ReadFile(l.files, name)
	if err != nil {
		return err
	}
	text := string(data)
	for _, m := range importLine().FindAllStringSubmatch(text, -1) {
		if err := l.add(path.Join(path.Dir(name), m[2])); err != nil {
			return err
		}
	}
	text = importLine().ReplaceAllStringFunc(text, func(line string) string {
		m := importLine().FindStringSubmatch(line)
		names := strings.ReplaceAll(strings.TrimPrefix(m[1], "* as "), " as ", ": ")
		return fmt.Sprintf("const %s = modules[%q];", names, path.Join(path.Dir(name), m[2]))
	})
	for _, m := range exportLine().FindAllStringSubmatch(text, -1) {
		l.exports[name] = append(l.exports[name], m[2])
	}
	text = exportLine().ReplaceAllString(text, "$1 $2")
	if line := otherModule().FindString(text); line != "" {
		return fmt.Errorf("%s: unsupported form of import or export: %s", name, line)
	}
	for _, m := range styleFile().FindAllStringSubmatch(text, -1) {
		l.styles = append(l.styles, path.Join(path.Dir(name), m[1]))
	}
	text = strings.ReplaceAll(text, "import.meta.url", fmt.Sprintf("new URL(%q, import.meta.url)", "./"+name))
	l.code[name] = text + "\nreturn { " + strings.Join(l.exports[name], ", ") + " };"
	l.order = append(l.order, name)
	return nil
}

// quoted writes a list of texts as a JavaScript array.
func quoted(list []string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, s := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", s)
	}
	return b.String() + "]"
}
