package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// runReadme runs every command of pakbox that a page shows in tables, text and
// examples, from top to bottom: readme PAGE UNRUN EXPECTED LEAST. A line "COMMAND #
// REASON" of the file UNRUN names a command that cannot be run here. A line "CODE
// COMMAND" of the file EXPECTED names a command whose exit code is not 0. LEAST is the
// smallest number of commands.
func runReadme(ts *testscript.TestScript, neg bool, args []string) {
	runShown(ts, shownCommands(ts.ReadFile(args[0]), true), readUnrun(ts, args[1]), args[2:])
}

// runPages does the same with all other pages: pages UNRUN EXPECTED LEAST.
func runPages(ts *testscript.TestScript, neg bool, args []string) {
	var commands []string
	pages, err := otherPages()
	ts.Check(err)
	for _, page := range pages {
		commands = append(commands, shownCommands(ts.ReadFile(filepath.Join("pages", page)), false)...)
	}
	runShown(ts, commands, readUnrun(ts, args[0]), args[1:])
}

func readUnrun(ts *testscript.TestScript, file string) map[string]bool {
	unrun := map[string]bool{}
	for line := range strings.Lines(ts.ReadFile(file)) {
		command, reason, _ := strings.Cut(strings.TrimSpace(line), " # ")
		if reason == "" {
			ts.Fatalf("%q has no reason", line)
		}
		unrun[command] = true
	}
	return unrun
}

func runShown(ts *testscript.TestScript, commands []string, unrun map[string]bool, args []string) {
	expected := map[string]int{}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		code, command, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(code)
		ts.Check(err)
		expected[command] = n
	}
	seen := map[string]bool{}
	for _, command := range commands {
		seen[command] = true
		if unrun[command] {
			continue
		}
		want := expected[command]
		delete(expected, command)
		ts.Logf("%s", command)
		command = strings.ReplaceAll(command, " /data", " data") // the disk of a cluster
		exitsWith(ts, false, []string{strconv.Itoa(want), "sh", "-c", command})
	}
	for command := range expected {
		ts.Fatalf("no page has a command %q", command)
	}
	for command := range unrun {
		if !seen[command] {
			ts.Fatalf("no page has a command %q", command)
		}
	}
	least, err := strconv.Atoi(args[1])
	ts.Check(err)
	if len(commands) < least {
		ts.Fatalf("there are only %d commands", len(commands))
	}
}

// makers are pages that make files, in an order in which they come before those
// that use them.
var makers = []string{
	"samples/README.md", "SECURITY.md", "docs/maps.md", "docs/make.md", "docs/tracks.md", "docs/blender.md", "docs/mesh.md", "docs/telemetry.md", "docs/simutrans.md", "docs/metin2.md", "docs/index.md",
	"docs/cluster.md", "docs/explorer.md", "docs/mount.md", "docs/http.md", "docs/programs.md", "docs/python.md", "docs/javascript.md", "docs/chunk-sheets.md", "docs/dist.md",
}

// otherPages are all pages of the book that have no script of their own.
func otherPages() ([]string, error) {
	pages, err := bookPages()
	pages = slices.DeleteFunc(pages, func(page string) bool {
		return page == "README.md" || page == "docs/jobs.md" || slices.Contains(makers, page)
	})
	return append(slices.Clone(makers), pages...), err
}

// takeOut writes the example of a page in some language to a file: example PAGE LANGUAGE
// FILE.
func takeOut(ts *testscript.TestScript, neg bool, args []string) {
	_, text, ok := strings.Cut(ts.ReadFile(args[0]), "```"+args[1]+"\n")
	text, _, end := strings.Cut(text, "\n```\n")
	if !ok || !end {
		ts.Fatalf("%s has no example in %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text+"\n"), 0o666))
}

// copyProject puts what the pages' commands work on into the folders of their
// scripts: the pages and the samples of this repository.
func copyProject(env *testscript.Env) error {
	// The stored state of a script is removed with its folder.
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
	env.Setenv("LocalAppData", filepath.Join(env.WorkDir, ".cache")) // on Windows
	// Nor does anybody's configuration count there.
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, ".config"))
	copies := map[string]string{}
	switch _, script, _ := strings.Cut(filepath.Base(env.WorkDir), "script-"); script {
	case "readme", "jobs":
		copies = map[string]string{"README.md": "README.md", "docs/jobs.md": "jobs.md"}
	case "pages":
		pages, err := otherPages()
		if err != nil {
			return err
		}
		for _, page := range pages {
			copies[page] = "pages/" + page
		}
	case "map_blocks_set", "ask", "output": // work on samples
	default:
		return nil
	}
	for page, to := range copies {
		text, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			return err
		}
		to = filepath.Join(env.WorkDir, filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
	}
	return os.CopyFS(filepath.Join(env.WorkDir, "samples"), os.DirFS("../../samples"))
}

// shownCommands finds the commands in a page's tables, text and examples: those of
// pakbox, and in examples of a shell also loops and 'cat'. The bare name of a command is
// an example only in tables, and only if bare is set.
func shownCommands(page string, bare bool) (commands []string) {
	inline := regexp.MustCompile("`((?:PAKBOX_\\w+=\\S+ )?pakbox [^`]+)`")
	example := regexp.MustCompile(`^(?: {3,4})?(?:\$ )?((?:pakbox [a-z]|cat |for i in ).*)$`)
	inFence := false
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(strings.TrimLeft(line, " "), "```") {
			inFence = !inFence
			continue
		}
		if m := example.FindStringSubmatch(line); m != nil && (inFence || strings.HasPrefix(line, "    ")) {
			command := m[1]
			for strings.Count(command, "'")%2 == 1 && i+1 < len(lines) { // a text goes on
				i++
				command += "\n" + lines[i]
			}
			commands = append(commands, command)
			continue
		}
		if inFence {
			continue
		}
		long := line
		if i+1 < len(lines) && strings.Count(line, "`")%2 == 1 { // may end in the next line
			long += " " + strings.TrimSpace(lines[i+1])
		}
		for _, m := range inline.FindAllStringSubmatchIndex(long, -1) {
			if m[0] >= len(line) {
				break
			}
			if command := strings.ReplaceAll(long[m[2]:m[3]], `\|`, "|"); bare && strings.HasPrefix(line, "|") || !bareName.MatchString(command) {
				commands = append(commands, command)
			}
		}
	}
	return commands
}

// bareName matches a command without arguments.
var bareName = regexp.MustCompile(`^pakbox( [a-z-]+){1,2}$`)
