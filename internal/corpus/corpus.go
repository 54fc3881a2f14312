// Package corpus finds the real files that tests compare with. They belong to
// their makers and are not part of the project: they are looked for at
// PAKBOX_CORPUS, or in shared/corpus beside the checkout.
package corpus

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Dir returns the folder of one corpus ("gbx", "vpk42", …), or skips the test
// with one line that says what is missing.
func Dir(tb testing.TB, name string) string {
	tb.Helper()
	root := os.Getenv("PAKBOX_CORPUS")
	if root == "" {
		_, here, _, _ := runtime.Caller(0)
		root = filepath.Join(filepath.Dir(here), "..", "..", "..", "shared", "corpus")
	}
	dir := filepath.Join(root, name)
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no %s corpus (set PAKBOX_CORPUS to the folder that holds %s/)", name, name)
	}
	return dir
}
