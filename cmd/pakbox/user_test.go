//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// asUser is "code" for a user without permissions, also where root runs the
// tests: user N pakbox ARGUMENT... Its output is in the files user.stdout
// and user.stderr.
func asUser(ts *testscript.TestScript, neg bool, args []string) {
	const nobody = 65534
	cmd := exec.Command("pakbox", args[2:]...)
	cmd.Env = []string{"HOME=/nowhere", "PATH=" + ts.Getenv("PATH")}
	if os.Geteuid() == 0 {
		// Nobody may enter root's temporary folders; of these the script owns
		// the ones between the system's and its own.
		for dir := ts.Getenv("WORK"); dir != filepath.Clean(os.TempDir()) && dir != "/"; dir = filepath.Dir(dir) {
			ts.Check(os.Chmod(dir, 0o755))
		}
		program := ts.MkAbs("pakbox")
		if _, err := os.Stat(program); err != nil {
			self, err := os.Executable()
			ts.Check(err)
			ts.Check(linkOrCopy(self, program))
		}
		cmd.Path = program
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	cmd.Dir = ts.MkAbs(".")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		ts.Check(err) // it did not start
	}
	ts.Logf("%s%s", &stdout, &stderr)
	ts.Check(os.WriteFile(ts.MkAbs("user.stdout"), stdout.Bytes(), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("user.stderr"), stderr.Bytes(), 0o666))
	if got := cmd.ProcessState.ExitCode(); strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// linkOrCopy makes a program be somewhere else too. A copy may be busy for a
// moment: a process that another script starts just then inherits the open
// file, and a program that is open for writing does not run.
func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}
