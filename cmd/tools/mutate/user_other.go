//go:build !unix

package main

import (
	"os"
	"os/exec"
)

// ownUser is the user that runs changed programs. On systems without root it is the
// current user.
type ownUser struct{ home string }

func newOwnUser(work string, _ bool) (ownUser, error) { return ownUser{work}, nil }

func (ownUser) use(*exec.Cmd) {}

func (ownUser) empty(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.Mkdir(folder, 0o700)
}
