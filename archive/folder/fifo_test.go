//go:build unix

package folder_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"pakbox/archive"
)

// A pipe in a folder is not an entry, and an edit keeps it as the pipe that it is.
func TestEditKeepsPipes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "f")
	write(t, dir, map[string]string{"a": "1", "b": "2"})
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := openDir(t, dir)
	if len(a.Entries()) != 2 {
		t.Errorf("a.Entries() = %v; want a.Entries() of length 2", a.Entries())
	}
	stage, err := archive.NewStage(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := a.(archive.Editor).Edit(t.Context(), stage, []archive.Edit{{Remove: "a"}}, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(filepath.Join(dir, "pipe")); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("info = %v, err = %v; want no error, info.Mode().Type() = fs.ModeNamedPipe", info, err)
	}
}
