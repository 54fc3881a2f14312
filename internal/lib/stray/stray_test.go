package stray

import (
	"os"
	"path/filepath"
	"testing"
)

func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	release, ok := Hold(path)
	if !ok {
		t.Fatal("could not be held")
	}
	if _, ok := Abandoned(path); ok {
		t.Error("abandoned while it is held")
	}
	release()
	unheld, ok := Abandoned(path)
	if !ok {
		t.Error("nobody holds it, but it is not abandoned")
	}
	unheld()
	if _, ok := Abandoned(filepath.Join(t.TempDir(), "none")); ok {
		t.Error("what does not exist is abandoned")
	}
	if _, ok := Hold(filepath.Join(t.TempDir(), "none")); ok {
		t.Error("what was removed can be held")
	}
}
