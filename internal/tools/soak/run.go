//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// task is one process to be run and watched.
type task struct {
	args     []string
	dir      string
	env      []string
	root     string        // the folder that is its whole world; empty for none
	uid      uint32        // 0 for our own
	stdout   *os.File      // nil to throw it away
	fileSize uint64        // no file may grow beyond it; 0 for no limit
	killAt   time.Duration // end it without warning; 0 for never
	limit    time.Duration // how much processor time it may take
	memory   int64         // how much memory it may hold; 0 for any
	// during uses a process that lasts, which is interrupted afterwards, and
	// says what is wrong with it. nil for one that ends by itself.
	during func(ctx context.Context, s session) string
}

// outcome is how it ended.
type outcome struct {
	code   int // -1 if a signal ended it
	killed bool
	hung   bool
	took   time.Duration // of processor time
	peak   int64         // resident memory
	stderr string
	wrong  string // what task.during said
}

// runaway stops a process that takes so much memory that the machine would
// suffer. It counts address space, of which Go reserves much more than it
// uses, and is not the bound that is tested.
const runaway = 8 << 30

// patience is how many times its processor time a process may take by the clock:
// others work on the machine too, and one that waits for ever takes none.
const patience = 10

func (t task) run(ctx context.Context, pakbox string) (outcome, error) {
	if t.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, patience*t.limit)
		defer cancel()
	}
	if t.root != "" {
		pakbox = "/pakbox"
	}
	cmd := exec.CommandContext(ctx, pakbox, t.args...)
	cmd.Dir = t.dir
	cmd.Env = append([]string{"HOME=/nowhere"}, t.env...)
	if t.memory > 0 {
		// What the program holds is bounded, not what its garbage collector has
		// not come round to yet.
		cmd.Env = append(cmd.Env, fmt.Sprintf("GOMEMLIMIT=%d", t.memory))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: t.root, Pdeathsig: syscall.SIGKILL}
	if t.uid != 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: t.uid, Gid: t.uid}
	}
	if t.stdout != nil {
		cmd.Stdout = t.stdout
	}
	stderr := &head{most: 64 << 10}
	cmd.Stderr = stderr

	var printed io.Reader
	if t.during != nil {
		var err error
		if printed, err = cmd.StdoutPipe(); err != nil {
			return outcome{}, err
		}
	}
	if err := cmd.Start(); err != nil {
		return outcome{}, err
	}
	limit := func(resource int, n uint64) {
		// A process that has ended already needs no limit.
		unix.Prlimit(cmd.Process.Pid, resource, &unix.Rlimit{Cur: n, Max: n}, nil)
	}
	limit(unix.RLIMIT_AS, runaway)
	if t.fileSize > 0 {
		limit(unix.RLIMIT_FSIZE, t.fileSize)
	}
	if t.killAt > 0 {
		end := time.AfterFunc(t.killAt, func() { cmd.Process.Kill() })
		defer end.Stop()
	}
	wrong := ""
	if t.during != nil {
		s := session{listen(printed), patience * t.limit}
		wrong = t.during(ctx, s)
		cmd.Process.Signal(os.Interrupt)
		for range s.lines { // all is read before Wait closes it
		}
	}
	cmd.Wait()
	o := outcome{code: cmd.ProcessState.ExitCode(), took: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), stderr: stderr.String(), wrong: wrong}
	o.hung = ctx.Err() == context.DeadlineExceeded || t.limit > 0 && o.took > t.limit
	o.killed = o.code == -1 && t.killAt > 0 && !o.hung
	o.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	return o, nil
}

// crash matches what a Go program prints when it dies of a fault of its own.
var crash = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: |goroutine \d+ |unexpected fault address|SIG[A-Z]+: )`)

// problem says what is wrong with an outcome in itself; empty if nothing is.
func (o outcome) problem() string {
	switch {
	case crash.MatchString(o.stderr):
		return "panic"
	case o.hung:
		return "hang"
	case o.wrong != "":
		return o.wrong
	case o.killed:
		return ""
	case o.code < 0 || o.code > 3:
		return fmt.Sprintf("exit code %d", o.code)
	case o.code > 1 && o.stderr == "":
		// 1 without a message is an answer: verify and diff print theirs.
		return fmt.Sprintf("exit code %d without a message", o.code)
	}
	return ""
}

// head keeps the beginning of what is written to it.
type head struct {
	bytes.Buffer
	most int
}

func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), max(0, h.most-h.Len()))])
	return len(p), nil
}

// canChroot reports whether processes can be locked into a folder.
func canChroot() bool { return os.Geteuid() == 0 }

// files lists everything below dir by its path in it, folders with a slash.
func files(dir string) (map[string]os.FileInfo, error) {
	all := map[string]os.FileInfo{}
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		if name := strings.TrimPrefix(path, dir+"/"); path != dir {
			if info.IsDir() {
				name += "/"
			}
			all[name] = info
		}
		return nil
	})
	return all, err
}
