package fusefs_test

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pakbox"
	"pakbox/internal/mount"
	"pakbox/internal/mount/fusefs"
	"pakbox/internal/source"
	"pakbox/internal/testkit/peer"

	"pakbox/internal/testkit/leak"
)

// What a mount has opened and started is gone when it ends.
func TestNothingIsLeft(t *testing.T) {
	if f, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0); err != nil {
		peer.Missing(t, "nothing can be mounted here: %v", err)
	} else {
		f.Close()
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"a.txt", "d/b.txt", "d/c.txt"} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, name)
	}
	w.Close()
	file := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	use(t, file, "true") // what is started once, for all time
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

// use mounts an archive, lets a program use it, and ends.
func use(t *testing.T, file, script string) {
	t.Helper()
	o := source.NewOpener(pakbox.Formats())
	defer o.CleanUp()
	tree, err := mount.Open(t.Context(), file, mount.Options{Opener: o, Write: true})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	dir := t.TempDir()
	s, err := fusefs.Mount(tree, dir, fusefs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", `cd "$1"; eval "$2"`, "sh", dir, script)
	if err := cmd.Run(); err != nil {
		t.Errorf("%s: %v", script, err)
	}
	if err := s.End(); err != nil {
		t.Errorf("%s: %v", script, err)
	}
	if _, err := tree.End(context.WithoutCancel(t.Context())); err != nil {
		t.Errorf("%s: %v", script, err)
	}
}

// openFiles counts what this process has open, without the pipes that package
// fuse keeps to move content through.
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
