package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"pakbox/cmd/internal/cli/kit"
)

// On Windows people also start a program by a double-click, or by dropping files on its
// icon. Then nobody has typed a command. pakbox opens its page in the browser with those
// files, and its window stays as long as the page is served.

// clicked returns the files that were dropped on the icon, none for a double-click. ok is
// false if a command line was typed, for example in a shortcut.
func clicked(a *kit.App, args []string) (files []string, ok bool) {
	root := root(a, commands())
	for _, arg := range args {
		if kit.FindCommand(root, []string{arg}) != nil {
			return nil, false
		}
		if _, err := os.Stat(arg); err != nil {
			return nil, false
		}
		files = append(files, arg)
	}
	return files, true
}

// runClicked serves the page after a double-click. If that fails, the window stays until
// the user has read the reason.
func runClicked(ctx context.Context, env kit.Env, files []string) int {
	fmt.Fprint(env.Stderr, clickedText)
	inner := env
	inner.Args, inner.OwnConsole = append([]string{"serve"}, files...), false
	code := Run(ctx, inner)
	if code == kit.ExitOK {
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
