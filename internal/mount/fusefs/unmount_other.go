//go:build darwin || freebsd

package fusefs

import "os/exec"

const readOnlyFlags = 0

// detach unmounts a folder though it is in use.
func detach(dir string) error { return exec.Command("umount", "-f", dir).Run() }
