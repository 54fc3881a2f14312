// Package leak tells tests whether something is left when all should be done, and
// how much was taken meanwhile.
package leak

import (
	"os"
	"runtime"
	"testing"
	"time"
)

// OpenFiles counts what the process has open, where the system tells: 0
// elsewhere.
func OpenFiles() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

// Settled waits until a count is at most what it was, and fails the test if it
// never is.
func Settled(tb testing.TB, what string, most int, count func() int) {
	tb.Helper()
	for range 300 {
		if count() <= most {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	tb.Errorf("%d %s, %d before", count(), what, most)
}

// Allocated measures what f allocates. It is 0 where that says nothing, because
// pools forget on purpose what they keep.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if forgetful {
		return 0
	}
	return after.TotalAlloc - before.TotalAlloc
}
