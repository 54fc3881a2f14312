// Package corpus finds the real files that tests compare with. They belong to
// their makers and are not part of the project: they are looked for at
// PAKBOX_CORPUS, or in shared/corpus beside the checkout.
package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox/internal/testkit/peer"
)

// Root returns the folder that holds one folder for each corpus. It is looked
// for from the working folder upwards, and need not be there.
func Root() string {
	if root := os.Getenv("PAKBOX_CORPUS"); root != "" {
		return root
	}
	root := filepath.Join("shared", "corpus")
	if here, err := os.Getwd(); err == nil {
		for dir := here; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if there := filepath.Join(filepath.Dir(dir), root); exists(there) {
				return there
			}
		}
	}
	return root
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Dir returns the folder of one corpus ("gbx", "vpk42", …), or ends the test
// with one line that says what is missing.
//
// A checkout that has no corpus beside it skips such tests even with
// PAKBOX_REQUIRE, because few have these files. One that is there, or that
// PAKBOX_CORPUS names, has to be whole.
func Dir(tb testing.TB, name string) string {
	tb.Helper()
	root := Root()
	if os.Getenv("PAKBOX_CORPUS") == "" && !exists(root) {
		tb.Skip("no corpus (set PAKBOX_CORPUS to the folder that holds gbx/, vpk42/, …)")
	}
	dir := filepath.Join(root, name)
	if !exists(dir) {
		peer.Missing(tb, "no %s corpus in %s", name, root)
	}
	return dir
}

// Pak64 returns the folder of Debian's package simutrans-pak64, or ends the
// test.
func Pak64(tb testing.TB) string {
	tb.Helper()
	const dir = "/usr/share/games/simutrans/pak"
	if !exists(dir) {
		peer.Missing(tb, "no folder %s (Debian: simutrans-pak64)", dir)
	}
	return dir
}

// Files returns the files that a path with wildcards matches. There must be
// some: a test that is about none would pass whatever is wrong.
func Files(tb testing.TB, path ...string) []string {
	tb.Helper()
	pattern := filepath.Join(path...)
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		tb.Fatalf("no files %s (%v)", pattern, err)
	}
	return files
}
