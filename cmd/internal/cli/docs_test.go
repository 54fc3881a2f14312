package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"pakbox"
	"pakbox/cmd/internal/cli/kit"
)

// TestDocsNameCommands: every command line that a page shows names a command that
// there is, with flags that it has. (They are also run, by the scripts readme, jobs
// and pages.)
func TestDocsNameCommands(t *testing.T) {
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../../../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(append(pages, more...), "../../../README.md", "../../../SECURITY.md")
	shown := regexp.MustCompile("`pakbox ([^`]+)`|(?m:^\\$ pakbox (.+)$)")
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range shown.FindAllStringSubmatch(string(text), -1) {
			found++
			line := strings.ReplaceAll(m[1]+m[2], `\|`, "|")
			if err := knownLine(line); err != nil {
				t.Errorf("%s: pakbox %s: %v", filepath.Base(page), line, err)
			}
		}
	}
	if found < 150 {
		t.Errorf("the pages show only %d commands", found)
	}
}

// knownLine parses a command line without running it.
func knownLine(line string) error {
	a := kit.New(context.Background(), kit.Env{Formats: pakbox.Formats()})
	words := shellWords(line)
	root := root(a, commands())
	root.InitDefaultHelpCmd()
	cmd, rest, err := root.Find(words)
	if err != nil {
		return err
	}
	if cmd.DisableFlagParsing {
		return nil
	}
	if err := cmd.ParseFlags(rest); !errors.Is(err, pflag.ErrHelp) {
		return err
	}
	return nil
}

// shellWords splits a line at spaces that are not in quotes, up to a pipe or a
// redirection.
func shellWords(line string) (words []string) {
	for _, m := range regexp.MustCompile(`(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+`).FindAllString(line, -1) {
		if m == "|" || strings.HasPrefix(m, ">") || strings.HasPrefix(m, "<") {
			break
		}
		words = append(words, strings.NewReplacer("'", "", `"`, "").Replace(m))
	}
	return words
}
