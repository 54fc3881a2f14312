package web

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// The page is many small modules. A browser would fetch those of the first screen
// one by one, so they are linked: app.js is the whole first screen, and each
// module in it is, at its own address, a few lines that hand out what app.js has.
// Every other screen imports modules as it did. The modules keep to the forms of
// import and export below; linking fails at the start for others.

var (
	importLine  = regexp.MustCompile(`(?m)^import (\{[^}]*\}|\* as \w+) from "([^"]+)";$`)
	exportLine  = regexp.MustCompile(`(?m)^export (async function|function|class|const) (\w+)`)
	otherModule = regexp.MustCompile(`(?m)^(import|export)\b.*$`)
	styleFile   = regexp.MustCompile(`"(\.{1,2}/[^"]+\.css)"`)
)

// firstScreen are the modules that the first screen begins with.
var firstScreen = []string{"screens/home/home.js", "app.js"}

// linked are the files that take the place of others: the modules of the first
// screen in one, with their styles.
type linked struct {
	files   fs.FS
	order   []string            // modules, each behind those that it imports
	code    map[string]string   // of each, as a function
	exports map[string][]string // names that each hands out
	styles  []string
}

// Link gives the files that differ from those of a page, of the server or of the
// static site.
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

// add reads a module, behind those that it imports.
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
	for _, m := range importLine.FindAllStringSubmatch(text, -1) {
		if err := l.add(path.Join(path.Dir(name), m[2])); err != nil {
			return err
		}
	}
	text = importLine.ReplaceAllStringFunc(text, func(line string) string {
		m := importLine.FindStringSubmatch(line)
		names := strings.ReplaceAll(strings.TrimPrefix(m[1], "* as "), " as ", ": ")
		return fmt.Sprintf("const %s = modules[%q];", names, path.Join(path.Dir(name), m[2]))
	})
	for _, m := range exportLine.FindAllStringSubmatch(text, -1) {
		l.exports[name] = append(l.exports[name], m[2])
	}
	text = exportLine.ReplaceAllString(text, "$1 $2")
	if line := otherModule.FindString(text); line != "" {
		return fmt.Errorf("%s: %s cannot be linked", name, line)
	}
	for _, m := range styleFile.FindAllStringSubmatch(text, -1) {
		l.styles = append(l.styles, path.Join(path.Dir(name), m[1]))
	}
	text = strings.ReplaceAll(text, "import.meta.url", fmt.Sprintf("new URL(%q, import.meta.url)", "./"+name))
	l.code[name] = text + "\nreturn { " + strings.Join(l.exports[name], ", ") + " };"
	l.order = append(l.order, name)
	return nil
}

// quoted is a list of texts as a script writes it.
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
