//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package stray

import "errors"

// take cannot be done here: nothing is ever taken for stray.
func take(string) (release func(), ok bool, err error) { return nil, false, errors.ErrUnsupported }
