package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/cmd/internal/frontendtest"
	"pakbox/internal/testkit/peer"
)

//go:embed testdata/clients/frontend.py
var pythonFrontend string

//go:embed testdata/clients/frontend.mjs
var scriptFrontend string

// The functions and methods of the package for Python must have the answers of this
// process, and make the same changes.
func TestPythonFrontend(t *testing.T) {
	python := peer.Python(t)
	clients, methods, program := clientFiles(t)
	testClient(t, methods, func() *exec.Cmd {
		cmd := exec.Command(python, "-c", pythonFrontend)
		cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(clients, "python"), "PYTHONDONTWRITEBYTECODE=1", "PAKBOX="+program)
		return cmd
	})
}

// The same for the package for JavaScript, in Node.
func TestScriptFrontend(t *testing.T) {
	node := peer.Program(t, "node", "nodejs")
	clients, methods, program := clientFiles(t)
	script := filepath.Join(t.TempDir(), "frontend.mjs")
	text := strings.ReplaceAll(scriptFrontend, "PACKAGE", filepath.ToSlash(filepath.Join(clients, "npm", "node.js")))
	if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	testClient(t, methods, func() *exec.Cmd {
		cmd := exec.Command(node, script)
		cmd.Env = append(os.Environ(), "PAKBOX="+program)
		return cmd
	})
}

// clientNames are the names of a question in the packages.
type clientNames struct{ function, class, method string }

// clientFiles returns the folder of the packages, the names of each question in them, and
// the path of a program that is pakbox.
func clientFiles(t *testing.T) (clients string, names map[string]clientNames, program string) {
	t.Helper()
	clients, err := filepath.Abs("../../clients")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/names.md")
	if err != nil {
		t.Fatal(err)
	}
	names = map[string]clientNames{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(line, "| \n"), "|")
		if len(cells) == 5 && strings.HasPrefix(cells[2], " questions.") {
			class, method, _ := strings.Cut(strings.TrimSpace(cells[3]), ".")
			names[strings.TrimSpace(cells[0])] = clientNames{strings.TrimPrefix(strings.TrimSpace(cells[2]), "questions."), class, method}
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(t.TempDir(), "pakbox") // the test binary acts as pakbox under this name
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	return clients, names, program
}

// testClient runs the suite through a program that answers lines of JSON.
func testClient(t *testing.T, names map[string]clientNames, command func() *exec.Cmd) {
	t.Helper()
	methods := 0
	frontendtest.Run(t, frontendtest.Frontend{Open: func(t *testing.T) func(*testing.T, *frontendtest.Request) *frontendtest.Answer {
		cmd := command()
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			in.Close()
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
		lines := bufio.NewReader(out)
		return func(t *testing.T, r *frontendtest.Request) *frontendtest.Answer {
			answer := askClient(t, in, lines, r, names[r.Question.Name])
			if answer.Method != nil {
				methods++
			}
			return answer
		}
	}})
	// Most questions have a method; without their results, the suite would compare nothing.
	if methods < len(names)/2 {
		t.Errorf("%d methods returned something, want at least %d of %d", methods, len(names)/2, len(names))
	}
}

// askClient sends one request to the program.
func askClient(t *testing.T, in io.Writer, lines *bufio.Reader, r *frontendtest.Request, names clientNames) *frontendtest.Answer {
	t.Helper()
	uploads := map[string]bool{}
	for name, value := range r.Params {
		switch value.(type) {
		case frontendtest.Content, []frontendtest.Content:
			uploads[name] = true // the program reads the files at these paths
		}
	}
	request, err := json.Marshal(map[string]any{
		"function": names.function, "class": names.class, "method": names.method,
		"path": r.Path, "no_file": r.Question.NoFile, "change": r.Question.Change, "params": r.Params, "uploads": uploads,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(append(request, '\n')); err != nil {
		t.Fatal(err)
	}
	line, err := lines.ReadBytes('\n')
	if err != nil {
		t.Fatalf("%s: no answer: %v", r.Question.Name, err)
	}
	var got struct {
		Kind, Message  string
		File           []byte
		Answer, Method json.RawMessage
	}
	if err := json.Unmarshal(line, &got); err != nil {
		t.Fatalf("%v: %.300s", err, line)
	}
	switch {
	case got.Kind != "":
		return &frontendtest.Answer{Kind: got.Kind, JSON: []byte(got.Message)}
	case r.Question.Change:
		return r.Changed(t, got.Answer)
	case got.File != nil:
		return &frontendtest.Answer{File: got.File, Method: got.Method}
	}
	return &frontendtest.Answer{JSON: got.Answer, Method: got.Method}
}

// What people who know Python write first works, or names the right form.
func TestPythonHabits(t *testing.T) {
	python := peer.Python(t)
	clients, _, program := clientFiles(t)
	cmd := exec.Command(python, "-c", pythonHabits)
	cmd.Dir = "../../samples/trackmania"
	cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(clients, "python"), "PYTHONDONTWRITEBYTECODE=1", "PAKBOX="+program)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

const pythonHabits = `
import pakbox, pathlib, typing

def fails(kind, act):
    try:
        act()
    except kind:
        return
    raise AssertionError("no " + kind.__name__)

m, r = pakbox.open("Sample.Map.Gbx"), pakbox.open(pathlib.Path("Sample.Replay.Gbx"))
fails(FileNotFoundError, lambda: pakbox.open("nope"))
fails(KeyError, lambda: m.values["nope"])
fails(TypeError, lambda: list(m.values))
fails(TypeError, lambda: list(pakbox.open_all("Sample.Map.Gbx")))
fails(AttributeError, lambda: setattr(m, "name", "x"))
with pakbox.open(r.files / "map.Map.Gbx") as inner:
    assert inner.name == r.map.name, inner.name
assert m.grep("Sample") == m.grep(text="Sample")
assert m.diff(r.map).keys() == m.diff(other="Sample.Replay.Gbx/map.Map.Gbx").keys()
for runs in (r, "Sample.Replay.Gbx", [r], ["Sample.Replay.Gbx"], pathlib.Path("Sample.Replay.Gbx")):
    assert r.compare(runs) == r.compare(with_=["Sample.Replay.Gbx"]), runs
assert m.edit.__doc__ and m.rename("x", dry_run=True).values
for thing in (m, r, r.ghosts[0]):
    assert len(dir(thing)) == len(set(dir(thing))), dir(thing)
assert repr(r.ghosts[0]).endswith("fffbox, 9950>"), repr(r.ghosts[0])
assert "Sample.Map.Gbx" in repr(m.values)
assert pathlib.Path(pakbox.__file__).with_name("py.typed").exists()
`

// Wrong arguments in JavaScript are errors that show the right form.
func TestScriptMistakes(t *testing.T) {
	node := peer.Program(t, "node", "nodejs")
	clients, _, program := clientFiles(t)
	script := filepath.Join(t.TempDir(), "mistakes.mjs")
	text := strings.ReplaceAll(scriptMistakes, "PACKAGE", filepath.ToSlash(filepath.Join(clients, "npm", "node.js")))
	if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, script)
	cmd.Dir = "../../samples/trackmania"
	cmd.Env = append(os.Environ(), "PAKBOX="+program)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

const scriptMistakes = `
import assert from "node:assert";
import { close, open, questions, run } from "PACKAGE";

const map = await open("Sample.Map.Gbx");
await assert.rejects(run(["info", "Sample.Map.Gbx"]), { name: "TypeError", message: /run\("info"/ });
await assert.rejects(map.diff("Sample.Map.Gbx"), { name: "TypeError", message: /\{ other:/ });
await assert.rejects(questions.map_rename("Sample.Map.Gbx", ["x"]), TypeError);
assert.equal((await map.diff({ other: "Sample.Map.Gbx" })).identical, true);
await close();
`
