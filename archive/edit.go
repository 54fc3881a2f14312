package archive

import (
	"io"
	"io/fs"
	"strings"

	"pakbox/fault"
)

// Edited is an item of an archive after edits. From is the index of the old
// entry whose content it still has, or nil if the content is new.
type Edited struct {
	Item
	From *int
}

// Plan works out what an archive holds after edits, in order: what stays
// keeps its place, a replaced entry keeps its place too, new entries come
// last. Names are compared without regard to case if fold is set. Editors use
// it so that put, rm and mv mean the same in every format.
func Plan(a Archive, edits []Edit, fold bool) ([]Edited, error) {
	same := func(a, b string) bool { return a == b || fold && strings.EqualFold(a, b) }
	inside := func(dir, name string) (string, bool) {
		if len(name) > len(dir) && name[len(dir)] == '/' && same(dir, name[:len(dir)]) {
			return name[len(dir):], true
		}
		return "", false
	}
	entries := a.Entries()
	list := make([]Edited, len(entries))
	for i, e := range entries {
		from := i
		open := func() (io.ReadCloser, error) { return a.OpenEntry(from) }
		list[i] = Edited{Item{Name: e.Name, Size: e.Size, ModTime: e.ModTime, Open: open}, &from}
	}
	for _, edit := range edits {
		switch {
		case edit.Put != nil:
			if err := CheckName(edit.Put.Name); err != nil {
				return nil, err
			}
			list = put(list, *edit.Put, same)
		case edit.Rename != nil:
			if err := CheckName(edit.Rename.To); err != nil {
				return nil, err
			}
			moved := map[int]bool{}
			for i := range list {
				name := list[i].Name
				if same(name, edit.Rename.From) {
					list[i].Name, moved[i] = edit.Rename.To, true
				} else if rest, ok := inside(edit.Rename.From, name); ok {
					list[i].Name, moved[i] = edit.Rename.To+rest, true
				}
			}
			if len(moved) == 0 {
				return nil, &fs.PathError{Op: "mv", Path: edit.Rename.From, Err: fs.ErrNotExist}
			}
			if err := checkTaken(list, moved, fold); err != nil {
				return nil, err
			}
		default:
			kept := list[:0]
			for _, e := range list {
				if _, below := inside(edit.Remove, e.Name); !below && !same(e.Name, edit.Remove) {
					kept = append(kept, e)
				}
			}
			if len(kept) == len(list) {
				return nil, &fs.PathError{Op: "rm", Path: edit.Remove, Err: fs.ErrNotExist}
			}
			list = kept
		}
	}
	return list, nil
}

// put replaces the entry of that name, or adds it at the end. If several have
// the name, all but one go: a second one could never be addressed.
func put(list []Edited, item Item, same func(a, b string) bool) []Edited {
	kept := list[:0]
	placed := false
	for _, e := range list {
		if !same(e.Name, item.Name) {
			kept = append(kept, e)
		} else if !placed {
			item.Name = e.Name
			kept, placed = append(kept, Edited{Item: item}), true
		}
	}
	if !placed {
		kept = append(kept, Edited{Item: item})
	}
	return kept
}

// checkTaken refuses a rename onto the name of an entry that did not move.
func checkTaken(list []Edited, moved map[int]bool, fold bool) error {
	key := func(name string) string {
		if fold {
			return strings.ToLower(name)
		}
		return name
	}
	unmoved := make(map[string]bool, len(list))
	for i, e := range list {
		if !moved[i] {
			unmoved[key(e.Name)] = true
		}
	}
	for i := range moved {
		if unmoved[key(list[i].Name)] {
			return &fs.PathError{Op: "mv", Path: list[i].Name, Err: fs.ErrExist}
		}
	}
	return nil
}

// CheckSize refuses content that is not as long as it was said to be, which
// happens when a file grows while it is being packed.
func CheckSize(item Item, n int64) error {
	if item.Size >= 0 && n != item.Size {
		return fault.InEntry(fault.New(fault.SizeMismatch, "was %d bytes when the work began and %d when it was read", item.Size, n), item.Name)
	}
	return nil
}
