//go:build !unix

package liblzo2

import "time"

var start = time.Now()

// CPUTime is the time since the start, on systems without a measure of processor time.
func CPUTime() time.Duration { return time.Since(start) }
