package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// runReadme runs every command of pakbox that a page's tables show, in their
// order, as someone would who copies them line by line: readme FILE EXPECTED
// LEAST. A line "CODE COMMAND" of the file EXPECTED tells which commands exit
// with something else than 0; LEAST is how many commands there are at least.
func runReadme(ts *testscript.TestScript, neg bool, args []string) {
	expected := map[string]int{}
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		code, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(code)
		ts.Check(err)
		expected[command] = n
	}
	commands := readmeCommands(ts.ReadFile(args[0]))
	for _, command := range commands {
		want := expected[command]
		delete(expected, command)
		ts.Logf("%s", command)
		exitsWith(ts, false, []string{strconv.Itoa(want), "sh", "-c", command})
	}
	for command := range expected {
		ts.Fatalf("%s has no command %q", args[0], command)
	}
	least, err := strconv.Atoi(args[2])
	ts.Check(err)
	if len(commands) < least {
		ts.Fatalf("%s has only %d commands", args[0], len(commands))
	}
}

// copyProject puts what the pages' commands work on into the folders of their
// scripts: the pages and the samples of this repository.
func copyProject(env *testscript.Env) error {
	// What pakbox remembers of a script is gone with its folder.
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
	// Nor does anybody's configuration count there.
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, ".config"))
	if !strings.HasSuffix(env.WorkDir, "script-readme") && !strings.HasSuffix(env.WorkDir, "script-jobs") {
		return nil
	}
	for _, page := range []string{"README.md", "docs/jobs.md"} {
		text, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(env.WorkDir, filepath.Base(page)), text, 0o666); err != nil {
			return err
		}
	}
	return os.CopyFS(filepath.Join(env.WorkDir, "samples"), os.DirFS("../../samples"))
}

// readmeCommands finds the commands in a page's tables.
func readmeCommands(page string) (commands []string) {
	quoted := regexp.MustCompile("`((?:PAKBOX_\\w+=\\S+ )?pakbox [^`]+)`")
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			commands = append(commands, strings.ReplaceAll(m[1], `\|`, "|"))
		}
	}
	return commands
}
