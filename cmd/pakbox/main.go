// Pakbox opens, checks, edits and rebuilds the files in which games keep
// their data. See pakbox help.
package main

import (
	"os"

	"pakbox"
	"pakbox/cmd/internal/cli"
	"pakbox/cmd/internal/cli/kit"
)

func main() { os.Exit(run()) }

func run() int {
	calmCollector()
	ctx, on := interruptible()
	prepareConsole()
	return cli.Run(ctx, kit.Env{
		Args:       os.Args[1:],
		Stdin:      os.Stdin,
		Stdout:     os.Stdout,
		Stderr:     os.Stderr,
		Getenv:     os.Getenv,
		Formats:    pakbox.Formats(),
		OwnConsole: ownConsole(),
		Writing:    on.watch,
		Finishing:  on.finishes,
	})
}
