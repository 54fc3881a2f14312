package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/stray"
)

// patience is how long a command that only looks runs before its work is asked
// to stop by a signal. Until then the signal ends the process, as it would
// without a handler: to have one takes a thread, and that a tenth of the time
// in which a small file is shown.
const patience = 20 * time.Millisecond

// interrupt is how signals end a run.
type interrupt struct {
	// watch makes signals stop the work from now on.
	watch func()
	// finishes gives the work all the time it needs to end, because it saves changes.
	finishes func()
}

// After a signal a slow run says so, and a run that does not stop is ended. The
// second signal ends every run.
const (
	toTell = 100 * time.Millisecond
	toStop = 800 * time.Millisecond
)

// interruptible returns a context that a signal ends. A signal that comes when
// all is done changes nothing.
func interruptible() (context.Context, interrupt) {
	ctx, cancel := context.WithCancel(context.Background())
	var finishes atomic.Bool
	watch := sync.OnceFunc(func() {
		signals := make(chan os.Signal, 2)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		go func() {
			<-signals
			cancel()
			select {
			case <-signals:
				end()
			case <-time.After(toTell):
			}
			fmt.Fprintln(os.Stderr, "pakbox: stopping")
			var stop <-chan time.Time
			if !finishes.Load() {
				stop = time.After(toStop)
			}
			select {
			case <-signals:
			case <-stop:
			}
			end()
		}()
	})
	time.AfterFunc(patience, watch)
	return ctx, interrupt{watch, func() { finishes.Store(true) }}
}

// end ends the process, and leaves no temporary file behind.
func end() {
	stray.Clean()
	fmt.Fprintln(os.Stderr, "pakbox: interrupted")
	os.Exit(shell.ExitIO)
}
