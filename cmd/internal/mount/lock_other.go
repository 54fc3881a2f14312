//go:build !unix || solaris || illumos || aix

package mount

import (
	"io/fs"
	"os"
)

// lock does nothing on systems without Unix file locks.
func lock(*os.File) error { return nil }

// isPrivate is not known on these systems.
func isPrivate(fs.FileInfo) bool { return true }

func hasOtherNames(fs.FileInfo) bool { return false }
