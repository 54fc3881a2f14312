package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// usualGrowth is the default of the Go runtime: memory in use grows by this many
	// percent before garbage is collected.
	usualGrowth = 100
	// leastPercent is the growth in percent for a run that uses much memory. Few runs do.
	// For them a few more collections are better than memory of which half is garbage.
	leastPercent = 50
	// leastGrowth is the least growth of memory between two collections. The runtime
	// would collect every few megabytes: a command that reads a few hundred small files
	// would spend a sixth of its time on garbage that the end of the process frees
	// anyway.
	leastGrowth = 24 << 20
	// smallHeap is the size at which the runtime collects for the first time, if the
	// growth is a hundred percent.
	smallHeap = 4 << 20
)

// calmCollector lets memory grow by leastGrowth before each collection of garbage. It
// does nothing if the user has set the variables of the runtime.
func calmCollector() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		growBy(usualGrowth, 100*leastGrowth/smallHeap)
	}
}

// growBy sets the growth of memory in percent. After the next collection it computes a
// new growth from the memory in use. If a command has changed the setting meanwhile, that
// setting stays.
func growBy(last, percent int) {
	if now := debug.SetGCPercent(percent); now != last {
		debug.SetGCPercent(now)
		return
	}
	sentinel := new([64]byte) // freed by the next collection, which runs the cleanup
	runtime.AddCleanup(sentinel, func(struct{}) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		growBy(percent, max(leastPercent, int(100*leastGrowth/max(live[0].Value.Uint64(), smallHeap))))
	}, struct{}{})
}
