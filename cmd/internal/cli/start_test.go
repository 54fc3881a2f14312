package cli

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/cmd/internal/cli/kit"
)

// Someone who double-clicks pakbox or drops a file on it gets the page; a typed
// command on a console of its own does not wait for anyone.
func TestClicked(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args       []string
		ownConsole bool
		code       int
		page       bool
		wantErr    string
	}{
		{nil, true, 0, true, `.\pakbox help`},
		{[]string{dir}, true, 0, true, `.\pakbox help`},
		{[]string{"version"}, true, 0, false, ""},
		{[]string{filepath.Join(dir, "missing")}, true, 2, false, "unknown command"},
		{nil, false, 2, false, "Usage:"},
		{[]string{dir}, false, 2, false, "pakbox info"},
	} {
		var out, err strings.Builder
		var address string
		ctx, closeWindow := context.WithCancel(context.Background())
		code := Run(ctx, kit.Env{Args: c.args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err,
			Getenv: func(string) string { return "" }, Formats: archive.Registry{folder.Format{}}, OwnConsole: c.ownConsole,
			Browser: func(a string) error { address = a; closeWindow(); return nil }})
		closeWindow()
		if code != c.code || !strings.Contains(err.String(), c.wantErr) {
			t.Errorf("%q: exit code %d\n%s%s", c.args, code, &out, &err)
		}
		// The browser gets a token that only its first request can use.
		page, ticket, _ := strings.Cut(address, "?token=")
		if c.page != (address != "") || !strings.HasPrefix(out.String(), page) || c.page && (ticket == "" || strings.Contains(out.String(), ticket)) {
			t.Errorf("%q: the browser opened %q, printed was %q", c.args, address, &out)
		}
	}
}

// The window of a page that cannot be served stays until somebody has read why.
func TestClickedFails(t *testing.T) {
	var out, err strings.Builder
	stdin := strings.NewReader("\n")
	code := runClicked(context.Background(), kit.Env{Stdin: stdin, Stdout: &out, Stderr: &err,
		Getenv: func(string) string { return "" }, Formats: archive.Registry{folder.Format{}}}, []string{filepath.Join(t.TempDir(), "gone")})
	if code == 0 || !strings.Contains(err.String(), "Press Enter") || stdin.Len() != 0 {
		t.Errorf("exit code %d, %q", code, &err)
	}
}
