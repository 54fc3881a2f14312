//go:build darwin || freebsd

package fusefs

import "os/exec"

// Unmount unmounts a folder that no program uses.
func Unmount(dir string) error { return exec.Command("umount", dir).Run() }

// detach unmounts a folder even if programs use it.
func detach(dir string) error { return exec.Command("umount", "-f", dir).Run() }
