package simutrans_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/cli"
	"pakbox/cmd/internal/cli/kit"
)

var update = flag.Bool("update", false, "write what the commands say anew")

// TestSession types the commands of testdata/session.txt, one after the other, in a folder
// with the samples. A line that begins with $ is a command; below it is what it prints, then
// its standard error, each line after a !, and its exit code if that is not 0.
// A + stands for a space in an argument.
func TestSession(t *testing.T) {
	file, err := filepath.Abs("testdata/session.txt")
	if err != nil {
		t.Fatal(err)
	}
	session, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../../../samples/simutrans")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	var all strings.Builder
	for _, part := range strings.Split("\n"+string(session), "\n$ ")[1:] {
		line, want, _ := strings.Cut(part, "\n")
		got := typed(t, line)
		if strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") && !*update {
			t.Errorf("$ %s\n%swant\n%s", line, got, want)
		}
		fmt.Fprintf(&all, "$ %s\n%s", line, got)
	}
	if *update {
		if err := os.WriteFile(file, []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// typed runs a line: a command of pakbox, or one of the commands of a shell in helpers.
func typed(t *testing.T, line string) string {
	t.Helper()
	words := strings.Fields(line)
	if help := helpers[words[0]]; help != nil {
		return help(t, words[1:])
	}
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "+", " ")
	}
	var stdout, stderr bytes.Buffer
	code := cli.Run(context.Background(), kit.Env{Args: words, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }, Formats: pakbox.Formats()})
	said := filepath.ToSlash(stdout.String())
	for _, l := range strings.SplitAfter(filepath.ToSlash(stderr.String()), "\n") {
		if l != "" {
			said += "! " + l
		}
	}
	if code != 0 {
		said += fmt.Sprintf("exit code %d\n", code)
	}
	return said
}

var helpers = map[string]func(t *testing.T, words []string) string{
	"ls": func(t *testing.T, words []string) (list string) {
		entries, err := os.ReadDir(words[0])
		if err != nil {
			return "the file is missing\n"
		}
		for _, e := range entries {
			list += e.Name() + "\n"
		}
		return list
	},
	"same": func(t *testing.T, words []string) string {
		a, err := os.ReadFile(words[0])
		b, err2 := os.ReadFile(words[1])
		if err != nil || err2 != nil {
			t.Errorf("err = %v, err2 = %v; want no error, err2 = nil", err, err2)
		}
		if bytes.Equal(a, b) {
			return "yes\n"
		}
		return "no\n"
	},
	"cp": func(t *testing.T, words []string) string {
		data, err := os.ReadFile(words[0])
		if err == nil {
			err = os.MkdirAll(filepath.Dir(words[1]), 0o777)
		}
		if err == nil {
			err = os.WriteFile(words[1], data, 0o666)
		}
		if err != nil {
			t.Error(err)
		}
		return ""
	},
	"rm": func(t *testing.T, words []string) string {
		if err := os.RemoveAll(words[0]); err != nil {
			t.Error(err)
		}
		return ""
	},
	// write puts text into a file; | is the end of a line.
	"write": func(t *testing.T, words []string) string {
		if err := os.WriteFile(words[0], []byte(strings.ReplaceAll(strings.Join(words[1:], " "), "|", "\n")), 0o666); err != nil {
			t.Error(err)
		}
		return ""
	},
}
