package watch

import (
	"errors"

	"golang.org/x/sys/windows"
)

// beingWritten reports whether a program has a file open for writing, or does not let
// others read it. In that case the system refuses to open it for a reader that allows no
// writers.
func beingWritten(name string) bool {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return false
	}
	h, err := windows.CreateFile(path, windows.GENERIC_READ, windows.FILE_SHARE_READ|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return errors.Is(err, windows.ERROR_SHARING_VIOLATION)
	}
	windows.CloseHandle(h)
	return false
}
