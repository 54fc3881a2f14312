package cli

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pakbox/internal/cli/shell"
)

// TestJSONHelp: what a command prints with --json is described.
func TestJSONHelp(t *testing.T) {
	listed := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^  [a-z].*`).FindAllString(jsonText, -1) {
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' }) {
			listed[word] = true
		}
	}
	a := &app{shell.New(context.Background(), shell.Env{})}
	for _, c := range shell.AllCommands(a.root(a.commands())) {
		if c.HasSubCommands() || c.Name() == c.Use && c.GroupID == "" && c.Parent() == c.Root() && !listed[c.Name()] {
			continue // a family, or a topic of help
		}
		if name := shell.SchemaName(c); !listed[name] {
			t.Errorf("'pakbox help json' says nothing about %s", name)
		}
	}
}

// Helps fit a terminal of 80 columns.
func TestHelpWidth(t *testing.T) {
	a := &app{shell.New(context.Background(), shell.Env{})}
	root := a.root(a.commands())
	for _, c := range append(shell.AllCommands(root), root) {
		var help strings.Builder
		c.SetOut(&help)
		c.InitDefaultHelpFlag()
		c.Help()
		for _, line := range strings.Split(help.String(), "\n") {
			if n := utf8.RuneCountInString(line); n > shell.HelpWidth {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), n, line)
			}
		}
	}
	for _, topic := range topics {
		for _, line := range strings.Split(shell.Wrap(topic.text(a)), "\n") {
			if n := utf8.RuneCountInString(line); n > shell.HelpWidth {
				t.Errorf("help %s: %d columns: %s", topic.name, n, line)
			}
		}
	}
}

// docs/jobs.md says that it has all jobs: every command stands there.
func TestJobsHaveAllCommands(t *testing.T) {
	page, err := os.ReadFile("../../docs/jobs.md")
	if err != nil {
		t.Fatal(err)
	}
	a := &app{shell.New(context.Background(), shell.Env{})}
	for _, c := range shell.AllCommands(a.root(a.commands())) {
		topic := c.GroupID == "" && c.Parent() == c.Root()
		if name := shell.FullName(c); !topic && !c.HasSubCommands() && !regexp.MustCompile(`pakbox (--\S+ \S+ )?`+name+`\b`).Match(page) {
			t.Errorf("docs/jobs.md says nothing about 'pakbox %s'", name)
		}
	}
}

// A command is found by the name that its maker has, and is alone then.
func TestMakersHaveTheNamesOfTheirCommands(t *testing.T) {
	a := &app{shell.New(context.Background(), shell.Env{})}
	for _, m := range a.commands() {
		if name := m.Make().Name(); name != m.Name {
			t.Errorf("%q makes %q", m.Name, name)
		}
	}
	for line, want := range map[string]bool{
		"ls x": true, "--json ls x": true, "--keys file ls x": true, "keys ls": true, "ls --help": true,
		"--keys ls create x y": false, "help ls": false, "man ls": false, "completion bash": false, "nonsense ls": false, "": false,
	} {
		root := a.rootFor(strings.Fields(line))
		if alone := shell.FindCommand(root, []string{"info"}) == nil; alone != want {
			t.Errorf("%q: alone is %v", line, alone)
		}
	}
}
