//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package stray

import "errors"

// take is not supported here, so nothing ever counts as stray.
func take(string) (release func(), ok bool, err error) { return nil, false, errors.ErrUnsupported }

func lock(string) (release func(), ok bool, err error) { return nil, false, errors.ErrUnsupported }
