//go:build darwin || freebsd

package fusefs

import "os/exec"

// detach unmounts a folder though it is in use.
func detach(dir string) error { return exec.Command("umount", "-f", dir).Run() }
