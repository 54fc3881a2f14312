package scan

import (
	"io/fs"
	"syscall"
)

// system returns the time of the last change of content or attributes of a file, and its
// device.
func system(info fs.FileInfo) (ctimeNS, device int64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctimespec.Nano(), int64(s.Dev)
	}
	return 0, 0
}
