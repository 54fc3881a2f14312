//go:build unix

package regular

import "syscall"

// nonBlock prevents waiting for the other end of a pipe. noFollow refuses links.
const nonBlock, noFollow = syscall.O_NONBLOCK, syscall.O_NOFOLLOW
