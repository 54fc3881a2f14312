package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// runReadme runs every command of pakbox that the README's tables show, in
// their order, as someone would who copies them line by line: readme FILE
// EXPECTED. A line "CODE COMMAND" of the file EXPECTED tells which commands
// exit with something else than 0.
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
		ts.Fatalf("the README has no command %q", command)
	}
	if len(commands) < 60 {
		ts.Fatalf("the README has only %d commands", len(commands))
	}
}

// copyProject puts what the README's commands work on into the folder of its
// script: the page and the samples of this repository.
func copyProject(env *testscript.Env) error {
	// What pakbox remembers of a script is gone with its folder.
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
	if !strings.HasSuffix(env.WorkDir, "script-readme") {
		return nil
	}
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(env.WorkDir, "README.md"), page, 0o666); err != nil {
		return err
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
