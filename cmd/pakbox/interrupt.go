package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// patience is how long a command that only looks runs before its work is asked
// to stop by a signal. Until then the signal ends the process, as it would
// without a handler: to have one takes a thread, and that a tenth of the time
// in which a small file is shown.
const patience = 20 * time.Millisecond

// interruptible returns a context that a signal ends, and a function that has
// signals do so from now on, if they do not yet. The second signal finds no
// handler any more and ends the process. One that comes when all is done
// changes nothing: the handler stays to the end.
func interruptible() (ctx context.Context, watch func()) {
	ctx, cancel := context.WithCancel(context.Background())
	watch = sync.OnceFunc(func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		go func() {
			<-signals
			signal.Stop(signals)
			cancel()
		}()
	})
	time.AfterFunc(patience, watch)
	return ctx, watch
}
