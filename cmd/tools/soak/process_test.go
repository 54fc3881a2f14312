//go:build linux

package soak

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// task is a process of pakbox or of another program, and its limits. A zero value means
// unlimited.
type task struct {
	args, env []string
	dir       string
	root      string        // the folder that is its whole world
	uid       uint32        // its user, if not ours
	stdout    *os.File      // nil to drop the output
	fileSize  uint64        // of the files that it writes
	killAt    time.Duration // end it without warning
	limit     time.Duration // of processor time
	memory    int64         // that it may hold
}

// outcome is the end of a process.
type outcome struct {
	code   int // -1 after a signal
	killed bool
	hung   bool
	took   time.Duration // of processor time
	peak   int64         // of resident memory
	stderr string
}

const (
	// runaway is the address space at which a process is stopped for the good of the
	// machine. Go reserves much more than it uses, so that this is not the bound that
	// is tested.
	runaway = 8 << 30
	// patience is the clock time that a process may take, as a multiple of its limit of
	// processor time: the machine does other work too.
	patience = 10
)

// run runs a process and waits for its end. An error is one of starting it.
func (t task) run(ctx context.Context) (outcome, error) {
	if t.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, patience*t.limit)
		defer cancel()
	}
	program := t.args[0]
	if t.root != "" {
		program = "/" + program
	}
	cmd := exec.CommandContext(ctx, program, t.args[1:]...)
	cmd.Dir, cmd.Env = t.dir, append([]string{"HOME=/nowhere"}, t.env...)
	if t.memory > 0 { // garbage that is not collected yet does not count
		cmd.Env = append(cmd.Env, fmt.Sprintf("GOMEMLIMIT=%d", t.memory))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: t.root, Pdeathsig: syscall.SIGKILL, Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // with its children
	if t.uid != 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: t.uid, Gid: t.uid}
	}
	if t.stdout != nil {
		cmd.Stdout = t.stdout
	}
	stderr := &head{}
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		return outcome{}, err
	}
	limit := func(resource int, n uint64) { // a process that has ended needs none
		unix.Prlimit(cmd.Process.Pid, resource, &unix.Rlimit{Cur: n, Max: n}, nil)
	}
	limit(unix.RLIMIT_AS, runaway)
	if t.fileSize > 0 {
		limit(unix.RLIMIT_FSIZE, t.fileSize)
	}
	if t.killAt > 0 {
		defer time.AfterFunc(t.killAt, func() { cmd.Process.Kill() }).Stop()
	}
	cmd.Wait()
	state := cmd.ProcessState
	o := outcome{code: state.ExitCode(), took: state.UserTime() + state.SystemTime(), stderr: stderr.String()}
	o.hung = ctx.Err() == context.DeadlineExceeded || t.limit > 0 && o.took > t.limit
	o.killed = o.code == -1 && t.killAt > 0 && !o.hung
	o.peak = state.SysUsage().(*syscall.Rusage).Maxrss << 10
	return o, nil
}

// crash matches the last words of a Go program that dies of a fault of its own.
var crash = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: |goroutine \d+ |unexpected fault address|SIG[A-Z]+: )`)

// problem describes a wrong end of a process, or returns "".
func (o outcome) problem() string {
	switch {
	case crash.MatchString(o.stderr):
		return "panic"
	case o.hung:
		return "hang"
	case o.killed:
		return ""
	case o.code < 0 || o.code > 3:
		return fmt.Sprintf("exit code %d", o.code)
	case o.code > 1 && o.stderr == "": // 1 without a message is the answer of verify and diff
		return fmt.Sprintf("exit code %d without a message", o.code)
	}
	return ""
}

// head keeps the first 64 KiB that are written to it.
type head struct{ bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), max(0, 64<<10-h.Len()))])
	return len(p), nil
}

// isRoot reports whether processes can be locked into a folder and disks mounted.
func isRoot() bool { return os.Geteuid() == 0 }
