// Package corpus finds the real files with which tests compare. They belong to their
// authors and are not part of the project. They are searched at PAKBOX_CORPUS, or in
// shared/corpus beside the checkout.
package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox/internal/testkit/peer"
	"pakbox/internal/testkit/tier"
)

// Root returns the folder with one folder for each corpus. It is searched from the
// working folder upwards, and need not exist.
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

// Dir returns the folder of one corpus ("gbx", "vpk42", …), or ends the test with one
// line that names the missing corpus.
//
// A checkout without a corpus skips such tests even with PAKBOX_REQUIRE, because few
// people have these files. A corpus that exists, or that PAKBOX_CORPUS names, must be
// complete.
func Dir(tb testing.TB, name string) string {
	tb.Helper()
	tier.All(tb, "real files")
	root := Root()
	if os.Getenv("PAKBOX_CORPUS") == "" && !exists(root) {
		tb.Skip("no corpus (set PAKBOX_CORPUS to the folder that holds gbx/, metin2/vpk42/, …)")
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
	tier.All(tb, "real files")
	const dir = "/usr/share/games/simutrans/pak"
	if !exists(dir) {
		peer.Missing(tb, "no folder %s (Debian: simutrans-pak64)", dir)
	}
	return dir
}

// Files returns the files that match a path with wildcards. It fails if none exist: a
// test without files would always pass.
func Files(tb testing.TB, path ...string) []string {
	tb.Helper()
	pattern := filepath.Join(path...)
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		tb.Fatalf("no files %s (%v)", pattern, err)
	}
	return files
}
