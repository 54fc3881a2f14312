package archive

import (
	"io/fs"
	"os"
	"syscall"
)

// hasLinks reports whether a file has more than one name.
func hasLinks(f *os.File, _ fs.FileInfo) bool {
	var info syscall.ByHandleFileInformation
	return syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &info) != nil || info.NumberOfLinks > 1
}
