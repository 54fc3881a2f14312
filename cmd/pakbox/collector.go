package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// firstCollection is how much memory a run takes before garbage is collected
// for the first time. By itself the runtime begins at 4 MB, and a command that
// reads a few hundred small files spends a third of its time on collecting
// what the end of the process would have thrown away.
const firstCollection = 32 << 20

// delayCollector puts the first collection off. Whoever set the runtime's own
// variables knows better.
func delayCollector() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent := debug.SetGCPercent(-1) // only the limit calls the collector
	limit := debug.SetMemoryLimit(firstCollection)
	sentinel := new([64]byte) // is gone after the first collection
	runtime.AddCleanup(sentinel, func(struct{}) {
		if now := debug.SetGCPercent(percent); now >= 0 {
			debug.SetGCPercent(now) // a command chose its own
		}
		debug.SetMemoryLimit(limit)
	}, struct{}{})
}
