//go:build unix

package liblzo2

import (
	"syscall"
	"time"
)

// CPUTime is what this process has used of all cores, garbage collection
// included. Other programs on the machine do not disturb it.
func CPUTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
