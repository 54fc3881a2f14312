//go:build !linux && !darwin && !freebsd

// Package fusefs hands a tree of files to the kernel, through FUSE. This system
// has none.
package fusefs

import (
	"context"

	"pakbox/fault"
	"pakbox/internal/lib/hint"
	"pakbox/internal/mount"
)

// Server is a tree that is mounted.
type Server struct{}

// Options say how to mount.
type Options struct {
	AllowOther bool
	Commit     func(ctx context.Context) (string, error)
}

var errNone = hint.With(fault.New(fault.Unsupported, "this system cannot mount archives"),
	"'pakbox serve --webdav' shows them as a network drive")

// Mount says that this system cannot.
func Mount(*mount.Tree, string, Options) (*Server, error) { return nil, errNone }

// Wait waits for nothing.
func (*Server) Wait() {}

// End ends nothing.
func (*Server) End() error { return nil }

// Unmount says that nothing is mounted.
func Unmount(string) error { return errNone }

// Commit says that nothing is mounted.
func Commit(string) (string, error) { return "", errNone }
