package scan

import (
	"io/fs"
	"syscall"
)

// system is the time of the last change of anything about a file, and the
// device that it is on.
func system(info fs.FileInfo) (ctimeNS, device int64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctim.Nano(), int64(s.Dev)
	}
	return 0, 0
}
