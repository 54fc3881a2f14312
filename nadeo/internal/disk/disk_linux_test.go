package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/internal/chunks"
)

// A device that is full, and links that lead to each other, are errors with a place.
func TestCannotSave(t *testing.T) {
	circle := filepath.Join(t.TempDir(), "circle.Gbx")
	if err := os.Symlink(circle, circle); err != nil {
		t.Fatal(err)
	}
	f := gbx.New(chunks.Node(&game.Chunk0307900D{TracksListVersion: 10}), engine.Registry())
	for path, why := range map[string]error{"/dev/full": syscall.ENOSPC, circle: nil} {
		err := Save(f, path)
		if err == nil || why != nil && !errors.Is(err, why) || !errors.As(err, new(*fault.Error)) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: err = %v (err = %T); want an error, (why = nil or err matching %v), err of the type of new(*fault.Error), err with %q", path, err, err, why, path)
		}
	}
	if list, err := os.ReadDir(filepath.Dir(circle)); err != nil || len(list) != 1 {
		t.Errorf("%v are left, %v", list, err)
	}
}
