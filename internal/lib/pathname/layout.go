package pathname

import "pakbox/fault"

// Laid is an entry of an archive as it stands in a folder outside.
type Laid struct {
	Index int    // the number of the entry
	Path  string // below the folder
	Err   error  // why the entry cannot stand there
}

// LayOut places entries outside their archive, in stored order. The last of equal
// stored names counts. path gives the path of an entry, or not ok. Paths become
// [System.Safe]; a nil system takes all paths.
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

// findClashes finds entries whose path another entry needs: which one would be
// written must not depend on timing.
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
