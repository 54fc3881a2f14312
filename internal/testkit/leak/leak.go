// Package leak tells tests whether something is left when all should be done.
package leak

import (
	"os"
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
