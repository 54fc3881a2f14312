//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package stray

import (
	"os"
	"syscall"
)

const canLock = true

// lock takes the lock of a file if nobody has it. It goes with the file.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
