//go:build unix

package regular

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Pipes, devices, folders and files that are too large must be errors, and must not block.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	pipe, link, large := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "large")
	small, toSmall := filepath.Join(dir, "small"), filepath.Join(dir, "to small")
	err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink("/dev/zero", link), os.WriteFile(large, nil, 0o600), os.Truncate(large, 200<<30),
		os.WriteFile(small, []byte("text"), 0o600), os.Symlink(small, toSmall))
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for path, want := range map[string]error{pipe: ErrNotRegular, link: ErrNotRegular, dir: ErrNotRegular, large: ErrTooLarge, filepath.Join(dir, "none"): os.ErrNotExist} {
		if _, err := Read(path, 100); !errors.Is(err, want) {
			t.Errorf("Read(%s) = %v, want %v", path, err, want)
		}
		if path == dir || path == link {
			continue
		}
		if _, err := ReadIn(root, filepath.Base(path), 100); !errors.Is(err, want) {
			t.Errorf("ReadIn(%s) = %v, want %v", path, err, want)
		}
		if f, err := FS(root, 100).Open(filepath.Base(path)); !errors.Is(err, want) {
			t.Errorf("FS.Open(%s) = %v, %v, want %v", path, f, err, want)
		}
	}
	if _, err := ReadIn(root, "link", 100); err == nil {
		t.Error("ReadIn followed a link out of its root")
	}
	if got, err := Read(toSmall, 4); string(got) != "text" || err != nil {
		t.Errorf("Read through a link = %q, %v", got, err)
	}
	if _, err := OpenNoFollow(toSmall, os.O_RDWR); !errors.Is(err, ErrNotRegular) {
		t.Errorf("OpenNoFollow of a link = %v", err)
	}
}
