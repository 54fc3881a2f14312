package main

import (
	"archive/zip"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be pakbox itself, so that scripts and the
// kill tests run the real program.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"pakbox": main})
}

// TestScripts runs what a user would type. See testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mkzip":      makeZip,
			"mkpng":      makePNG,
			"mkgbx":      makeGBX,
			"mkmap":      makeMap,
			"mkrun":      makeRun,
			"mkpacklist": makePacklist,
			"code":       exitsWith,
			"damage":     damage,
			"user":       asUser,
		},
	})
}

// makeZip writes a zip with any names one likes, good or bad:
//
//	mkzip FILE NAME=CONTENT...
//
// Names and contents are unquoted as in Go where they begin with a quote.
func makeZip(ts *testscript.TestScript, neg bool, args []string) {
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	w := zip.NewWriter(f)
	for _, arg := range args[1:] {
		name, content, _ := strings.Cut(arg, "=")
		if s, err := strconv.Unquote(name); err == nil {
			name = s
		}
		dst, err := w.Create(name)
		ts.Check(err)
		_, err = io.WriteString(dst, content)
		ts.Check(err)
	}
	ts.Check(w.Close())
	ts.Check(f.Close())
}

// damage flips all bits of one byte: damage FILE OFFSET, from the end if
// negative.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	at, err := strconv.Atoi(args[1])
	ts.Check(err)
	if at < 0 {
		at += len(data)
	}
	data[at] ^= 0xff
	ts.Check(os.WriteFile(path, data, 0o666))
}

// exitsWith checks the exit code of a command: code N COMMAND...
func exitsWith(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := err.(interface{ ExitCode() int }); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// TestFullOutput: a command whose answer cannot be printed has not answered,
// also if the answer is a difference.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer full.Close()
	for _, args := range [][]string{{"ls", "../../samples/hello.vpk"}, {"diff", "../../samples/hello.vpk", "testdata"}, {"help"}} {
		cmd := exec.Command("pakbox", args...)
		cmd.Stdout = full
		if cmd.Run(); cmd.ProcessState.ExitCode() != 3 {
			t.Errorf("%s: exit code %d, want 3", args[0], cmd.ProcessState.ExitCode())
		}
	}
}
