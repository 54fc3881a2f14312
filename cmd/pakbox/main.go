// Pakbox opens, checks, edits and rebuilds the files in which games keep
// their data. See pakbox help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"pakbox"
	"pakbox/internal/cli"
)

func main() { os.Exit(run()) }

func run() int {
	delayCollector()
	// The first signal asks the work to stop and clean up; the second one
	// finds no handler any more and ends the process. One that comes when all
	// is done changes nothing: the handler stays to the end.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	prepareConsole()
	return cli.Run(ctx, cli.Env{
		Args:       os.Args[1:],
		Stdin:      os.Stdin,
		Stdout:     os.Stdout,
		Stderr:     os.Stderr,
		Getenv:     os.Getenv,
		Formats:    pakbox.Formats(),
		OwnConsole: ownConsole(),
	})
}
