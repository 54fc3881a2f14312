package archive

import "golang.org/x/sys/unix"

// exchange swaps two folders in one step, so that there is always a folder at both paths.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if err == unix.EINVAL || err == unix.ENOSYS {
		return exchangeInSteps(a, b)
	}
	return err
}
