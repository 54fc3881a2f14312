//go:build !unix && !windows

package stray

import (
	"io/fs"
	"os"
)

// IdentityAt is not supported here, so nothing ever counts as pakbox's own.
func IdentityAt(string) (id uint64, ok bool) { return 0, false }

// Identity is not supported here.
func Identity(*os.File) (id uint64, ok bool) { return 0, false }

func ownedByUser(string) bool { return false }

func trusted(_, _ fs.FileInfo) bool { return false }
