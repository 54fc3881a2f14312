//go:build !linux

package archivetest

import "errors"

var errFull = errors.New("the disk is full")

// fillDisk does nothing: only Linux has /dev/full.
func fillDisk(string) (int, error) { return 0, nil }
