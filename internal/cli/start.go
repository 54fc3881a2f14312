package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"pakbox/internal/cli/shell"
)

// On Windows a program is also started by a double-click, or by dropping files
// on its icon. Then nobody has typed a command: pakbox opens its page in the
// browser with those files, and the window stays as long as the page is served.

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

// runClicked serves the page to someone who clicked. If that fails, the window
// stays until the reason was read.
func runClicked(ctx context.Context, env shell.Env, files []string) int {
	fmt.Fprint(env.Stderr, clickedText)
	inner := env
	inner.Args, inner.OwnConsole = append([]string{"serve"}, files...), false
	code := Run(ctx, inner)
	if code == shell.ExitOK {
		return code
	}
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

const clickedText = `pakbox shows its page in your browser, for as long as this window is open.

For its commands use a terminal: open its folder in the Explorer, type
"powershell" where the folder's path stands, press Enter, and type

  .\pakbox help

`
