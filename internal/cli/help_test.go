package cli

import (
	"context"
	"regexp"
	"strings"
	"testing"

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
