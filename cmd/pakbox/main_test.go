package main

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pakbox/cmd/internal/watch"
	"pakbox/internal/lib/stray"
	"pakbox/internal/testkit/peer"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be pakbox itself, so that scripts and the
// kill tests run the real program.
func TestMain(m *testing.M) {
	os.Unsetenv("GOGC") // the Makefile sets it for tests, and the program has its own rule
	testscript.Main(m, map[string]func(){"pakbox": testedMain})
}

// shortWaits is the variable with which a test lets the program wait as long as
// TestWatch... expect, instead of half a minute.
const shortWaits = "PAKBOX_TEST_SHORT_WAITS"

// Times of the program with shortWaits.
const (
	shortPatience = 500 * time.Millisecond
	shortStill    = 3 * time.Second
)

func testedMain() {
	if os.Getenv(shortWaits) != "" {
		watch.SetTimes(shortPatience, shortStill)
	}
	main()
}

// TestScripts runs what a user would type. See testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, scripts("script"))
}

// TestPeerScripts runs scripts that call makeobj too. See testdata/peer.
func TestPeerScripts(t *testing.T) {
	params := scripts("peer")
	games := filepath.Dir(peer.Makeobj(t))
	params.Setup = func(env *testscript.Env) error {
		env.Setenv("PATH", env.Getenv("PATH")+string(filepath.ListSeparator)+games)
		return nil
	}
	testscript.Run(t, params)
}

// scripts are those in a folder of testdata, with commands to make samples.
func scripts(folder string) testscript.Params {
	return testscript.Params{
		Dir:                 filepath.Join("testdata", folder),
		RequireExplicitExec: true,
		Setup:               copyProject,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mkzip":      makeZip,
			"mktyped":    makeTyped,
			"mkpng":      makePNG,
			"mkgbx":      makeGBX,
			"mkmap":      makeMap,
			"mkrun":      makeRun,
			"mkpacklist": makePacklist,
			"code":       exitsWith,
			"cut":        cut,
			"damage":     damage,
			"nostray":    noStray,
			"user":       asUser,
			"readme":     runReadme,
			"pages":      runPages,
			"example":    takeOut,
		},
	}
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
		for _, text := range []*string{&name, &content} {
			if s, err := strconv.Unquote(*text); err == nil {
				*text = s
			}
		}
		dst, err := w.Create(name)
		ts.Check(err)
		_, err = io.WriteString(dst, content)
		ts.Check(err)
	}
	ts.Check(w.Close())
	ts.Check(f.Close())
}

// makeTyped writes what somebody types: mktyped FILE LINE... A \t in a line is
// the Tab key.
func makeTyped(ts *testscript.TestScript, neg bool, args []string) {
	text := strings.ReplaceAll(strings.Join(args[1:], "\n"), `\t`, "\t") + "\n"
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
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

// cut takes bytes off the end of a file: cut FILE BYTES.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	info, err := os.Stat(path)
	ts.Check(err)
	less, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.Truncate(path, info.Size()-less))
}

// noStray checks that no temporary file of pakbox is in the folder: nostray.
func noStray(ts *testscript.TestScript, neg bool, args []string) {
	files, err := os.ReadDir(ts.MkAbs("."))
	ts.Check(err)
	for _, f := range files {
		if stray.OwnName(f.Name()) {
			ts.Fatalf("%s was left behind", f.Name())
		}
	}
}

// starts is how often a script starts a command until it runs. Wine fails to start one of
// some thousand.
var starts = 1

// exitsWith checks the exit code of a command: code N COMMAND...
func exitsWith(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	for try := 1; try < starts && errors.As(err, new(*fs.PathError)); try++ {
		err = ts.Exec(args[1], args[2:]...)
	}
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
