package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/folder"
	"pakbox/internal/cli/shell"
)

// What someone sees who double-clicks pakbox or drops a file on it, and that a
// typed command on a console of its own does not wait for anyone.
func TestClicked(t *testing.T) {
	dir := t.TempDir()
	dropped := filepath.Join(dir, "my folder.d")
	if err := os.Mkdir(dropped, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args              []string
		code              int
		wantOut, wantErr  string
		waits, ownConsole bool
	}{
		{nil, 0, "", `.\pakbox help`, true, true},
		{[]string{dropped}, 0, "my folder.d", `extract "` + dropped + `" -C "` + filepath.Join(dir, "my folder") + ` files"`, true, true},
		{[]string{"version"}, 0, "pakbox ", "", false, true},
		{[]string{filepath.Join(dir, "missing")}, 2, "", "there is no command", false, true},
		{nil, 2, "", "Usage:", false, false},
		{[]string{dropped}, 2, "", "pakbox info", false, false},
	} {
		var out, err strings.Builder
		stdin := strings.NewReader("\n")
		code := Run(context.Background(), shell.Env{Args: c.args, Stdin: stdin, Stdout: &out, Stderr: &err,
			Getenv: func(string) string { return "" }, Formats: archive.Registry{folder.Format{}}, OwnConsole: c.ownConsole})
		if code != c.code || !strings.Contains(out.String(), c.wantOut) || !strings.Contains(err.String(), c.wantErr) {
			t.Errorf("%q: exit code %d\n%s%s", c.args, code, &out, &err)
		}
		if waited := strings.Contains(err.String(), "Press Enter"); waited != c.waits || waited != (stdin.Len() == 0) {
			t.Errorf("%q: waits %v, read all %v", c.args, waited, stdin.Len() == 0)
		}
	}
}
