package cli

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pakbox/cmd/internal/cli/kit"
)

// 'pakbox help json' has a line for each command, with the fields of its answer, and
// states nothing about commands that do not exist.
func TestJSONHelp(t *testing.T) {
	a := kit.New(context.Background(), kit.Env{})
	rootFor(a, nil)
	text := jsonText(a)
	for _, line := range regexp.MustCompile(`(?m)^  [a-z].*`).FindAllString(text, -1) {
		if name, fields, _ := strings.Cut(strings.TrimSpace(line), " "); strings.TrimSpace(fields) == "" {
			t.Errorf("'pakbox help json' has no fields for %s", name)
		}
	}
	names := commandNames(a)
	for name := range moreJSON {
		if !slices.Contains(names, name) {
			t.Errorf("%q has a text, but is not a command", name)
		}
	}
	for _, want := range []string{"  map.lightmap         pictures [{name, size}]\n", "  map.shrink           size, savings [{way, means, lossless, saved, size}]; with -o or -C ways\n", "  rm                   removed", "  index                files, bytes"} {
		if !strings.Contains(text, want) {
			t.Errorf("'pakbox help json' lacks %q", want)
		}
	}
}

// Helps fit a terminal of 80 columns.
func TestHelpWidth(t *testing.T) {
	a := kit.New(context.Background(), kit.Env{})
	root := rootFor(a, nil)
	for _, c := range append(kit.AllCommands(root), root) {
		var help strings.Builder
		c.SetOut(&help)
		c.InitDefaultHelpFlag()
		c.Help()
		for _, line := range strings.Split(help.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > kit.HelpWidth {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), n, line)
			}
		}
	}
	for _, topic := range topics {
		for _, line := range strings.Split(kit.Wrap(topic.text(a)), "\n") {
			if n := utf8.RuneCountInString(line); n > kit.HelpWidth {
				t.Errorf("help %s: %d columns: %s", topic.name, n, line)
			}
		}
	}
}

// docs/jobs.md has a row for every command.
func TestJobsHaveAllCommands(t *testing.T) {
	page, err := os.ReadFile("../../../docs/jobs.md")
	if err != nil {
		t.Fatal(err)
	}
	a := kit.New(context.Background(), kit.Env{})
	for _, c := range kit.AllCommands(root(a, commands())) {
		topic := c.GroupID == "" && c.Parent() == c.Root()
		if name := kit.FullName(c); !topic && !c.HasSubCommands() && !regexp.MustCompile(`pakbox (--\S+ \S+ )?`+name+`\b`).Match(page) {
			t.Errorf("docs/jobs.md lacks 'pakbox %s'", name)
		}
	}
}

// A command is found by the name that its maker has, and is alone then.
func TestMakersHaveTheNamesOfTheirCommands(t *testing.T) {
	a := kit.New(context.Background(), kit.Env{})
	for _, m := range commands() {
		if name := m.Make(a).Name(); name != m.Name {
			t.Errorf("%q makes %q", m.Name, name)
		}
	}
	for line, want := range map[string]bool{
		"ls x": true, "--json ls x": true, "--keys file ls x": true, "keys ls": true, "ls --help": true,
		"--keys ls create x y": false, "help ls": false, "man ls": false, "completion bash": false, "nonsense ls": false, "": false,
	} {
		root := rootFor(a, strings.Fields(line))
		if alone := kit.FindCommand(root, []string{"info"}) == nil; alone != want {
			t.Errorf("%q: alone is %v", line, alone)
		}
	}
}
