package makeobj_test

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/makeobj"
)

// run runs a command and returns its output and exit code.
func run(args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = (&makeobj.Front{Stdout: &out, Stderr: &errs}).Run(context.Background(), args)
	return out.String(), errs.String(), code
}

func TestListAndDumpPrintWhatMakeobjPrints(t *testing.T) {
	program := peer.Makeobj(t)
	files := corpus.Files(t, corpus.Pak64(t), "*.pak")
	for _, path := range corpus.Files(t, corpus.Dir(t, "simutrans"), "pak", "*.pak") {
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
