package fusefs_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"pakbox/cmd/internal/mount/fusefs"
	"pakbox/internal/testkit/leak"
)

// The end of a mount closes all its files and stops all its goroutines.
func TestNothingIsLeft(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(file, zipped(t, map[string]string{"a.txt": "a", "d/b.txt": "b", "d/c.txt": "c"}), 0o666); err != nil {
		t.Fatal(err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the garbage collector would close forgotten files
	use(t, file, "true")                             // starts goroutines that run until the end of the process
	goroutines, files := runtime.NumGoroutine(), openFiles()
	for _, script := range []string{
		"cat d/*",
		"find . -type f -exec sha256sum {} +",
		"echo new > new.txt; rm d/b.txt; mv d e; cat e/c.txt",
	} {
		use(t, file, script)
	}
	leak.Settled(t, "goroutines", goroutines, runtime.NumGoroutine)
	leak.Settled(t, "open files", len(files), func() int { return len(openFiles()) })
	if t.Failed() {
		t.Logf("open before: %v; now: %v", files, openFiles())
	}
}

// use mounts an archive, runs a script in it, and ends the mount.
func use(t *testing.T, file, script string) {
	t.Helper()
	dir, tree, s, end := mountFile(t, file, true, fusefs.Options{Commit: func(context.Context) (string, error) { return "", nil }})
	defer end()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", `cd "$1" && eval "$2"`, "sh", dir, script)
	if err := cmd.Run(); err != nil {
		t.Errorf("%s: %v", script, err)
	}
	if _, err := fusefs.Commit(dir); err != nil {
		t.Error(err)
	}
	if err := s.End(); err != nil {
		t.Errorf("%s: %v", script, err)
	}
	if _, err := tree.End(context.WithoutCancel(t.Context())); err != nil {
		t.Errorf("%s: %v", script, err)
	}
}

// openFiles counts the open files of this process, without the pipes that package
// fuse keeps to move content.
func openFiles() []string {
	list, _ := os.ReadDir("/proc/self/fd")
	var open []string
	for _, e := range list {
		to, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err == nil && !strings.HasPrefix(to, "pipe:") && to != os.DevNull {
			open = append(open, to)
		}
	}
	return open
}
