package main

import (
	"slices"
	"strings"
	"testing"
)

// Only comments and string literals are text, each as one passage.
func TestPassages(t *testing.T) {
	cases := []struct {
		name, file, text string
		want             []string
	}{
		{"Go", "a.go", "package a // one\n\n// two\n// three\nvar x, y = \"four \\\"5\\\"\", `six`\n/* seven */\nvar r = '\"'\n// eight\n",
			[]string{"one", "two three", `four \"5\"`, "six", "seven", `"`, "eight"}},
		{"Go comments apart", "a.go", "// one\nvar x int\n// two\n\n// three\n", []string{"one", "two", "three"}},
		{"Go raw string with a backslash", "a.go", "var x = `a\\`\n// two\n", []string{`a\`, "two"}},
		{"JavaScript", "a.js", "const a = 'one' // two\nconst b = /[/\"]three/.test(x) ? `four ${b}` : a / 5 / c\n", []string{"one", "two", "four ${b}"}},
		{"JavaScript division", "a.js", "x = a / b; y = 'one' / 2 // two\n", []string{"one", "two"}},
		{"Python", "a.py", "def f():\n    \"\"\"One\n    two.\"\"\"\n    x = 'three'  # four\n", []string{"One two.", "three", "four"}},
		{"CSS", "a.css", "/* one */ a { content: \"two\" }\n", []string{"one", "two"}},
		{"Markdown", "a.md", "# One\n\ntwo\nthree\n\n    command\n\n| four |\n", []string{"# One", "two three", "| four |"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range passages(c.file, c.text) {
				got = append(got, strings.Join(strings.Fields(p.text), " "))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("passages = %q, want %q", got, c.want)
			}
		})
	}
}

// Text that ends too early must not make the reader fail.
func TestUnfinished(t *testing.T) {
	for _, text := range []string{"/*", "\"", "`a", "'", "\"\\", "//", "/", "x = /a", "\"\"\""} {
		for _, name := range []string{"a.go", "a.js", "a.py", "a.css", "a.md"} {
			passages(name, text)
		}
	}
}
