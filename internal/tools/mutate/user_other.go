//go:build !unix

package main

import "os/exec"

// ownUser is as whom changed programs run: where there is no root, as whoever
// runs this.
type ownUser struct{ home string }

func newOwnUser(work string, _ bool) (ownUser, error) { return ownUser{work}, nil }

func (ownUser) use(*exec.Cmd) {}
