package fault

import (
	"errors"
	"io/fs"
	"os"
	"strings"
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

// KindOfAny returns the kind of an error of a file or of the operating system. Errors of
// no known kind are of the class [Access].
func KindOfAny(err error) Kind {
	if kind := KindOf(System(err)); kind != "" {
		return kind
	}
	return kindOfCause(err)
}

// DetailOf returns the sentence of an error without its file and entry.
func DetailOf(err error) string {
	var e *Error
	if !errors.As(System(err), &e) {
		return err.Error()
	}
	if p := (*fs.PathError)(nil); errors.As(e.Err, &p) && e.Message != "" { // a sentence that names the file
		text, _, _ := strings.Cut(e.Detail(), p.Path)
		return strings.TrimSuffix(strings.TrimSuffix(text, p.Op+" "), ": ")
	}
	return e.Detail()
}

func kindOfCause(err error) Kind {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return NotFound
	case errors.Is(err, fs.ErrExist):
		return Exists
	case errors.Is(err, fs.ErrPermission):
		return Permission
	}
	return Access
}

func system(err error, path string, why error) error {
	e := &Error{Kind: kindOfCause(why), Path: path, Offset: NoOffset, Err: cause{err, why.Error()}}
	switch e.Kind {
	case NotFound:
		e.Err = cause{err, "no such file or folder"}
	case Exists:
		e.Err = cause{err, "exists already"}
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
