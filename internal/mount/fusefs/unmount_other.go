//go:build darwin || freebsd

package fusefs

import "os/exec"

// Unmount unmounts a folder that nobody uses.
func Unmount(dir string) error { return exec.Command("umount", dir).Run() }

// detach unmounts a folder though it is in use.
func detach(dir string) error { return exec.Command("umount", "-f", dir).Run() }
