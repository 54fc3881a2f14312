package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pakbox/internal/cli/shell"
)

// On Windows a program is also started by a double-click, or by dropping files
// on its icon. Then nobody has typed a command, and the window closes at the
// end: so pakbox shows what the files are, says how to go on, and waits.

// clicked is what the arguments of such a start ask for: the files that were
// dropped, none for a double-click. A command line that was typed, such as
// that of a shortcut, is not ok.
func (a *app) clicked(args []string) (files []string, ok bool) {
	root := a.root(a.commands())
	for _, arg := range args {
		if shell.FindCommand(root, []string{arg}) != nil {
			return nil, false
		}
		if _, err := os.Stat(arg); err != nil {
			return nil, false
		}
		files = append(files, arg)
	}
	return files, true
}

// runClicked runs pakbox for someone who clicked.
func runClicked(ctx context.Context, env shell.Env, files []string) int {
	code := shell.ExitOK
	if len(files) > 0 {
		inner := env
		inner.Args, inner.OwnConsole = append([]string{"info"}, files...), false
		code = Run(ctx, inner)
		fmt.Fprintln(env.Stderr)
	}
	fmt.Fprint(env.Stderr, clickedText(files))
	fmt.Fprint(env.Stderr, "Press Enter to close this window.")
	done := make(chan struct{})
	go func() {
		bufio.NewReader(env.Stdin).ReadString('\n')
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	return code
}

func clickedText(files []string) string {
	const how = `pakbox is used in a terminal: open its folder in the Explorer, type
"powershell" where the folder's path stands, and press Enter. Then type, for
example:

`
	if len(files) == 0 {
		return how + "  .\\pakbox help\n  .\\pakbox info FILE\n\nOr drop a file on pakbox to see what it is.\n\n"
	}
	file := `"` + files[0] + `"`
	target := `"` + strings.TrimSuffix(files[0], filepath.Ext(files[0])) + ` files"`
	return "To do more with it: " + how +
		fmt.Sprintf("  .\\pakbox ls %s\n  .\\pakbox verify %s\n  .\\pakbox extract %s -C %s\n\n", file, file, file, target)
}
