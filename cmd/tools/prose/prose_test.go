package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const project = "../../.."

// projectFiles lists the files of the project with an extension, and skips those of
// others and generated folders.
func projectFiles(t *testing.T, extension string) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(project), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "node_modules", "dist", "site", "testdata", "vendor", "soak-findings"}, d.Name()):
			return fs.SkipDir
		case !d.IsDir() && filepath.Ext(name) == extension && isRead(name):
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// The Markdown of the project has no findings except those in exceptions.txt.
func TestMarkdown(t *testing.T) {
	files := projectFiles(t, ".md")
	if len(files) < 40 {
		t.Fatalf("found %d pages, want 40 or more", len(files))
	}
	exceptions, err := readExceptions()
	if err != nil {
		t.Fatal(err)
	}
	found, err := checkFiles(project, files, exceptions)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Errorf("finding %v; want none", f)
	}
}

// Every exception excepts something: a line that nobody needs is removed.
func TestExceptionsAreNeeded(t *testing.T) {
	exceptions, err := readExceptions()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range exceptions {
		text, err := os.ReadFile(filepath.Join(project, e.file))
		if err != nil {
			t.Error(err)
			continue
		}
		if !slices.ContainsFunc(check(e.file, string(text)), func(f finding) bool { return isExcepted([]exception{e}, f) }) {
			t.Errorf("exceptions.txt: %s has no finding %s: %s", e.file, e.rule, e.text)
		}
	}
}

func TestExceptions(t *testing.T) {
	list, err := parseExceptions("# a comment\n\na.md: full screen: whole screen # a quotation\n")
	if err != nil || len(list) != 1 {
		t.Fatalf("parseExceptions = %v, %v, want one exception", list, err)
	}
	f := finding{file: "a.md", rule: "full screen", text: "whole screen"}
	if !isExcepted(list, f) {
		t.Errorf("isExcepted(%v) = false, want true", f)
	}
	for _, other := range []finding{{file: "b.md", rule: "full screen", text: "whole screen"}, {file: "a.md", rule: "fix", text: "whole screen"}, {file: "a.md", rule: "full screen", text: "screen"}} {
		if isExcepted(list, other) {
			t.Errorf("isExcepted(%v) = true, want false", other)
		}
	}
	if any := []exception{{"a.md", "*", "*", "a quotation"}}; !isExcepted(any, f) || isExcepted(any, finding{file: "b.md"}) {
		t.Errorf("isExcepted with * = false for %v, or true for another file", f)
	}
	for _, line := range []string{"a.md: full screen: whole screen", "a.md: full screen # no words"} {
		if _, err := parseExceptions(line); err == nil {
			t.Errorf("parseExceptions(%q) succeeded, want an error", line)
		}
	}
}

// The program prints the number of findings in each folder, or each finding and an error.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("docs/a.md", "A whole screen.\n\nThe folder above.\n")
	write("code/a.go", "package a\n\n// A whole screen.\n")
	write("code/a_gen.go", "package a\n\n// A whole screen.\n")
	write("code/testdata/a.md", "A whole screen.\n")
	write("code/good.md", "It prints.\n")
	commit := []string{"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m"}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, append(commit, "docs: add pages"), append(commit, "docs: what was new", "--allow-empty")} {
		if _, err := git(dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	cases := []struct {
		name, commits string
		paths         []string
		want, wantErr string
	}{
		{"folders", "", nil, "     2 docs\n     1 code\n     3 in all\n", ""},
		{"list", "", []string{"code"}, "code/a.go:3: full screen: \"whole screen\": write \"full screen\"\n", "number of findings: 1"},
		{"no findings", "", []string{"code/good.md"}, "", ""},
		{"commits", "HEAD~1..HEAD", []string{"code/good.md"}, "what was new", "number of findings: 1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			err := run(&out, c.commits, len(c.paths) > 0, c.paths)
			if c.wantErr == "" && err != nil || c.wantErr != "" && (err == nil || err.Error() != c.wantErr) {
				t.Errorf("run = %v, want error %q", err, c.wantErr)
			}
			if c.commits == "" && out.String() != c.want || !strings.Contains(out.String(), c.want) {
				t.Errorf("run printed %q, want %q", out.String(), c.want)
			}
		})
	}
}
