// Package stray tells temporary files that somebody is still writing from those
// that a killed process left behind. Whoever makes one holds it, with a lock
// that the system takes away when the process ends, however it ends.
package stray

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// ownNames end the names of temporary files that stand beside other files. An
// archive may not bring a file of such a name.
var ownNames = regexp.MustCompile(`\.pakbox-(commit|part|(append-)?[0-9a-f]{8})$`)

// OwnName reports whether a file name is one that pakbox gives its temporary
// files.
func OwnName(name string) bool {
	return strings.Contains(name, ".pakbox-") && ownNames.MatchString(name)
}

// Hold marks a file or folder as being in use until release is called. ok is
// false if it was taken for a stray one and removed before it was held; where
// the system has no such locks, nothing is ever taken for one.
func Hold(path string) (release func(), ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return func() {}, !os.IsNotExist(err)
	}
	if !lock(f) {
		f.Close()
		return func() {}, true
	}
	held, err := f.Stat()
	there, err2 := os.Lstat(path)
	if err == nil && (err2 != nil || !os.SameFile(held, there)) {
		f.Close()
		return func() {}, false
	}
	return func() { f.Close() }, true
}

// Abandoned reports whether nobody holds the file or folder at path. If so the
// caller does until release is called.
func Abandoned(path string) (release func(), ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	if !canLock || !lock(f) {
		f.Close()
		return nil, false
	}
	return func() { f.Close() }, true
}

// prefix begins the names of what lies in the system's folder for temporary
// files.
const prefix = "pakbox-tmp-"

// sweepTemp removes what killed processes left there, once.
var sweepTemp = sync.OnceFunc(func() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, path := range left {
		if release, ok := Abandoned(path); ok {
			os.RemoveAll(path)
			release()
		}
	}
})

// MkdirTemp makes a temporary folder that is held until release is called.
func MkdirTemp() (dir string, release func(), err error) {
	sweepTemp()
	for {
		dir, err = os.MkdirTemp("", prefix)
		if err != nil {
			return "", nil, err
		}
		if release, ok := Hold(dir); ok {
			return dir, release, nil
		}
	}
}

// CreateTemp makes a temporary file that is held until release is called.
func CreateTemp() (f *os.File, release func(), err error) {
	sweepTemp()
	for {
		f, err = os.CreateTemp("", prefix)
		if err != nil {
			return nil, nil, err
		}
		if release, ok := Hold(f.Name()); ok {
			return f, release, nil
		}
		f.Close()
	}
}
