//go:build unix && !solaris && !illumos && !aix

package mount

import (
	"os"
	"syscall"
)

// lock locks a file for this program until the file is closed.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
