package check_test

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox/simutrans/check"
	"pakbox/simutrans/compile"
)

// A sparse file takes no room on the disk, but more memory than there is. It must be a problem
// of this file.
func TestSparseFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vehicle.X.pak")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 200<<30); err != nil {
		t.Fatal(err)
	}
	set, err := check.Load(t.Context(), []string{path}, &compile.Compiler{})
	if err != nil {
		t.Fatal(err)
	}
	if found := set.Run(nil); len(found) == 0 {
		t.Error("a file of 200 GB was accepted")
	}
}
