package archivetest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// errFull is the error of a full disk.
var errFull error = syscall.ENOSPC

// fillDisk makes every further write to the open temporary files in a folder fail: it
// replaces their descriptors by /dev/full. It returns how many files there were.
func fillDisk(dir string) (n int, err error) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer full.Close()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0, err
	}
	for _, entry := range open {
		path, _ := os.Readlink(filepath.Join("/proc/self/fd", entry.Name()))
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || filepath.Dir(path) != dir || !strings.Contains(path, ".pakbox-") {
			continue
		}
		if err := syscall.Dup3(int(full.Fd()), fd, syscall.O_CLOEXEC); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
