package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"pakbox/internal/testkit/peer"
	"pakbox/nadeo/nadeotest/mapsample"
)

// A clean virtual environment installs the wheel without a network, and runs the
// examples of docs/python.md. The same files make the same wheel.
func TestWheel(t *testing.T) {
	python := peer.Python(t, "venv", "numpy", "matplotlib")
	t.Chdir(filepath.Join("..", "..", ".."))
	dir := t.TempDir()
	system := runtime.GOOS + "/" + runtime.GOARCH
	program := programIn(dir, system)
	run(t, "", "go", "build", "-ldflags=-s -w", "-o", program, "./cmd/pakbox")
	wheel, err := makeWheel(dir, program, system, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	again, err := makeWheel(filepath.Join(dir, "again"), program, system, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, wheel), read(t, again)) {
		t.Error("the same files make another wheel")
	}
	venv := filepath.Join(dir, "venv")
	run(t, "", python, "-m", "venv", venv)
	installed := filepath.Join(venv, "bin", "python")
	run(t, "", installed, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)

	run(t, "", installed, "-c", "import pakbox, sys; sys.exit("+readmeExample(t, "python")+" != 9950)")

	// A fence does not belong to the output.
	page := regexp.MustCompile("(?m)^```$").ReplaceAll(read(t, "docs/python.md"), nil)
	files := exampleFiles(t)
	pure := regexp.MustCompile("(?s)```pycon\n>>> import numpy.*?\n\n").ReplaceAll(page, nil)
	if len(pure) == len(page) {
		t.Error("no example has NumPy")
	}
	const doctest = "import doctest, sys; r = doctest.testfile(sys.argv[1], module_relative=False); print(r); sys.exit(r.failed > 0 or r.attempted < 30)"
	run(t, files("pure", pure), installed, "-c", doctest, "page.md")
	// Debian's NumPy belongs to Debian's Python.
	site, err := filepath.Glob(filepath.Join(venv, "lib", "python3*", "site-packages"))
	if err != nil || len(site) != 1 {
		t.Fatalf("site = %v, err = %v; want no error, site of length 1", site, err)
	}
	t.Setenv("PYTHONPATH", site[0])
	t.Setenv("PAKBOX", filepath.Join(venv, "bin", "pakbox"))
	run(t, files("numpy", page), python, "-c", doctest, "page.md")
	notebook(t, python, dir)
}

// readmeExample is the one example of a language in the README.
func readmeExample(t *testing.T, language string) string {
	t.Helper()
	found := regexp.MustCompile("(?s)```"+language+"\n(.*?)\n```").FindAllSubmatch(read(t, "README.md"), -1)
	if len(found) != 1 {
		t.Fatalf("the README has %d examples of %s", len(found), language)
	}
	return string(found[0][1])
}

// notebook runs the code of docs/replays.ipynb on the samples: it draws a plot and
// writes a dataset.
func notebook(t *testing.T, python, dir string) {
	t.Helper()
	for _, name := range []string{"Sample.Replay.Gbx", "Sample.Ghost.Gbx"} {
		if err := write(filepath.Join(dir, "study", "replays", name), read(t, "samples/trackmania/"+name)); err != nil {
			t.Fatal(err)
		}
	}
	page := filepath.Join(dir, "study", "page.ipynb")
	if err := write(page, read(t, "docs/replays.ipynb")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MPLBACKEND", "agg")
	const cells = "import json; exec('\\n'.join(''.join(c['source']) for c in json.load(open('page.ipynb'))['cells'] if c['cell_type'] == 'code'))"
	run(t, filepath.Join(dir, "study"), python, "-c", cells)
	for name, magic := range map[string]string{"speed.png": "\x89PNG", "dataset/Sample.Replay.Gbx.parquet": "PAR1", "dataset/Sample.Ghost.Gbx.parquet": "PAR1"} {
		if !bytes.HasPrefix(read(t, filepath.Join(dir, "study", name)), []byte(magic)) {
			t.Errorf("%s is no such file", name)
		}
	}
}

// exampleFiles returns a function that makes a folder with the files that the
// pages for other languages name.
func exampleFiles(t *testing.T) func(name string, page []byte) string {
	sample, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	content := map[string][]byte{
		"A.Map.Gbx": sample, "A.Replay.Gbx": read(t, "samples/trackmania/Sample.Replay.Gbx"),
		"game.vpk": read(t, "samples/hello.vpk"), "broken.vpk": read(t, "samples/hello.vpk")[:20],
	}
	return func(name string, page []byte) string {
		dir := filepath.Join(t.TempDir(), name)
		content["page.md"] = page
		for name, data := range content {
			if err := write(filepath.Join(dir, name), data); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}
