//go:build unix

package compile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"pakbox/internal/lib/regular"
)

// A picture or a source that is a pipe or a huge file must be refused, and not waited for.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	pipe, huge := filepath.Join(dir, "pipe.png"), filepath.Join(dir, "huge.png")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(huge, nil, 0o600), os.Truncate(huge, 200<<30)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{pipe: regular.ErrNotRegular, huge: regular.ErrTooLarge} {
		if _, _, err := readPicture(path); !errors.Is(err, want) {
			t.Errorf("readPicture(%s) = %v, want %v", path, err, want)
		}
		if s := new(Compiler).File(path); len(s.Problems) != 1 {
			t.Errorf("File(%s) = %v", path, s.Problems)
		}
	}
}
