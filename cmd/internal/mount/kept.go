package mount

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"pakbox/fault"
)

// kept is a folder beside an archive with the unsaved changes: a log, and a file for each
// new content. It is complete at any moment, even if the program is killed. The archive
// itself is not touched.
type kept struct {
	dir  string
	root *os.Root // the folder, as it was when it was checked: links in it lead nowhere else

	mu      sync.Mutex
	log     *os.File
	next    int             // number of the next content
	used    bool            // there are changes, or were
	writers map[string]int  // how many programs have a content open for writing
	half    map[string]bool // contents that programs were still writing when an earlier mount ended
}

// identityLine is the kind of the log's first line.
const identityLine = "archive"

// logName is the file with the log, one change per line.
const logName = "changes"

// openMark ends the name of an empty file beside a content. It exists while a program has
// the content open for writing. If it is still there when the next mount begins, however
// the last one ended, the content is half written.
const openMark = ".open"

// change is one line of the log. The first line identifies the archive.
type change struct {
	Do      string `json:"do"` // archive, put, mkdir, remove, rename, saving
	Name    string `json:"name,omitempty"`
	To      string `json:"to,omitempty"`
	Content string `json:"content,omitempty"` // the file that holds it
	Size    int64  `json:"size,omitempty"`    // of the archive
	Time    int64  `json:"time,omitempty"`
}

// KeptAt returns the folder for the changes of an archive.
func KeptAt(file string) string {
	return filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".pakbox-changes")
}

// identity describes an archive file, to recognise later whether it has changed.
func identity(file string) (change, error) {
	info, err := os.Stat(file)
	if err != nil {
		return change{}, err
	}
	return change{Do: identityLine, Name: filepath.Base(file), Size: info.Size(), Time: info.ModTime().UnixNano()}, nil
}

// openKept opens the folder of changes, creates it on first use, and returns the
// changes in it.
func openKept(file string) (*kept, []change, error) {
	dir := KeptAt(file)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, nil, err
	}
	k, err := lockKept(file, os.O_CREATE)
	if err != nil {
		return nil, nil, err
	}
	changes, err := k.read(file)
	if err != nil {
		k.shut()
		return nil, nil, err
	}
	for _, c := range changes {
		if _, err := k.root.Lstat(c.Content + openMark); err == nil && c.Content != "" {
			k.half[c.Content] = true
		}
	}
	return k, changes, nil
}

// lockKept opens the folder of changes and locks its log. flags are further flags of
// os.OpenFile for the log.
//
// Archives and repositories can bring a folder of that name, or a link. The folder is used
// only if it is this user's and closed to all others, and only for files that are its own.
func lockKept(file string, flags int) (*kept, error) {
	dir := KeptAt(file)
	foreign := fault.InFile(fault.New(fault.Unsafe, "the folder for changes, %s, was not made by pakbox", filepath.Base(dir)), file)
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() || !isPrivate(info) {
		return nil, foreign
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	k := &kept{dir: dir, root: root, writers: map[string]int{}, half: map[string]bool{}}
	if now, err := root.Stat("."); err != nil || !os.SameFile(info, now) { // another one has taken its name
		return nil, errors.Join(foreign, root.Close())
	}
	if k.log, err = k.openOwn(logName, os.O_RDWR|os.O_APPEND|flags); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	if err := lock(k.log); err != nil {
		k.shut()
		return nil, errBusy(file)
	}
	return k, nil
}

// openOwn opens a file in the folder. Links, pipes and files with another name elsewhere
// are errors.
func (k *kept) openOwn(name string, flags int) (*os.File, error) {
	info, err := k.root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fault.InFile(fault.New(fault.Unsafe, "%s is not a regular file", name), k.dir)
	}
	f, err := k.root.OpenFile(name, flags&^os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && hasOtherNames(info) {
		err = fault.InFile(fault.New(fault.Unsafe, "%s has another hard link", name), k.dir)
	}
	if err == nil && flags&os.O_TRUNC != 0 {
		err = f.Truncate(0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// shut closes the folder and the log.
func (k *kept) shut() error { return errors.Join(k.log.Close(), k.root.Close()) }

func errBusy(file string) error {
	return fault.InFile(fault.New(fault.Unsupported, "is being changed by another mount"), file)
}

// read reads the log. An incomplete last line is ignored, because its change was not
// made.
func (k *kept) read(file string) ([]change, error) {
	now, err := identity(file)
	if err != nil {
		return nil, err
	}
	var list []change
	r := bufio.NewReader(k.log)
	at := int64(0)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		var c change
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, fault.InFile(fault.Wrap(fault.Corrupt, err, "the log of changes"), k.log.Name())
		}
		if c.Content != "" { // it must be a file in this folder
			n, err := strconv.ParseUint(c.Content, 10, 31)
			if err != nil || fmt.Sprint(n) != c.Content {
				return nil, fault.InFile(fault.New(fault.Unsafe, "the log of changes names %q", c.Content), k.log.Name())
			}
		}
		at += int64(len(line))
		list = append(list, c)
	}
	if err := k.log.Truncate(at); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, k.add(now)
	}
	k.used = len(list) > 1
	switch saving := list[len(list)-1].Do == "saving"; {
	case list[0] == now && saving:
		return list[1 : len(list)-1], nil // the save did not succeed
	case list[0] == now:
		return list[1:], nil
	case saving:
		return nil, k.restart(now) // the changes were saved
	}
	return nil, fault.WithHint(fault.InFile(fault.New(fault.Unsupported, "was changed after the unsaved changes in %s", k.dir), file),
		"'pakbox mount discard %s' drops them; they are also there as files", file)
}

// add writes a line to the log.
func (k *kept) add(c change) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.used = k.used || c.Do != identityLine
	_, err = k.log.Write(append(line, '\n'))
	return err
}

// anyUnfinished reports whether there may be an unfinished content.
func (k *kept) anyUnfinished() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.half)+len(k.writers) > 0
}

// newContent makes a file for new content, and opens it for writing.
func (k *kept) newContent() (*os.File, error) {
	for {
		k.mu.Lock()
		content := fmt.Sprint(k.next)
		k.next++
		k.mu.Unlock()
		f, err := k.openContent(content, os.O_CREATE|os.O_EXCL)
		if !errors.Is(err, fs.ErrExist) { // a killed mount may have left a file that is not in its log
			return f, err
		}
	}
}

// openContent opens a content for writing, with further flags of os.OpenFile. It marks the
// content as unfinished until end. An incomplete file that is written from its start becomes complete.
func (k *kept) openContent(content string, flags int) (*os.File, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	mark, err := k.openOwn(content+openMark, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	mark.Close()
	f, err := k.openOwn(content, flags|os.O_RDWR)
	if err != nil {
		k.unmark(content)
		return nil, err
	}
	if flags&os.O_TRUNC != 0 {
		delete(k.half, content)
	}
	k.writers[content]++
	return f, nil
}

// end records that a program has closed a content.
func (k *kept) end(content string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.writers[content]--; k.writers[content] == 0 {
		delete(k.writers, content)
	}
	k.unmark(content)
}

// unmark removes the mark of a content, unless there is a reason for it. mu must be held.
func (k *kept) unmark(content string) {
	if k.writers[content] == 0 && !k.half[content] {
		k.root.Remove(content + openMark)
	}
}

// unfinished reports whether a content may end early, because a program is writing it or
// did so when an earlier mount ended.
func (k *kept) unfinished(content string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.half[content] || k.writers[content] > 0
}

// restart drops all changes except those in lines.
func (k *kept) restart(of change, lines ...change) error {
	stay := map[string]bool{logName: true}
	for _, c := range lines {
		stay[c.Content], stay[c.Content+openMark] = true, true
	}
	names, err := k.own()
	if err != nil {
		return err
	}
	if err := k.log.Truncate(0); err != nil {
		return err
	}
	k.mu.Lock()
	for _, name := range names {
		if !stay[name] && k.writers[strings.TrimSuffix(name, openMark)] == 0 { // a new file may be arriving
			k.root.Remove(name)
		}
	}
	k.mu.Unlock()
	k.used = len(lines) > 0
	err = k.add(of)
	for _, c := range lines {
		err = errors.Join(err, k.add(c))
	}
	return err
}

// sync makes the log durable.
func (k *kept) sync() error { return k.log.Sync() }

// own lists the files in the folder that have names which pakbox gives them.
func (k *kept) own() (names []string, err error) {
	files, err := fs.ReadDir(k.root.FS(), ".")
	for _, f := range files {
		number := strings.TrimSuffix(f.Name(), openMark)
		n, err := strconv.ParseUint(number, 10, 31)
		if f.Name() == logName || err == nil && fmt.Sprint(n) == number {
			names = append(names, f.Name())
		}
	}
	return names, err
}

// remove removes the folder, unless there is something in it that pakbox did not put there.
// It must have no unsaved changes.
func (k *kept) remove() error {
	names, err := k.own()
	err = errors.Join(err, k.log.Close()) // Windows cannot remove an open file
	for _, name := range names {
		err = errors.Join(err, k.root.Remove(name))
	}
	err = errors.Join(err, k.root.Close())
	os.Remove(k.dir)
	return err
}

// close leaves the folder for the next mount, unless there was never a change.
func (k *kept) close() error {
	if !k.used {
		return k.remove()
	}
	return k.shut()
}
