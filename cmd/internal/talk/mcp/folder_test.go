package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An assistant must find the files that nobody has named: ls lists folders, one level each.
func TestListFolders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one.txt", "sub/two.txt"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("12"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	base := filepath.Base(dir)
	a := meet(t, dir, false)
	list := func(path string) string {
		r, failed := a.ask("tools/call", fmt.Sprintf(`{"name":"ls","arguments":{"path":%q}}`, path))
		return fmt.Sprint(r, failed)
	}
	for path, want := range map[string]string{
		"":                 `"name":"` + base + `/"`,
		".":                `"name":"` + base + `/"`,
		base:               `"entries":[{"name":"one.txt","size":2},{"name":"sub/","size":null}]`,
		base + "/":         `"name":"one.txt"`,
		"./" + base:        `"name":"one.txt"`,
		base + "/sub":      `"entries":[{"name":"two.txt","size":2}]`,
		base + "/nope":     "not_found",
		base + "/../..":    "not_found",
		filepath.Dir(dir):  "not_found",
		base + "/sub/../.": `"name":"one.txt"`,
	} {
		if got := list(path); !strings.Contains(strings.ReplaceAll(got, `\"`, `"`), want) || strings.Contains(got, dir) && path != filepath.Dir(dir) {
			t.Errorf("ls of %q = %s, want %s", path, got, want)
		}
	}
}
