//go:build !linux && !darwin && !freebsd

// Package fusefs mounts a tree of files through FUSE. This system has no FUSE, so all
// functions fail.
package fusefs

import (
	"context"

	"pakbox/cmd/internal/mount"
	"pakbox/fault"
)

// Server is a mounted tree.
type Server struct{}

// Options say how to mount.
type Options struct {
	AllowOther bool
	Commit     func(ctx context.Context) (string, error)
}

var errNone = fault.WithHint(fault.New(fault.Unsupported, "this system cannot mount archives"),
	"'pakbox serve --webdav' shows them as a network drive")

// Mount fails on this system.
func Mount(*mount.Tree, string, Options) (*Server, error) { return nil, errNone }

// Wait does nothing.
func (*Server) Wait() {}

// End does nothing.
func (*Server) End() error { return nil }

// Unmount fails, because nothing is mounted.
func Unmount(string) error { return errNone }

// Commit fails, because nothing is mounted.
func Commit(string) (string, error) { return "", errNone }
