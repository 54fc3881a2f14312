//go:build unix

package liblzo2

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time of this process on all cores, including garbage
// collection. Other programs on the machine do not affect it.
func CPUTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
