package fusefs_test

import (
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// watchedFolder is the environment variable that turns the test program into a watchdog
// of a mount.
const watchedFolder = "PAKBOX_WATCHED_FOLDER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(watchedFolder); dir != "" {
		watchOver(dir)
		return
	}
	code := m.Run()
	letGo("")
	os.Exit(code)
}

// watch starts another process that ends a mount if this process does not. Tests use
// mounts of their own process: if a mount does not answer, or its program crashes before
// the answer, a thread of that program waits in the kernel for itself, and not even
// killing it ends that. The returned function ends the watchdog.
func watch(t *testing.T, dir string) (end func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), watchedFolder+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // a kill of the terminal's process group does not end it
	life, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		life.Close()
		cmd.Wait()
	}
}

// watchOver ends a mount when its process has ended or has not answered for
// long. Waiting threads get an error then.
func watchOver(dir string) {
	gone := make(chan struct{})
	go func() {
		io.Copy(io.Discard, os.Stdin)
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(30 * time.Second):
	}
	if err := syscall.Unmount(dir, syscall.MNT_FORCE|syscall.MNT_DETACH); err == syscall.EPERM {
		exec.Command("fusermount3", "-u", "-z", dir).Run()
	}
}

// letGo closes the files that a failed test left open below a folder: a process that ends
// with an open file of its own mount may ask itself to close it, when it no longer answers.
// The descriptors stay reserved, because other code may still close them.
func letGo(dir string) {
	none, err := os.Open(os.DevNull)
	if err != nil {
		return
	}
	defer none.Close()
	list, _ := os.ReadDir("/proc/self/fd")
	for _, e := range list {
		if to, _ := os.Readlink("/proc/self/fd/" + e.Name()); strings.HasPrefix(to, dir+"/") {
			number, _ := strconv.Atoi(e.Name())
			syscall.Dup3(int(none.Fd()), number, syscall.O_CLOEXEC)
		}
	}
}
