// Package stray distinguishes temporary files in use from those that a killed process
// left behind, and pakbox's own files from those that only have such names. The process that makes a temporary file locks it. The system releases the
// lock when the process ends, for whatever reason.
package stray

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pakbox/internal/lib/busy"
)

// ownMark is part of the names of temporary files beside other files. An archive may not
// contain a file with such a name.
const ownMark = ".pakbox-"

// OwnName reports whether a file name is one that pakbox gives its temporary
// files.
func OwnName(name string) bool {
	at := strings.LastIndex(name, ownMark)
	if at < 0 {
		return false
	}
	ending := name[at+len(ownMark):]
	digits := strings.TrimPrefix(ending, "append-")
	return ending == "commit" || ending == "append" || ending == "part" || ending == "held" || ending == "changes" || len(digits) == 8 && strings.Trim(digits, "0123456789abcdef") == ""
}

// Hold marks a file or folder as in use until release is called. ok is false if another
// process considered it stray and has removed it or will. A system without locks never
// considers anything stray.
func Hold(path string) (release func(), ok bool) {
	return HoldUntil(path, func() { busy.RemoveAll(path) })
}

// HoldUntil is [Hold] for a file that [Clean] removes by calling clean.
func HoldUntil(path string, clean func()) (release func(), ok bool) {
	unlock, ok, err := take(path)
	if !ok {
		unlock, ok = func() {}, err != nil && !errors.Is(err, fs.ErrNotExist)
	}
	if !ok {
		return unlock, false
	}
	held.Lock()
	defer held.Unlock()
	held.last++
	key := held.last
	held.clean[key] = clean
	return func() {
		held.Lock()
		defer held.Unlock()
		delete(held.clean, key)
		unlock()
	}, true
}

// held lists what this process holds.
var held = struct {
	sync.Mutex
	last  int
	clean map[int]func()
}{clean: map[int]func(){}}

// placing is read-locked while temporary files are moved to their final names.
var placing sync.RWMutex

// Placing calls place, which moves temporary files to their final names. [Clean] waits
// for it.
func Placing(place func() error) error {
	placing.RLock()
	defer placing.RUnlock()
	return place()
}

// Clean removes everything that this process holds. The process must end now: nothing is
// protected any more, and no file is moved to its final name.
func Clean() {
	placing.Lock()
	held.Lock()
	for _, clean := range held.clean {
		clean()
	}
}

// Abandoned reports whether nobody holds the file or folder at path. If so, the
// caller holds it until release is called.
func Abandoned(path string) (release func(), ok bool) {
	release, ok, _ = take(path)
	return release, ok
}

// prefix is the beginning of the names of pakbox's files in the system's temporary
// folder.
const prefix = "pakbox-tmp-"

var sweepTemp = sync.OnceFunc(sweep)

// sweep removes files that killed processes left there.
func sweep() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, path := range left {
		Remove(path)
	}
}

// MkdirTemp makes a temporary folder that is held until release is called.
func MkdirTemp() (dir string, release func(), err error) {
	sweepTemp()
	return Mkdir(filepath.Join(os.TempDir(), prefix), 0o700)
}

// CreateTemp makes a temporary file that is held until release is called.
func CreateTemp() (f *os.File, release func(), err error) {
	sweepTemp()
	return Create(filepath.Join(os.TempDir(), prefix), 0o600)
}

// Lock locks a file that this process is going to change, until release is called. If
// another program has the lock, Lock waits for it, and then returns [ErrHeld]. A file that
// cannot be locked, because of the file system or because it is missing, is not locked.
func Lock(path string, wait time.Duration) (release func(), err error) {
	const pause = 5 * time.Millisecond
	for end := time.Now().Add(wait); ; time.Sleep(pause) {
		release, ok, err := lock(path)
		switch {
		case ok:
			return release, nil
		case errors.Is(err, fs.ErrNotExist): // the file is missing, or another file has taken its place
			if _, gone := os.Lstat(path); gone != nil {
				return func() {}, nil
			}
		case err != nil:
			return func() {}, nil
		}
		if !time.Now().Before(end) {
			return nil, &fs.PathError{Op: "change", Path: path, Err: ErrHeld}
		}
	}
}
