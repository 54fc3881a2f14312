//go:build !unix

package main

import "os/exec"

// ownUser is the user that runs changed programs. On systems without root it is the
// current user.
type ownUser struct{ home string }

func newOwnUser(work string, _ bool) (ownUser, error) { return ownUser{work}, nil }

func (ownUser) use(*exec.Cmd) {}
