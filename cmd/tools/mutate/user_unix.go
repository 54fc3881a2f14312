//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// nobody is the ID of a user who owns nothing.
const nobody = 65534

// ownUser is the user that runs changed programs, and that can do no harm.
type ownUser struct {
	home    string // folder to which the programs may write
	nothing bool   // run as the user nobody instead of root
}

// newOwnUser makes a folder below work to which the programs may write. The user nobody
// must be able to enter work, which has the programs.
func newOwnUser(work string, asRoot bool) (ownUser, error) {
	u := ownUser{filepath.Join(work, "home"), os.Geteuid() == 0 && !asRoot}
	if err := os.Mkdir(u.home, 0o700); err != nil || !u.nothing {
		return u, err
	}
	if err := os.Chmod(work, 0o755); err != nil {
		return u, err
	}
	return u, os.Chown(u.home, nobody, nobody)
}

// use makes a program run as that user.
func (u ownUser) use(cmd *exec.Cmd) {
	cmd.Env = append(cmd.Env, "TMPDIR="+u.home)
	if u.nothing {
		cmd.Env = append(cmd.Env, "HOME="+u.home)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

// empty makes an empty folder to which the programs may write, in place of the one that
// is there.
func (u ownUser) empty(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o700); err != nil || !u.nothing {
		return err
	}
	return os.Chown(folder, nobody, nobody)
}
