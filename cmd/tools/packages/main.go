// Packages writes the parts of the packages for other languages that are made
// from the declared questions and facts: clients/python/pakbox/questions.py,
// clients/npm/questions.js, index.d.ts and lite.d.ts, and docs/names.md. A test fails while they are not current.
//
//	cmd/tools/run packages
package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"pakbox"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/talk/mcp"
	"pakbox/fact"
)

func main() {
	for name, text := range generated() {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			fmt.Fprintln(os.Stderr, "packages:", err)
			os.Exit(1)
		}
	}
}

// generated returns the generated files, by path from the root of the project.
func generated() map[string][]byte {
	return map[string][]byte{
		"clients/python/pakbox/questions.py": python(),
		"clients/npm/questions.js":           javascript(),
		"clients/npm/index.d.ts":             typescript(),
		"clients/npm/lite.d.ts":              liteTypes(),
		"docs/names.md":                      names(),
	}
}

// family is a kind of file in the packages: a class with facts and questions.
type family struct {
	Class, Prefix string // Map, "map."
	Subjects      []string
}

// families lists the kinds of files. The first has the questions and facts of all
// files.
var families = []family{
	{"File", "", []string{"archive", "gbx", "gbx container"}},
	{"Map", "map.", []string{"map"}},
	{"Replay", "replay.", []string{"replay", "ghost"}},
	{"Simutrans", "simutrans.", []string{"simutrans", "object", "vehicle"}},
}

// of reports whether a question is about files of this kind.
func (f *family) of(q *question.Question) bool {
	if q.NoFile {
		return false
	}
	if f.Prefix != "" {
		return strings.HasPrefix(q.Name, f.Prefix)
	}
	return !slices.ContainsFunc(families[1:], func(g family) bool { return g.of(q) })
}

// facts lists the facts of this kind of file. A group, such as medals, is one fact.
func (f *family) facts() (list []*fact.Fact) {
	seen := map[string]bool{}
	for _, s := range answer.Subjects(pakbox.Formats()) {
		if !slices.Contains(f.Subjects, s.Name) {
			continue
		}
		for _, known := range s.Facts {
			group, _, nested := strings.Cut(known.Name, ".")
			if nested {
				known = &fact.Fact{Name: group, Kind: fact.Group, Doc: "an object: " + membersOf(s, group)}
			} else if known.Kind == fact.Group {
				continue
			}
			if !seen[known.Name] {
				seen[known.Name] = true
				list = append(list, known)
			}
		}
	}
	return list
}

// membersOf lists the members of a group of facts.
func membersOf(s *fact.Subject, group string) string {
	var names []string
	for _, f := range s.Facts {
		if member, ok := strings.CutPrefix(f.Name, group+"."); ok {
			names = append(names, member)
		}
	}
	return strings.Join(names, ", ")
}

// method returns the name of a question as a method of its class. A question with the
// name of a fact, or of a question about any file, keeps the name of its family.
func (f *family) method(q *question.Question) string {
	short := strings.TrimPrefix(q.Name, f.Prefix)
	facts := slices.Concat(families[0].facts(), f.facts())
	isFact := slices.ContainsFunc(facts, func(k *fact.Fact) bool { return k.Name == short })
	ofAny := slices.ContainsFunc(answer.Questions(), func(other *question.Question) bool { return other != q && other.Name == short })
	if isFact || ofAny {
		return function(q)
	}
	return function(&question.Question{Name: short})
}

// function returns the name of a question as a function.
func function(q *question.Question) string {
	return identifier(strings.ReplaceAll(q.Name, ".", "_"))
}

// identifier converts a name to one that Python and JavaScript accept.
func identifier(name string) string {
	if slices.Contains([]string{"in", "from", "class", "is", "not", "with", "as", "for", "if", "import"}, name) {
		return name + "_"
	}
	return strings.ReplaceAll(name, "-", "_")
}

// names makes a page with the names of each question in all interfaces.
func names() []byte {
	var b bytes.Buffer
	b.WriteString(`# One question, its names everywhere

For programmers who move from the command to a program, or from one language to
another. ` + "`make packages`" + ` writes this page from the declared questions. A method belongs to
the class of the file: ` + "`pakbox.open(path).blocks()`" + `. Over HTTP a question is ` + "`/v1/`" + ` and its name.

| question | command | Python, JavaScript | method | tool of an assistant |
|---|---|---|---|---|
`)
	for _, q := range answer.Questions() {
		method := ""
		for _, f := range families {
			if f.of(q) {
				method = f.Class + "." + f.method(q)
			}
		}
		fmt.Fprintf(&b, "| %s | %s | questions.%s | %s | %s |\n", q.Name, strings.ReplaceAll(q.Name, ".", " "), function(q), method, mcp.ToolName(q))
	}
	return b.Bytes()
}
