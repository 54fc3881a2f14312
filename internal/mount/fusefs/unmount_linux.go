package fusefs

import (
	"os/exec"
	"syscall"
)

// Unmount unmounts a folder that nobody uses.
func Unmount(dir string) error {
	err := syscall.Unmount(dir, 0)
	if err == nil {
		return nil
	}
	if exec.Command("fusermount3", "-u", dir).Run() == nil {
		return nil
	}
	return err
}

// detach takes a folder out of the tree of files though it is in use.
func detach(dir string) error {
	if err := syscall.Unmount(dir, syscall.MNT_DETACH); err == nil {
		return nil
	}
	return exec.Command("fusermount3", "-u", "-z", dir).Run()
}
