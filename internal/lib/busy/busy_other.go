//go:build !windows

package busy

import "os"

func isBusy(error) bool { return false }

// RemoveAll is os.RemoveAll.
func RemoveAll(path string) error { return os.RemoveAll(path) }
