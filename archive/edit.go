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
//
// Edits of one kind that follow each other are done in one pass, so that
// putting 100,000 files into an archive of as many stays cheap.
func Plan(a Archive, edits []Edit, fold bool) (list []Edited, err error) {
	entries := a.Entries()
	list = make([]Edited, len(entries))
	for i, e := range entries {
		from := i
		open := func() (io.ReadCloser, error) { return a.OpenEntry(from) }
		list[i] = Edited{Item{Name: e.Name, Size: e.Size, ModTime: e.ModTime, Open: open}, &from}
	}
	key := portablePath // a name and its portable form are one, as in look-ups
	if fold {
		key = func(name string) string { return strings.ToLower(portablePath(name)) }
	}
	for len(edits) > 0 {
		n := 1
		switch first := edits[0]; {
		case first.Put != nil:
			for n < len(edits) && edits[n].Put != nil {
				n++
			}
			list, err = planPuts(list, edits[:n], key)
		case first.Rename != nil:
			err = planRename(list, *first.Rename, key)
		default:
			for n < len(edits) && edits[n].Put == nil && edits[n].Rename == nil {
				n++
			}
			list, err = planRemoves(list, edits[:n], key)
		}
		if err != nil {
			return nil, err
		}
		edits = edits[n:]
	}
	return list, nil
}

// portablePath is PortableName for a name that may be a folder's.
func portablePath(name string) string {
	return strings.TrimSuffix(PortableName(name+"/"), "/")
}

// planPuts replaces entries, or adds them at the end. If several have the
// name, all but one go: a second one could never be addressed.
func planPuts(list []Edited, edits []Edit, key func(string) string) ([]Edited, error) {
	news := make(map[string]Item, len(edits))
	for _, edit := range edits {
		if err := CheckName(edit.Put.Name); err != nil {
			return nil, err
		}
		news[key(edit.Put.Name)] = *edit.Put
	}
	placed := make(map[string]bool, len(news))
	kept := list[:0]
	for _, e := range list {
		k := key(e.Name)
		item, replaced := news[k]
		switch {
		case !replaced:
			kept = append(kept, e)
		case !placed[k]:
			item.Name = e.Name // the spelling stays
			kept, placed[k] = append(kept, Edited{Item: item}), true
		}
	}
	for _, edit := range edits {
		if k := key(edit.Put.Name); !placed[k] {
			item := news[k]
			item.Name = edit.Put.Name
			kept, placed[k] = append(kept, Edited{Item: item}), true
		}
	}
	return kept, nil
}

// planRemoves removes entries, and folders with all that is in them. Each
// edit must find something that those before it left.
func planRemoves(list []Edited, edits []Edit, key func(string) string) ([]Edited, error) {
	gone := make(map[string]int, len(edits)) // name to the first edit that removes it
	for i, edit := range edits {
		if _, ok := gone[key(edit.Remove)]; !ok {
			gone[key(edit.Remove)] = i
		}
	}
	found := make([]bool, len(edits))
	kept := list[:0]
	for _, e := range list {
		by := -1
		for name := key(e.Name); ; {
			if i, ok := gone[name]; ok && (by < 0 || i < by) {
				by = i
			}
			slash := strings.LastIndexByte(name, '/')
			if slash < 0 {
				break
			}
			name = name[:slash]
		}
		if by < 0 {
			kept = append(kept, e)
		} else {
			found[by] = true
		}
	}
	for i, edit := range edits {
		if !found[i] {
			return nil, &fs.PathError{Op: "rm", Path: edit.Remove, Err: fs.ErrNotExist}
		}
	}
	return kept, nil
}

// planRename renames an entry, or a folder with all that is in it.
func planRename(list []Edited, r Rename, key func(string) string) error {
	if err := CheckName(r.To); err != nil {
		return err
	}
	from, length := key(r.From), len(portablePath(r.From))
	moved := map[int]bool{}
	for i := range list {
		name := PortableName(list[i].Name)
		if key(name) == from {
			list[i].Name, moved[i] = r.To, true
		} else if len(name) > length && name[length] == '/' && key(name[:length]) == from {
			list[i].Name, moved[i] = r.To+name[length:], true
		}
	}
	if len(moved) == 0 {
		return &fs.PathError{Op: "mv", Path: r.From, Err: fs.ErrNotExist}
	}
	return checkTaken(list, moved, key)
}

// checkTaken refuses a rename onto the name of an entry that did not move.
func checkTaken(list []Edited, moved map[int]bool, key func(string) string) error {
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
