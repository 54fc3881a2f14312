package fault

import (
	"errors"
	"io/fs"
	"os"
)

// System turns an error of the operating system into a fault. errors.Is and errors.As
// still find the original error. Other errors are returned unchanged.
func System(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil || KindOf(err) != "":
		return err
	case errors.As(err, &path):
		return system(err, path.Path, path.Err)
	case errors.As(err, &link):
		return system(err, link.New, link.Err)
	}
	return err
}

func system(err error, path string, why error) error {
	e := &Error{Kind: Access, Path: path, Offset: NoOffset, Err: cause{err, why.Error()}}
	switch {
	case errors.Is(why, fs.ErrNotExist):
		e.Kind, e.Err = NotFound, cause{err, "no such file or folder"}
	case errors.Is(why, fs.ErrExist):
		e.Kind, e.Err = Exists, cause{err, "exists already"}
	case errors.Is(why, fs.ErrPermission):
		e.Kind = Permission
	}
	return e
}

// cause is an error whose text leaves out the system call and the path.
type cause struct {
	error
	words string
}

func (c cause) Error() string { return c.words }
func (c cause) Unwrap() error { return c.error }
