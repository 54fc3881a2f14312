package folder_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"pakbox/archive"
)

// A file that cannot be linked, because it goes to another disk, is copied.
func TestEditToAnotherDisk(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write(t, dir, map[string]string{"a": "1", "sub/b": "2", "gone": "3"})
	if memory, err := os.MkdirTemp("/dev/shm", "pakbox-test-"); err == nil {
		t.Cleanup(func() { os.RemoveAll(memory) })
		other = memory
	}
	stage, err := archive.NewStage(filepath.Join(other, "f"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := openDir(t, dir).(archive.Editor).Edit(t.Context(), stage, []archive.Edit{{Remove: "gone"}}, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, filepath.Join(other, "f")); !equal(got, map[string]string{"a": "1", "sub/b": "2"}) {
		t.Errorf(`got = %v; want equal(got, map[string]string{"a": "1", "sub/b": "2"}) = true`, got)
	}
	var here, there syscall.Stat_t
	if syscall.Stat(dir, &here) == nil && syscall.Stat(other, &there) == nil && here.Dev == there.Dev {
		t.Log("both are on one disk")
	}
}
