package mount

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pakbox/archive"
)

// held collects the changes that a commit leaves out.
type held struct {
	kept *kept
	list []change // log lines for the content that is held back
	half []string // names of files that are not written to their end
}

// holds reports whether new content is held back, and records it.
func (h *held) holds(v *volume, item archive.Item) bool {
	if !isOwnOfSystems(item.Name) && !h.kept.anyUnfinished() {
		return false
	}
	f, err := item.Open()
	if err != nil {
		return false // saving it will report the error
	}
	defer f.Close()
	content, ok := f.(*os.File)
	if !ok {
		return false
	}
	c := change{Do: "put", Name: v.inTree(item.Name), Content: filepath.Base(content.Name())}
	half := h.kept.unfinished(c.Content)
	if half {
		h.half = append(h.half, c.Name)
	}
	if half || isOwnOfSystems(item.Name) {
		h.list = append(h.list, c)
		return true
	}
	return false
}

// look collects what a commit would leave out of a volume, and of the archives in it.
func (h *held) look(v *volume) error {
	_, err := v.draft.EditsBut(func(item archive.Item) bool { return h.holds(v, item) })
	for _, in := range v.changed() {
		err = errors.Join(err, h.look(in))
	}
	return err
}

// isOwnOfSystems reports whether a file is one that operating systems put into every
// folder: .DS_Store and attribute files of macOS, Thumbs.db and desktop.ini of Windows.
// Such files do not belong in an archive.
func isOwnOfSystems(name string) bool {
	base := strings.ToLower(path.Base(name))
	return base == ".ds_store" || base == "thumbs.db" || base == "desktop.ini" || strings.HasPrefix(base, "._")
}

// inTree returns the path of a file in the whole tree.
func (v *volume) inTree(name string) string {
	for ; v.outer != nil; v = v.outer {
		name = path.Join(v.at, name)
	}
	return name
}

// keepOn drops the saved changes from the log, and keeps those that were held back.
func (t *Tree) keepOn(now change, held []change) error {
	var lines []change
	for _, c := range held {
		var dirs []string
		for dir := path.Dir(c.Name); dir != "."; dir = path.Dir(dir) {
			dirs = append(dirs, dir)
		}
		for i := len(dirs) - 1; i >= 0; i-- { // a new folder may contain only held-back files
			if err := t.mkdir(dirs[i]); err == nil {
				lines = append(lines, change{Do: "mkdir", Name: dirs[i]})
			}
		}
		lines = append(lines, c)
	}
	if err := t.kept.restart(now, lines...); err != nil {
		return err
	}
	for _, c := range held {
		if err := t.redo(c); err != nil {
			return err
		}
	}
	return nil
}
