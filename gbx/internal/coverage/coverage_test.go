package main

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// TestMain lets the test binary be the program itself.
func TestMain(m *testing.M) {
	if os.Getenv("PAKBOX_COVERAGE") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestCoverage runs the program, as docs/formats/gbx-unknown.md and docs/chunk-sheets.md
// show it, on the samples: everything in them is understood, and values without a name are
// counted.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, `(?m)^03043000 CGameCtnChallenge +1 +1 +1 +1 +\d+ 100.00%$`},
		{[]string{"-class", "2E002"}, `identical.*\n2E002000 CGameItemModel +1 .* 100.00%\n+$`},
		{[]string{"-unnamed", "25"}, `^[1-9]\d* of \d+ bytes of values have no name, in [1-9]\d* of \d+ chunks\n0`},
	} {
		program := exec.Command(os.Args[0], append(c.args, "../../../samples/trackmania")...)
		program.Env = append(os.Environ(), "PAKBOX_COVERAGE=1")
		out, err := program.CombinedOutput()
		if err != nil || !regexp.MustCompile(c.want).Match(out) {
			t.Errorf("%q: err = %v\nout = %s; want no error, regexp.MustCompile(c.want).Match(out) = true", c.args, err, out)
		}
	}
}
