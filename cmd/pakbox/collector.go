package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// usualGrowth is the runtime's own setting: memory in use grows by so many
	// percent before garbage is collected.
	usualGrowth = 100
	// leastPercent is by how many percent memory may grow where much is in use:
	// few commands have so much, and for them half of it in garbage is less
	// welcome than the time that a few more collections take.
	leastPercent = 50
	// leastGrowth is how much memory a run takes between two collections at
	// least. The runtime would collect every few megabytes: a command that reads
	// a few hundred small files would spend a sixth of its time on collecting
	// what the end of the process throws away.
	leastGrowth = 24 << 20
	// smallHeap is at how much memory the runtime collects first, for a growth
	// of a hundred percent.
	smallHeap = 4 << 20
)

// calmCollector lets memory grow by leastGrowth before garbage is collected, at
// the beginning and each time. Whoever set the runtime's own variables knows
// better.
func calmCollector() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		growBy(usualGrowth, 100*leastGrowth/smallHeap)
	}
}

// growBy lets memory grow by so many percent, until the next collection tells
// how much is in use. If the setting is no longer the last one from here, a command
// has chosen its own, which stays.
func growBy(last, percent int) {
	if now := debug.SetGCPercent(percent); now != last {
		debug.SetGCPercent(now)
		return
	}
	sentinel := new([64]byte) // is gone after the next collection
	runtime.AddCleanup(sentinel, func(struct{}) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		growBy(percent, max(leastPercent, int(100*leastGrowth/max(live[0].Value.Uint64(), smallHeap))))
	}, struct{}{})
}
