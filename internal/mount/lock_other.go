//go:build !unix || solaris || illumos || aix

package mount

import "os"

// lock does nothing on systems without Unix file locks.
func lock(*os.File) error { return nil }
