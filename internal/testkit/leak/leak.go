// Package leak helps tests to find resources that are not released, and to measure
// allocated memory.
package leak

import (
	"os"
	"runtime"
	"testing"
	"time"
)

// OpenFiles counts the open files of the process. It is 0 on systems that do not count them.
func OpenFiles() int {
	// The first pipe makes Go open two files of its own, which stay.
	if r, w, err := os.Pipe(); err == nil {
		r.Close()
		w.Close()
	}
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

// Settled waits until a count has fallen to most, and fails the test if it does not.
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

// Allocated measures how many bytes f allocates. It is 0 if the measurement is
// meaningless, because sync.Pool drops objects on purpose.
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
