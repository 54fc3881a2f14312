package archive

import (
	"pakbox/fault"
)

// Laid is an entry as it stands in a folder outside its archive.
type Laid struct {
	Index int    // of Entries
	Name  string // below the folder: a path, see [Root]
	Err   error  // why it cannot have its place there
}

// LayOut tells where the entries of an archive stand outside of it, in stored
// order: under the paths of their names, of those with the same name the last.
// Extract and [Draft] show an archive so.
func LayOut(a Listed) []Laid {
	return layOut(a, a.Root(), func(e Entry) (string, bool) { return e.Name, true })
}

// layOut is LayOut for the entries that are chosen, each by the name that it
// shall have, with the root's folder.
func layOut(a Listed, root Root, choose func(Entry) (string, bool)) []Laid {
	entries := a.Entries()
	last := make(map[string]int, len(entries))
	for i, e := range entries {
		last[e.Name] = i
	}
	list := make([]Laid, 0, len(entries))
	for i, e := range entries {
		if last[e.Name] != i {
			continue
		}
		if name, ok := choose(e); ok {
			list = append(list, Laid{Index: i, Name: root.Path(name)})
		}
	}
	findClashes(list)
	for i := range list {
		if err := CheckName(list[i].Name); err != nil {
			list[i].Err = err
		}
	}
	return list
}

// findClashes finds the files whose place another entry needs, so that it does
// not depend on timing, or on what may be overwritten, which of them is written.
func findClashes(list []Laid) {
	folders, names := map[string]bool{}, make(map[string]bool, len(list))
	for i := range list {
		addParents(folders, list[i].Name)
	}
	for i := range list {
		l := &list[i]
		switch {
		case folders[l.Name]:
			l.Err = fault.New(fault.DuplicateName, "is a file and a folder in the archive; the folder is extracted")
		case names[l.Name]:
			l.Err = fault.New(fault.DuplicateName, "an earlier entry is extracted under the same name, %s", l.Name)
		}
		names[l.Name] = true
	}
}
