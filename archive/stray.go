package archive

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"pakbox/internal/lib/stray"
)

// A killed process leaves files behind. The next process that writes into the same folder
// removes them: temporary files and folders that no process holds, and bytes that were
// appended to a file for a destination that was never committed. It finishes sets of files
// that were committed.

// Names of temporary files and folders, and of notes about appended bytes.
var (
	tempNames   = regexp.MustCompile(`(?s)^\..*\.pakbox-[0-9a-f]{8}$`)
	appendNames = regexp.MustCompile(`(?s)^\..*\.pakbox-append-[0-9a-f]{8}$`)
)

// ownMark is part of all names that a sweep looks at.
const ownMark = ".pakbox-"

// swept has for each folder the time of its next sweep. A process that writes thousands of
// files into a folder must not read the folder for every file.
var swept sync.Map

// The pause between two sweeps of a folder is at least sweepEvery and sweepShare times what
// a sweep takes.
const (
	sweepEvery = 100 * time.Millisecond
	sweepShare = 20
)

// sweep removes the files that killed processes left in a folder.
func sweep(dir string) {
	start := time.Now()
	if next, ok := swept.Load(dir); ok && start.Before(next.(time.Time)) {
		return
	}
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	names, _ := f.Readdirnames(-1)
	f.Close()
	var temps, needed []string
	for _, name := range names {
		path := filepath.Join(dir, name)
		switch {
		case !strings.Contains(name, ownMark):
		case appendNames.MatchString(name):
			settle(path, cutAt)
		case strings.HasSuffix(name, extendSuffix):
			settle(path, cutExtension)
		case strings.HasSuffix(name, commitSuffix):
			settle(path, finishSet)
			needed = append(needed, waiting(path)...)
		case tempNames.MatchString(name):
			temps = append(temps, path)
		}
	}
	for _, path := range temps {
		if !slices.Contains(needed, path) {
			stray.Remove(path)
		}
	}
	end := time.Now()
	swept.Store(dir, end.Add(max(sweepEvery, sweepShare*end.Sub(start))))
}

// settle calls work with the path of a note that no other process holds.
func settle(path string, work func(path string)) {
	if release, ok := stray.Abandoned(path); ok {
		work(path)
		release()
	}
}

// noteAppend notes the size of a file before bytes are appended to it. main is the file
// whose replacement makes the bytes count, waiting the temporary file that replaces it.
func (s *Stage) noteAppend(data, waiting *os.File) (path string, release func(), err error) {
	var n note
	for f, to := range map[*os.File]**noted{data: &n.Data, waiting: &n.Waiting} {
		x, err := noteFile(f)
		if err != nil {
			return "", nil, err
		}
		*to = &x
	}
	if s.old != nil {
		id, _ := stray.IdentityAt(s.path)
		n.Main = &noted{Name: filepath.Base(s.path), ID: id, Size: s.old.Size(), Time: s.old.ModTime().UnixNano()}
	}
	base := strings.TrimSuffix(tempBase(data.Name()), "-") + "-append-"
	path, free, err := writeNote(base, n, s.sync)
	if err != nil {
		return "", nil, err
	}
	free() // and held again, with what is to be done if this process is interrupted
	release, ok := stray.HoldUntil(path, func() { cutAt(path) })
	if !ok {
		return "", nil, &os.PathError{Op: "write", Path: path, Err: os.ErrNotExist}
	}
	return path, release, nil
}

// cutAt removes the bytes that a killed process appended, unless they count, and the note
// about them. The caller holds the note.
func cutAt(path string) {
	n, ok := readNote(path, nil)
	if !ok || n.Data == nil || n.Waiting == nil {
		stray.RemoveHeld(path) // a note that was not written to its end
		return
	}
	dir := filepath.Dir(path)
	// The bytes do not count if the file that would make them count still waits, and the old
	// one is unchanged. If it was replaced, its references are unknown.
	waits := n.Waiting.is(filepath.Join(dir, n.Waiting.Name))
	if waits && (n.Main == nil || n.Main.unchanged(filepath.Join(dir, n.Main.Name))) {
		f, ok, err := n.Data.openNoted(dir)
		if err != nil {
			return // the next process may have the permission
		}
		if ok {
			err = cutting(f, filepath.Join(dir, n.Data.Name), func() error { return f.Truncate(n.Data.Size) })
			if f.Close(); err != nil {
				return
			}
		}
	}
	os.Remove(path)
}
