package cli

import (
	"regexp"
	"strings"
	"testing"
)

// TestJSONHelp: what a command prints with --json is described.
func TestJSONHelp(t *testing.T) {
	listed := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^  [a-z].*`).FindAllString(jsonText, -1) {
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' }) {
			listed[word] = true
		}
	}
	for _, c := range allCommands((&app{}).root()) {
		if c.HasSubCommands() || c.Name() == c.Use && c.GroupID == "" && c.Parent() == c.Root() && !listed[c.Name()] {
			continue // a family, or a topic of help
		}
		if name := schemaName(c); !listed[name] {
			t.Errorf("'pakbox help json' says nothing about %s", name)
		}
	}
}
