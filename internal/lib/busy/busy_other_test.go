//go:build !windows

package busy

import (
	"os"
	"path/filepath"
	"testing"
)

// Folders that are closed to their owner are removed too, and the files that links in
// them name are not touched. Only a plain user meets closed folders.
func TestRemoveAllClosed(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Mkdir(outside, 0o500); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "f")
	deep := filepath.Join(dir, "closed", "deep")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(deep, "x"), nil, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(deep, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{deep, filepath.Dir(deep)} {
		if err := os.Chmod(name, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := RemoveAll(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("still there: %v", err)
	}
	if info, err := os.Stat(outside); err != nil || info.Mode().Perm() != 0o500 {
		t.Errorf("info = %v, err = %v; want no error, info.Mode().Perm() = 0o500", info, err)
	}
}
