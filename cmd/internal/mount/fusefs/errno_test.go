//go:build linux || darwin || freebsd

package fusefs

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"pakbox/cmd/internal/mount"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
)

// Errors map to the errno that programs expect; for example EXDEV makes mv fall back to
// copying.
func TestErrno(t *testing.T) {
	for _, c := range []struct {
		err  error
		want syscall.Errno
	}{
		{nil, 0},
		{mount.ErrOtherArchive, syscall.EXDEV},
		{mount.ErrUnsaved, syscall.EBUSY},
		{mount.ErrBeingWritten, syscall.EBUSY},
		{vfs.ErrNotEmpty, syscall.ENOTEMPTY},
		{fs.ErrPermission, syscall.EROFS},
		{fs.ErrNotExist, syscall.ENOENT},
		{fs.ErrExist, syscall.EEXIST},
		{vfs.ErrIsDir, syscall.EISDIR},
		{vfs.ErrNotDir, syscall.ENOTDIR},
		{fs.ErrInvalid, syscall.EINVAL},
		{fault.New(fault.Unsafe, "leads out"), syscall.EINVAL},
		{syscall.ENOSPC, syscall.ENOSPC},
		{fault.New(fault.NameTooLong, "too long"), syscall.ENAMETOOLONG},
		{&fs.PathError{Op: "create", Path: "x", Err: mount.ErrName}, syscall.EPERM},
		{fault.New(fault.Corrupt, "is damaged"), syscall.EIO},
		{context.Canceled, syscall.EIO},
	} {
		for _, err := range []error{c.err, &fs.PathError{Op: "open", Path: "x", Err: c.err}, errors.Join(c.err, errors.New("more"))} {
			if got := errno(err); got != c.want && (c.err != nil || err == nil) {
				t.Errorf("%v: %v, want %v", err, got, c.want)
			}
		}
	}
}
