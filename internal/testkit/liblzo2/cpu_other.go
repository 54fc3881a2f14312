//go:build !unix

package liblzo2

import "time"

var start = time.Now()

// CPUTime is the time since the start, where nothing better is at hand.
func CPUTime() time.Duration { return time.Since(start) }
