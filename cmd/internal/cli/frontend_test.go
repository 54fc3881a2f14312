package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/cli"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/frontendtest"
)

// command is the front end of commands. The scripts of cmd/pakbox test the output for
// people.
var command = frontendtest.Frontend{ListsOnly: []string{"formats", "query", "grep"}, Open: func(*testing.T) func(*testing.T, *frontendtest.Request) *frontendtest.Answer {
	return runCommand
}}

// Commands must have the answers of this process, and make the same changes.
func TestFrontend(t *testing.T) { frontendtest.Run(t, command) }

// runCommand runs the command of a request.
func runCommand(t *testing.T, r *frontendtest.Request) *frontendtest.Answer {
	t.Helper()
	var out, messages bytes.Buffer
	if r.Output != "" {
		if err := os.MkdirAll(filepath.Dir(r.Output), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	code := cli.Run(t.Context(), kit.Env{Args: r.Command, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages, Getenv: func(string) string { return "" }, Formats: pakbox.Formats()})
	if kind := failure(t, r, code, out.Bytes(), messages.String()); kind != "" {
		return &frontendtest.Answer{Kind: kind}
	}
	printed := out.Bytes()
	switch {
	case r.Question.Change:
		return r.Changed(t, printed)
	case r.Output != "":
		return &frontendtest.Answer{File: r.Made(t)}
	case r.Question.Name == "query": // a result on each line
		results := bytes.ReplaceAll(bytes.TrimSpace(printed), []byte("\n"), []byte(","))
		return &frontendtest.Answer{JSON: append(append([]byte(`{"results":[`), results...), "]}"...)}
	case r.Question.Name == "grep" && len(printed) == 0:
		return &frontendtest.Answer{JSON: []byte(`{"matches":[]}`)}
	}
	lines := bytes.SplitAfter(printed, []byte("\n"))
	return &frontendtest.Answer{Parts: lines[:len(lines)-1]}
}

// failure returns the kind of the error that a command printed, as JSON or only as a
// message; "" for none. With exit code 1 a check has found something, or a file failed.
func failure(t *testing.T, r *frontendtest.Request, code int, printed []byte, messages string) string {
	t.Helper()
	var failed struct{ Error *struct{ Kind string } }
	first, _, _ := bytes.Cut(printed, []byte("\n"))
	if json.Unmarshal(first, &failed) == nil && failed.Error != nil {
		return failed.Error.Kind
	}
	isFile := r.Output != "" && !exists(r.Output) && !r.Question.Change
	if code < 2 && !isFile && (code == 0 || len(printed) > 0 || messages == "") {
		return ""
	}
	if messages == "" {
		t.Errorf("%v failed without a message", r.Command)
	}
	return frontendtest.AnyKind
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Commands must have the answers of this process about real files too.
func TestRealFiles(t *testing.T) { frontendtest.RunReal(t, command) }
