package main

import (
	"go/ast"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// bookPages are all pages of the book, by their paths below the project's folder.
func bookPages() (pages []string, err error) {
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/formats/*.md", "docs/evidence/*.md", "samples/*.md", "clients/editors/*/*.md"} {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			return nil, err
		}
		for _, page := range found {
			pages = append(pages, strings.TrimPrefix(filepath.ToSlash(page), "../../"))
		}
	}
	return pages, nil
}

// eachPage reads the pages.
func eachPage(t *testing.T, test func(page, text string)) {
	t.Helper()
	pages, err := bookPages()
	if err != nil || len(pages) < 35 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		text, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		test(page, string(text))
	}
}

// TestDocsSayForWhom: every page of the book begins with a sentence that names its
// readers, and docs/README.md links to it.
func TestDocsSayForWhom(t *testing.T) {
	contents, err := os.ReadFile("../../docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	eachPage(t, func(page, text string) {
		if _, begin, _ := strings.Cut(text, "\n\n"); !strings.HasPrefix(begin, "For ") {
			t.Errorf("%s does not begin with \"For …\": it must say who should read it", page)
		}
		link, err := filepath.Rel("docs", page)
		if err != nil || page != "docs/README.md" && !strings.Contains(string(contents), "]("+filepath.ToSlash(link)+")") {
			t.Errorf("docs/README.md does not lead to %s", page)
		}
	})
}

// TestBookIsRun: a test runs each command and each example in the book. The scripts readme,
// jobs and pages run those of pakbox, except those that they list with a reason. For all
// others testdata/book.txt names the test, or the reason for its absence; the named tests,
// and those named in the text, must exist.
func TestBookIsRun(t *testing.T) {
	tests := allTests(t)
	known := map[string]string{}
	list, err := os.ReadFile("testdata/book.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			shown, by, _ := strings.Cut(line, " # ")
			known[shown] = by
		}
	}
	for _, script := range []string{"readme", "jobs", "pages"} {
		text, err := os.ReadFile("testdata/script/" + script + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		_, unrun, _ := strings.Cut(string(text), "-- unrun --\n")
		unrun, _, _ = strings.Cut(unrun, "-- ")
		for line := range strings.Lines(unrun) {
			shown, by, _ := strings.Cut(strings.TrimSpace(line), " # ")
			checkRunBy(t, tests, shown, by)
		}
	}
	for shown, by := range known {
		checkRunBy(t, tests, shown, by)
	}
	used := map[string]bool{}
	eachPage(t, func(page, text string) {
		for _, m := range aTest.FindAllStringSubmatch(text, -1) {
			if !slices.ContainsFunc(slices.Collect(maps.Values(tests)), func(names []string) bool { return slices.Contains(names, m[1]) }) {
				t.Errorf("%s: test %s not found", page, m[1])
			}
		}
		for _, shown := range append(otherCommands(text), languages(page, text)...) {
			shown = strings.Join(strings.Fields(shown), " ")
			if rest, ok := strings.CutPrefix(shown, "go test "); ok {
				checkGoTest(t, tests, page, rest)
				continue
			}
			longest := ""
			for k := range known {
				if (shown == k || strings.HasPrefix(shown, k+" ")) && len(k) > len(longest) {
					longest = k
				}
			}
			if used[longest] = true; longest == "" {
				t.Errorf("%s: no test runs %q, and testdata/book.txt does not say why", page, shown)
			}
			if strings.HasPrefix(shown, "make ") {
				checkMake(t, page, shown)
			}
		}
	})
	for k := range known {
		if !used[k] {
			t.Errorf("no page shows %q", k)
		}
	}
}

// allTests are the names of all tests, benchmarks and fuzz targets, by folder.
func allTests(t *testing.T) map[string][]string {
	t.Helper()
	tests := map[string][]string{}
	eachSource(t, func(file string, f *ast.File) {
		if !strings.HasSuffix(file, "_test.go") {
			return
		}
		dir := strings.TrimPrefix(path.Dir(file), "../../")
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil {
				tests[dir] = append(tests[dir], fn.Name.Name)
			}
		}
	})
	return tests
}

var (
	aTest        = regexp.MustCompile("`((?:Test|Fuzz|Example)[A-Z]\\w*)`")
	testName     = regexp.MustCompile(`\b(?:([a-z0-9/]+)\.)?((?:Test|Fuzz)[A-Z]\w*)`)
	variable     = regexp.MustCompile(`^([A-Z]+)=`)
	inCode       = regexp.MustCompile("(?s)`([^`\n]+(?:\n *[^`\n]+)?)`")
	otherProgram = regexp.MustCompile(`^(?:[A-Z]\w*=\S+ )*(?:make|go (?:run|test|build|generate|get|mod|tool|version)|curl|npm|pip|php|node|docker|podman|sbatch|sh|cd|export|for|code|rclone|net use|\./\S+|cmd/tools/run)(?: |$)`)
)

// checkRunBy: the entry of a command names an existing test, as FOLDER.TestX
// or TestX alone, or begins with "not run: ".
func checkRunBy(t *testing.T, tests map[string][]string, shown, by string) {
	t.Helper()
	if strings.HasPrefix(by, "not run: ") {
		return
	}
	named := testName.FindAllStringSubmatch(by, -1)
	if len(named) == 0 {
		t.Errorf("%q: %q names no test", shown, by)
	}
	for _, m := range named {
		found := slices.Contains(tests[m[1]], m[2])
		for dir := range tests {
			found = found || m[1] == "" && slices.Contains(tests[dir], m[2])
		}
		if !found {
			t.Errorf("%q: test %s not found", shown, m[0])
		}
	}
}

// checkGoTest: packages and tests that a 'go test' names are there, and so part of
// 'make test'.
func checkGoTest(t *testing.T, tests map[string][]string, page, words string) {
	t.Helper()
	var dirs, names []string
	for i, all := 0, strings.Fields(words); i < len(all); i++ {
		switch word := strings.Trim(all[i], "'"); {
		case word == "-run":
			i++
			names = strings.Split(strings.Trim(all[i], "'"), "|")
		case strings.HasPrefix(word, "./"):
			dirs = append(dirs, strings.TrimPrefix(word, "./"))
		}
	}
	for _, dir := range dirs {
		below, all := strings.CutSuffix(dir, "/...")
		var here []string
		for d, names := range tests {
			if d == dir || all && (d == below || below == "." || below == "" || below == "..." || strings.HasPrefix(d, below+"/")) || dir == "..." {
				here = append(here, names...)
			}
		}
		if len(here) == 0 {
			t.Errorf("%s: go test %s: no tests found in %s", page, words, dir)
		}
		for _, name := range names {
			if !slices.ContainsFunc(here, func(s string) bool { return strings.Contains(s, name) }) {
				t.Errorf("%s: go test %s: there is no %s in %s", page, words, name, dir)
			}
		}
	}
}

// checkMake: a target and the variables that a 'make' names stand in the Makefile.
func checkMake(t *testing.T, page, shown string) {
	t.Helper()
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(shown)[1:] {
		line := `(?m)^` + regexp.QuoteMeta(word) + `:`
		if m := variable.FindStringSubmatch(word); m != nil {
			line = `(?m)^` + m[1] + ` \?=`
		} else if word == "&&" || strings.HasPrefix(word, "./") || strings.HasSuffix(word, "'") {
			break
		}
		if !regexp.MustCompile(line).Match(text) {
			t.Errorf("%s: %s: the Makefile has no %s", page, shown, word)
		}
	}
}

// otherCommands are the commands of a page that are not pakbox's own.
func otherCommands(page string) (commands []string) {
	fences := regexp.MustCompile("(?ms)^ *```(\\w*)\n(.*?)^ *```$")
	for _, m := range fences.FindAllStringSubmatch(page, -1) {
		if m[1] != "" && m[1] != "sh" {
			continue
		}
		for line := range strings.Lines(m[2]) {
			if line = strings.TrimPrefix(strings.TrimSpace(line), "$ "); otherProgram.MatchString(line) {
				commands = append(commands, line)
			}
		}
	}
	page = fences.ReplaceAllString(page, "")
	for line := range strings.Lines(page) {
		if text, ok := strings.CutPrefix(line, "    "); ok && otherProgram.MatchString(strings.TrimSpace(text)) {
			commands = append(commands, strings.TrimSpace(text))
		}
	}
	for _, m := range inCode.FindAllStringSubmatch(page, -1) {
		if words := strings.Join(strings.Fields(m[1]), " "); otherProgram.MatchString(words) && strings.Contains(words, " ") {
			commands = append(commands, words)
		}
	}
	return commands
}

// languages are the other languages in which a page has examples, as "PAGE LANGUAGE".
func languages(page, text string) (list []string) {
	for _, m := range regexp.MustCompile("(?m)^ *```(\\w+)$").FindAllStringSubmatch(text, -1) {
		if shown := page + " " + m[1]; m[1] != "sh" && !slices.Contains(list, shown) {
			list = append(list, shown)
		}
	}
	return list
}
