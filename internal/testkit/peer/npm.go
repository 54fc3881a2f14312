package peer

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// NPM returns a folder whose node_modules has these packages, each with its version, or
// ends the test. The folder stays in the user's cache for the next run.
func NPM(tb testing.TB, packages ...string) string {
	tb.Helper()
	npm := Program(tb, "npm", "npm")
	cache, err := os.UserCacheDir()
	if err != nil {
		Missing(tb, "no cache folder: %v", err)
	}
	sum := sha256.Sum256([]byte(strings.Join(packages, " ")))
	dir := filepath.Join(cache, "pakbox-peers", fmt.Sprintf("npm-%x", sum[:6]))
	done := filepath.Join(dir, "complete")
	if _, err := os.Stat(done); err == nil {
		return dir
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(npm, append([]string{"install", "--prefix", dir, "--no-audit", "--no-fund"}, packages...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		Missing(tb, "npm cannot install %v: %v\n%s", packages, err, out)
	}
	if err := os.WriteFile(done, nil, 0o666); err != nil {
		tb.Fatal(err)
	}
	return dir
}
