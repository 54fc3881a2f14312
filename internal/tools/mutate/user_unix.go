//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// nobody is the number of a user who owns nothing.
const nobody = 65534

// ownUser is the user that runs changed programs. It can do no harm.
type ownUser struct {
	home    string // the folder that the programs may write to
	nothing bool   // the user is nobody, in place of root
}

// newOwnUser makes a folder below work that the programs may write to. The user
// nobody must be able to enter work, where the programs are.
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

// use has a program run as that user.
func (u ownUser) use(cmd *exec.Cmd) {
	cmd.Env = append(cmd.Env, "TMPDIR="+u.home)
	if u.nothing {
		cmd.Env = append(cmd.Env, "HOME="+u.home)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}
