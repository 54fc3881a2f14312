package archive

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pakbox/internal/lib/busy"
	"pakbox/internal/lib/stray"
)

// A killed process leaves files behind. The next process that writes into the same folder
// removes them: temporary files and folders that no process holds, and bytes that were
// appended to a file for a destination that was never committed.

// Patterns of package path: names of temporary files, and names of notes about appended
// files.
const (
	hexDigits   = "[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
	tempNames   = ".*.pakbox-" + hexDigits
	appendNames = ".*.pakbox-append-" + hexDigits
)

func hasName(pattern, name string) bool {
	match, _ := path.Match(pattern, name)
	return match
}

// swept has the time of the last sweep of each folder. A process that writes thousands of
// files into a folder must not sweep it for every file.
var swept sync.Map

const sweepEvery = 100 * time.Millisecond

// sweep removes the files that killed processes left in a folder.
func sweep(dir string) {
	now := time.Now()
	if last, ok := swept.Load(dir); ok && now.Sub(last.(time.Time)) < sweepEvery {
		return
	}
	swept.Store(dir, now)
	files, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, f := range files {
		if hasName(appendNames, f.Name()) {
			cutOff(filepath.Join(dir, f.Name()))
		}
		if name, ok := strings.CutSuffix(f.Name(), extendSuffix); ok {
			settleExtension(filepath.Join(dir, name))
		}
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		place, isPart := strings.CutSuffix(path, partSuffix)
		if hasName(tempNames, f.Name()) || isPart && !committed(place) {
			if release, ok := stray.Abandoned(path); ok {
				busy.RemoveAll(path)
				release()
			}
		}
	}
}

// committed reports whether place belongs to a committed set, whose files must not be
// removed.
func committed(place string) bool {
	mains, _ := filepath.Glob(filepath.Join(filepath.Dir(place), "*"+commitSuffix))
	stem := strings.TrimSuffix(place, filepath.Ext(place))
	for _, main := range mains {
		main = strings.TrimSuffix(main, commitSuffix)
		if strings.EqualFold(strings.TrimSuffix(main, filepath.Ext(main)), stem) {
			return true
		}
	}
	return false
}

// appendNote is the text of a note: the size of a file before bytes were appended, its
// name, and the temporary file that must be renamed for the bytes to count.
const appendNote = "%d bytes of %q until %q takes its place\n"

// noteAppend notes the size of a file before bytes are appended to it. main is a
// temporary file: the appended bytes count when it has been renamed.
func noteAppend(path string, size int64, main string) (note string, release func(), err error) {
	note = strings.Replace(tempName(path), ".pakbox-", ".pakbox-append-", 1)
	text := fmt.Sprintf(appendNote, size, filepath.Base(path), filepath.Base(main))
	if err := os.WriteFile(note, []byte(text), 0o666); err != nil {
		os.Remove(note) // a failed write may leave an empty file
		return "", nil, err
	}
	release, _ = stray.HoldUntil(note, func() { cutAt(note) })
	return note, release, nil
}

// cutOff removes the bytes that a killed process appended, unless they count.
func cutOff(note string) {
	release, ok := stray.Abandoned(note)
	if !ok {
		return
	}
	defer release()
	cutAt(note)
}

// cutAt is cutOff for a note that this process holds.
func cutAt(note string) {
	var size int64
	var name, main string
	text, err := os.ReadFile(note)
	if err != nil {
		return
	}
	dir := filepath.Dir(note)
	if _, err := fmt.Sscanf(string(text), appendNote, &size, &name, &main); err == nil && filepath.Base(name) == name && filepath.Base(main) == main {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if _, waiting := os.Lstat(filepath.Join(dir, main)); waiting == nil && err == nil && info.Size() > size {
			if os.Truncate(path, size) != nil {
				return // the next process may have the permission
			}
		}
	}
	os.Remove(note)
}
