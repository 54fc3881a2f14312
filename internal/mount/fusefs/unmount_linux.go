package fusefs

import (
	"os/exec"
	"syscall"
)

// readOnlyFlags are those of a mount that nothing is written to, and from which
// nothing is run with another's rights.
const readOnlyFlags = syscall.MS_RDONLY | syscall.MS_NOSUID | syscall.MS_NODEV

// detach takes a folder out of the tree of files though it is in use.
func detach(dir string) error {
	if err := syscall.Unmount(dir, syscall.MNT_DETACH); err == nil {
		return nil
	}
	return exec.Command("fusermount3", "-u", "-z", dir).Run()
}
