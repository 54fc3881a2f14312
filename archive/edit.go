package archive

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"pakbox/internal/lib/pathname"
)

// Edited is an item of an archive after edits. From is the index of the old
// entry whose content it still has, or nil if the content is new.
type Edited struct {
	Item
	From *int
}

// Plan works out the entries of an archive after edits. An entry that stays or
// is replaced keeps its place in the order; new entries come last. If fold is
// set, names are compared without regard to case. An edit may name an entry
// below the root by its path. Editors use Plan so that put, rm and mv mean the
// same in every format.
//
// A name that ends in a slash is a folder. A folder goes with its last file; a
// folder that was empty before the edits stays.
//
// Edits of one kind that follow each other are done in one pass, so that
// putting 100,000 files into an archive of as many stays cheap.
func Plan(t *Tree, edits []Edit, fold bool) (list []Edited, err error) {
	entries := t.Entries()
	list = make([]Edited, len(entries))
	for i, e := range entries {
		from := i
		open := func() (io.ReadCloser, error) { return t.OpenEntry(from) }
		list[i] = Edited{Item{Name: e.Name, Size: e.Size, ModTime: e.ModTime, Open: open}, &from}
	}
	names := planNames{root: t.Root(), fold: fold}
	for _, e := range entries {
		_, _, same := names.root.cutFolder(e.Name)
		names.taken = names.taken || same
	}
	for len(edits) > 0 {
		n := 1
		switch first := edits[0]; {
		case first.Put != nil:
			for n < len(edits) && edits[n].Put != nil {
				n++
			}
			list, err = planPuts(list, edits[:n], names)
		case first.Rename != nil:
			for n < len(edits) && edits[n].Rename != nil {
				n++
			}
			err = planRenames(list, edits[:n], names)
		default:
			for n < len(edits) && edits[n].Put == nil && edits[n].Rename == nil {
				n++
			}
			list, err = planRemoves(list, edits[:n], names)
		}
		if err != nil {
			return nil, err
		}
		edits = edits[n:]
	}
	if err := checkFolders(list, entries, names); err != nil {
		return nil, err
	}
	return withoutEmptied(list, entries), nil
}

// planNames compares names by their paths; see [Root.Path].
type planNames struct {
	root Root
	fold bool
	// taken: the archive stores a folder with the name of the folder that stands for the
	// root. Names in edits then mean the stored folder.
	taken bool
}

// path is the path of a name in an edit.
func (n planNames) path(typed string) string {
	if n.taken {
		return n.root.Path(typed)
	}
	return n.root.Typed(typed)
}

// entry is the key of a stored name, edit the key of a name in an edit. Equal keys mean
// the same entry.
func (n planNames) entry(stored string) string { return n.key(n.root.Path(stored)) }
func (n planNames) edit(typed string) string   { return n.key(n.path(typed)) }

func (n planNames) key(path string) string {
	if n.fold {
		return strings.ToLower(path)
	}
	return path
}

// withoutEmptied leaves out the folders that have lost their last file. entries
// is the list before the edits.
func withoutEmptied(list []Edited, entries []Entry) []Edited {
	isFolder := func(name string) bool { return strings.HasSuffix(name, "/") }
	if !slices.ContainsFunc(entries, func(e Entry) bool { return isFolder(e.Name) }) {
		return list
	}
	before, after := map[string]bool{}, map[string]bool{} // folders with something in them
	inside := func(name string) string { return strings.TrimSuffix(name, "/") }
	for _, e := range entries {
		if !isFolder(e.Name) {
			pathname.AddParents(before, e.Name)
		}
	}
	wasFilled := func(e *Edited) bool { return before[inside(entries[*e.From].Name)] }
	for i := range list {
		if e := &list[i]; !isFolder(e.Name) || !wasFilled(e) {
			pathname.AddParents(after, inside(e.Name))
		}
	}
	return slices.DeleteFunc(list, func(e Edited) bool {
		return isFolder(e.Name) && wasFilled(&e) && !after[inside(e.Name)]
	})
}

var errFileAndFolder = errors.New("would be a file and a folder")

// checkFolders refuses an edit that gives a file the name of a folder, or puts something
// below a file: one of the two could not be reached. An archive that has such names
// before the edit keeps them.
func checkFolders(list []Edited, entries []Entry, names planNames) error {
	edited := func(e *Edited) bool { return e.From == nil || e.Name != entries[*e.From].Name }
	files := make(map[string]bool, len(list)) // by name: whether the file is edited
	for i := range list {
		k := names.entry(list[i].Name)
		files[k] = files[k] || edited(&list[i])
	}
	for i := range list {
		var err error
		pathname.Parents(names.entry(list[i].Name), func(folder string) bool {
			if is, ok := files[folder]; ok && (is || edited(&list[i])) {
				err = &fs.PathError{Op: "edit", Path: folder, Err: errFileAndFolder}
			}
			return err == nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// planPuts replaces entries, or adds them at the end. If several entries have the name,
// one is replaced and the others are removed: they could never be addressed.
func planPuts(list []Edited, edits []Edit, names planNames) ([]Edited, error) {
	news := make(map[string]Item, len(edits))
	for _, edit := range edits {
		if err := names.root.Check(names.root.Stored(names.path(edit.Put.Name))); err != nil {
			return nil, err
		}
		news[names.edit(edit.Put.Name)] = *edit.Put
	}
	placed := make(map[string]bool, len(news))
	kept := list[:0]
	for _, e := range list {
		k := names.entry(e.Name)
		item, replaced := news[k]
		switch {
		case !replaced:
			kept = append(kept, e)
		case !placed[k]:
			item.Name = e.Name // the stored spelling stays
			kept, placed[k] = append(kept, Edited{Item: item}), true
		}
	}
	for _, edit := range edits {
		if k := names.edit(edit.Put.Name); !placed[k] {
			item := news[k]
			item.Name = names.root.Stored(names.path(edit.Put.Name))
			kept, placed[k] = append(kept, Edited{Item: item}), true
		}
	}
	return kept, nil
}

// planRemoves removes entries, and folders with everything in them. Each edit must find
// something that the edits before it did not remove.
func planRemoves(list []Edited, edits []Edit, names planNames) ([]Edited, error) {
	gone := make(map[string]int, len(edits)) // name to the first edit that removes it
	for i, edit := range edits {
		if _, ok := gone[names.edit(edit.Remove)]; !ok {
			gone[names.edit(edit.Remove)] = i
		}
	}
	found := make([]bool, len(edits))
	kept := list[:0]
	for _, e := range list {
		by := -1
		for name := names.entry(e.Name); ; {
			if i, ok := gone[name]; ok && (by < 0 || i < by) {
				by = i
			}
			slash := strings.LastIndexByte(name, '/')
			if slash < 0 || !pathname.Reachable(name) {
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

// planRenames renames entries, and folders with everything in them. Each edit must find
// something, and may not take the name of an entry that it does not move.
func planRenames(list []Edited, edits []Edit, names planNames) error {
	if len(edits) > 1 && !independent(edits, names) {
		for i := range edits {
			if err := planRenames(list, edits[i:i+1], names); err != nil {
				return err
			}
		}
		return nil
	}
	sources := make(map[string]int, len(edits)) // name to the edit that moves it
	for i, edit := range edits {
		if err := names.root.Check(names.root.Stored(names.path(edit.Rename.To))); err != nil {
			return err
		}
		sources[names.edit(edit.Rename.From)] = i
	}
	const stays = -1
	by := make([]int, len(list))             // the edit that moves each entry
	taken := make(map[string]int, len(list)) // name to the edit that gave it
	found := make([]bool, len(edits))
	for i := range list {
		name := names.root.Path(list[i].Name)
		by[i] = stays
		move := func(part string) bool {
			edit, ok := sources[names.key(part)]
			if ok {
				list[i].Name = names.root.Stored(names.path(edits[edit].Rename.To) + name[len(part):])
				by[i], found[edit] = edit, true
			}
			return !ok
		}
		if move(name) {
			pathname.Parents(name, move)
		}
		if by[i] == stays {
			taken[names.key(name)] = stays
		}
	}
	for i, edit := range edits {
		if !found[i] {
			return &fs.PathError{Op: "mv", Path: edit.Rename.From, Err: fs.ErrNotExist}
		}
	}
	for i, e := range list {
		if by[i] == stays {
			continue
		}
		if other, ok := taken[names.entry(e.Name)]; ok && other != by[i] {
			return &fs.PathError{Op: "mv", Path: e.Name, Err: fs.ErrExist}
		}
		taken[names.entry(e.Name)] = by[i]
	}
	return nil
}

// independent reports whether no rename finds an entry that another rename has moved.
// Then their order does not matter.
func independent(edits []Edit, names planNames) bool {
	sources, targets := make(map[string]bool, len(edits)), make(map[string]bool, len(edits))
	for _, edit := range edits {
		from := names.edit(edit.Rename.From)
		if sources[from] {
			return false
		}
		sources[from], targets[names.edit(edit.Rename.To)] = true, true
	}
	alone := true
	for from := range sources {
		alone = alone && !targets[from]
		pathname.Parents(from, func(folder string) bool {
			alone = alone && !sources[folder] && !targets[folder]
			return alone
		})
	}
	for to := range targets {
		pathname.Parents(to, func(folder string) bool {
			alone = alone && !sources[folder]
			return alone
		})
	}
	return alone
}
