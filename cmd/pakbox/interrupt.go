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

	"pakbox/cmd/internal/cli/kit"
	"pakbox/internal/lib/stray"
)

// patience is how long a command that changes nothing runs before signals are handled.
// Until then a signal ends the process at once. A handler needs a thread, and starting it
// takes a tenth of the time in which a small file is shown.
const patience = 20 * time.Millisecond

// interrupt controls how signals end a run.
type interrupt struct {
	// watch starts handling signals: the first signal cancels the work.
	watch func()
	// finishes marks that the work is saving changes, so that it gets all the time it
	// needs.
	finishes func()
}

// toTell after a signal, a run that still works prints a message. toStop after that, it
// is ended. A second signal ends every run at once.
const (
	toTell = 100 * time.Millisecond
	toStop = 800 * time.Millisecond
)

// interruptible returns a context that a signal cancels. A signal after the end of the
// work changes nothing.
func interruptible() (context.Context, interrupt) {
	ctx, cancel := context.WithCancel(context.Background())
	var finishes atomic.Bool
	watch := sync.OnceFunc(func() {
		signals := make(chan os.Signal, 2)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
			signal.Notify(signals, syscall.SIGHUP) // the terminal was closed
		}
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
	os.Exit(kit.ExitIO)
}
