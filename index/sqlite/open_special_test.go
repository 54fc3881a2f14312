package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pakbox/fault"
	"pakbox/index/sqlite"
)

// An empty file that cannot become an index must stay, and so must anything that is not a
// regular file.
func TestOpenRemovesNothing(t *testing.T) {
	dir := t.TempDir()
	if _, err := sqlite.Open(t.Context(), dir); !errors.Is(err, fault.Unsupported) {
		t.Errorf("Open of a folder = %v", err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
	empty := filepath.Join(dir, "empty.sqlite")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	// No journal can be written beside it, so the tables cannot be made.
	if err := os.Mkdir(empty+"-journal", 0o777); err != nil {
		t.Fatal(err)
	}
	if db, err := sqlite.Open(t.Context(), empty); err == nil {
		db.Close()
		t.Error("an index was made without a journal")
	}
	if _, err := os.Stat(empty); err != nil {
		t.Errorf("the file of the user is gone: %v", err)
	}
}
