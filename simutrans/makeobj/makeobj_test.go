package makeobj_test

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/corpus"
	"pakbox/simutrans/makeobj"
)

// pak64 is where Debian's package simutrans-pak64 keeps its files.
const pak64 = "/usr/share/games/simutrans/pak"

// peer returns Debian's makeobj, or skips where it is not installed.
func peer(tb testing.TB) string {
	tb.Helper()
	for _, name := range []string{"makeobj", "/usr/games/makeobj"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	tb.Skip("no makeobj (install simutrans-makeobj)")
	return ""
}

func paks(tb testing.TB, dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*.pak"))
	if len(files) == 0 {
		tb.Skipf("no .pak in %s", dir)
	}
	return files
}

// run runs a command and returns its output and exit code.
func run(args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = (&makeobj.Front{Stdout: &out, Stderr: &errs}).Run(context.Background(), args)
	return out.String(), errs.String(), code
}

func TestListAndDumpPrintWhatMakeobjPrints(t *testing.T) {
	program := peer(t)
	files := paks(t, pak64)
	for _, path := range paks(t, filepath.Join(corpus.Dir(t, "simutrans"), "pak")) {
		// Two nodes of Extended have no name in Standard's makeobj.
		if name := filepath.Base(path); !strings.Contains(name, "__pier.") && !strings.Contains(name, "DieselNarrowboat") {
			files = append(files, path)
		}
	}
	for _, command := range []string{"LIST", "DUMP"} {
		want, err := exec.Command(program, append([]string{"QUIET", command}, files...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		got, stderr, code := run(append([]string{"QUIET", command}, files...)...)
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d: %s", command, code, stderr)
		}
		wantLines, gotLines := strings.Split(string(want), "\n"), strings.Split(got, "\n")
		different := 0
		for i := range min(len(wantLines), len(gotLines)) {
			if wantLines[i] != gotLines[i] && different < 5 {
				different++
				t.Errorf("%s line %d:\n%q, makeobj prints\n%q", command, i, gotLines[i], wantLines[i])
			}
		}
		if len(wantLines) != len(gotLines) {
			t.Errorf("%s prints %d lines, makeobj %d", command, len(gotLines), len(wantLines))
		}
		t.Logf("%s: %d lines", command, len(gotLines))
	}
}
