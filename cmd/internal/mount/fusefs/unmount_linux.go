package fusefs

import (
	"os/exec"
	"syscall"
)

// Unmount unmounts a folder that no program uses.
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

// detach unmounts a folder even if programs use it: it disappears for new users.
func detach(dir string) error {
	if err := syscall.Unmount(dir, syscall.MNT_DETACH); err == nil {
		return nil
	}
	return exec.Command("fusermount3", "-u", "-z", dir).Run()
}
