package pathname

import "pakbox/fault"

// Laid is an entry of an archive with its place in a folder on disk.
type Laid struct {
	Index int    // number of the entry
	Path  string // relative to the folder
	Err   error  // why the entry cannot be placed
}

// LayOut finds the places of entries in a folder, in stored order. If stored names are
// equal, the last counts. path returns the path of an entry, or not ok. Paths are made
// [System.Safe]; a nil system accepts all paths.
func LayOut(stored []string, system *System, path func(i int) (path string, ok bool)) []Laid {
	safe := system.Paths()
	last := make(map[string]int, len(stored))
	for i, name := range stored {
		last[name] = i
	}
	list := make([]Laid, 0, len(stored))
	for i, name := range stored {
		if last[name] != i {
			continue
		}
		if p, ok := path(i); ok {
			list = append(list, Laid{Index: i, Path: safe.Path(p)})
		}
	}
	findClashes(list)
	for i := range list {
		if err := CheckFor(stored[list[i].Index], list[i].Path); err != nil {
			list[i].Err = err
		}
	}
	return list
}

// findClashes marks entries whose paths collide with another entry. Otherwise timing
// would decide which one is written.
func findClashes(list []Laid) {
	folders, paths := map[string]bool{}, make(map[string]bool, len(list))
	for i := range list {
		AddParents(folders, list[i].Path)
	}
	for i := range list {
		l := &list[i]
		switch {
		case folders[l.Path]:
			l.Err = fault.New(fault.DuplicateName, "is a file and a folder in the archive; the folder is extracted")
		case paths[l.Path]:
			l.Err = fault.New(fault.DuplicateName, "an earlier entry is extracted under the same name, %s", l.Path)
		}
		paths[l.Path] = true
	}
}
