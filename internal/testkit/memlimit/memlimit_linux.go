package memlimit

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const supported = true

// limit limits the private memory of this process to its present size plus so many bytes.
func limit(beyond int64) error {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(text), "VmData:")
	kilobytes, err := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		return err
	}
	most := kilobytes<<10 + uint64(beyond)
	return unix.Prlimit(0, unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: most}, nil)
}

// held returns the memory that Go has from the system.
func held() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys - m.HeapReleased)
}
