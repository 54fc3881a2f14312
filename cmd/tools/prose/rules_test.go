package main

import (
	"os"
	"strings"
	"testing"
)

// Each rule finds its words, in any file and across the ends of lines, and leaves
// ordinary sentences alone.
func TestRules(t *testing.T) {
	cases, err := os.ReadFile("testdata/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(cases)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.SplitN(strings.TrimRight(line, "\n"), " | ", 3)
		if len(parts) != 3 {
			t.Fatalf("rules.txt: expected NAME | RULES | TEXT, found %q", line)
		}
		t.Run(parts[0], func(t *testing.T) {
			var got []string
			text := strings.ReplaceAll(parts[2], `\n`, "\n")
			for _, f := range check("page.md", text) {
				got = append(got, f.rule)
			}
			if got := strings.Join(got, ", "); got != parts[1] {
				t.Errorf("check(%q) = %s, want %s", text, got, parts[1])
			}
		})
	}
}

// A finding names the line of its words, not that of the paragraph or comment.
func TestLineOfFinding(t *testing.T) {
	cases := []struct{ name, file, text, want string }{
		{"Markdown", "a.md", "# Title\n\nOne.\nTwo.\nA\nwhole screen.\n", `a.md:6: full screen: "whole screen"`},
		{"sentence start", "a.md", "One.\nTwo.\nWhichever stays.\n", `a.md:3: clause as subject: "Whichever"`},
		{"Go comment", "a.go", "package a\n\n// One\n// whole screen\nvar x = 1\n", `a.go:4: full screen: "whole screen"`},
		{"Go string of several lines", "a.go", "package a\n\nvar x = `one\nwhole screen`\n", `a.go:4: full screen: "whole screen"`},
		{"Go string", "a.go", "package a\n\nvar x = \"one\\nwhole screen\"\n", `a.go:3: full screen: "whole screen"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found := check(c.file, c.text)
			if len(found) == 0 || !strings.HasPrefix(found[0].String(), c.want) {
				t.Errorf("check = %v, want %s", found, c.want)
			}
		})
	}
}

// Sentences of Markdown are limited. Code is one word, and tables are not sentences.
func TestLongSentence(t *testing.T) {
	long := strings.Repeat("word ", maxWords)
	cases := []struct {
		name, text string
		want       int
	}{
		{"too long", long + "end.", 1},
		{"as long as allowed", strings.Repeat("word ", maxWords-1) + "end.", 0},
		{"two sentences", strings.Repeat("word ", maxWords-1) + "end. " + strings.Repeat("word ", maxWords-1) + "end.", 0},
		{"code", "`" + long + "end`", 0},
		{"aside", "One (" + long + ") end.", 0},
		{"table", "| " + long + " |", 0},
		{"block of code", "```\n" + long + "\n```", 0},
		{"list", strings.Repeat("- word word word\n", maxWords), 0},
		{"list item", "- " + long + "end.", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if found := checkSentences("a.md", c.text); len(found) != c.want {
				t.Errorf("checkSentences = %v, want %d findings", found, c.want)
			}
		})
	}
}

// Entries of the changelog have the form of rule 8 of the project's English.
func TestChangelog(t *testing.T) {
	cases := []struct {
		name, entry string
		want        int
	}{
		{"added", "- Added: `map cut` saves a part of a map.", 0},
		{"fixed", "- Fixed: `find` read the whole index.", 0},
		{"changed", "- Changed: `get` reads folders\n  (was: only with `-r`).", 0},
		{"changed without the old behaviour", "- Changed: `get` reads folders.", 1},
		{"no kind", "- `get` reads folders.", 1},
		{"another kind", "- Mended: `get` reads folders.", 1},
		{"text", "For people who use it.", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if found := checkChangelog("CHANGELOG.md", "# Changes\n\n"+c.entry+"\n"); len(found) != c.want {
				t.Errorf("checkChangelog = %v, want %d findings", found, c.want)
			}
		})
	}
}

// A subject is "package: imperative verb and object", of 72 characters at most.
func TestSubjects(t *testing.T) {
	cases := []struct {
		subject string
		ok      bool
	}{
		{"index: ignore constant wheel speed", true},
		{"trackmania, lint: fix game detection for Turbo", true},
		{"cli/nadeo: embed icons", true},
		{"docs: name the pages by subject", true},
		{"lint: test each rule", true},
		{"index: plateaus of a wheel", false},
		{"ask: a question is forgotten in one place", false},
		{"docs: what the soak tried", false},
		{"lint: tests for edges", false},
		{"lint: added a rule", false},
		{"lint: adding a rule", false},
		{"Fix the index", false},
		{"index: Fix the index", false},
		{"index: wip rows", false},
		{"index: keep wip", false},
		{"index: " + strings.Repeat("keep ", 14), false},
	}
	for _, c := range cases {
		t.Run(c.subject, func(t *testing.T) {
			found := checkSubjects("abc123 " + c.subject + "\n")
			if ok := len(found) == 0; ok != c.ok {
				t.Errorf("checkSubjects = %v, want ok = %v", found, c.ok)
			}
		})
	}
}
