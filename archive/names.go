package archive

import (
	"fmt"
	"path"
	"strings"

	"pakbox/internal/lib/pathname"
)

// Names chooses the names of files in a new archive, and remembers the changed names for
// [Names.Notes].
type Names struct {
	root  Root            // the root of the new archive
	given bool            // the caller chose the root's folder
	files *pathname.Paths // nil unless the new archive is a folder
	notes nameNotes
}

// Names starts the naming of files for a new archive of format f.
func (o CreateOptions) Names(f Format) *Names {
	n := &Names{root: RootOf(f)}
	if folder, given := o.Params[n.root.Param]; given {
		n.root.Folder, n.given = path.Clean(folder), true
	}
	if _, folder := f.(DirOpener); folder {
		n.files = system.Paths()
	}
	return n
}

// OfFile gives the name for a file of the file system: the inverse of the path
// that [Extract] gives.
func (n *Names) OfFile(name string) string {
	if n.files != nil {
		return name
	}
	stored := n.root.Stored(pathname.Unsafe(name))
	n.notes.add(n.root, stored, name)
	return stored
}

// OfEntry gives the name for an entry of another archive. Between archives that have a
// root, names go as they are, unless the caller chose a folder for the root. A name that
// goes into a folder becomes a path. An archive without a root, such as a zip, holds paths
// like a folder: other programs cannot make the folder d: of d:/ymir work.
func (n *Names) OfEntry(from Root, stored string) string {
	switch {
	case n.files != nil:
		path := n.files.Path(from.Path(stored))
		n.notes.out = true
		n.notes.add(from, stored, path)
		return path
	case n.given && n.root.Place != "":
		return n.root.Stored(stored)
	case n.root.Place == "" && from.Place != "":
		path := from.Path(stored)
		n.notes.out = true
		n.notes.add(from, stored, path)
		return path
	case n.root.Place != "" && from.Place == "":
		name := n.root.Stored(stored)
		n.notes.add(n.root, name, stored)
		return name
	}
	return stored
}

// Notes states which names changed, a sentence each.
func (n *Names) Notes() []string {
	list := n.notes.sentences()
	if former := n.notes.former; former != "" && !n.given {
		list = append(list, fmt.Sprintf("%s/ is stored as it is: if it stands for %s/, say --%s '%s'", former, n.root.Place, n.root.Param, former))
	}
	return list
}

// nameNotes counts the names that differ inside and outside an archive.
type nameNotes struct {
	out    bool           // names go from inside to outside, as in extraction
	former string         // a folder with the name [Root.Former], if there is one
	files  map[string]int // how many files each change of a folder concerns
	order  []string       // the keys of files
	safe   int            // names that were changed to be safe outside
	sample string         // one of these names
}

// add takes an entry's name inside the archive and its path outside.
func (n *nameNotes) add(root Root, stored, outside string) {
	if top, _, _ := strings.Cut(stored, "/"); root.Former != "" && strings.EqualFold(top, root.Former) {
		n.former = top
	}
	plain := root.Path(stored)
	if plain != stored {
		old, new := stored[:len(root.Place)], plain
		if _, ok := root.below(stored); !ok {
			old, _, _ = root.cutFolder(stored)
			new, _, _ = root.cutFolder(plain)
		} else {
			new = likeCase(root.Folder, old)
		}
		n.folder(old, new)
	}
	if plain != outside {
		n.safe++
		n.sample = fmt.Sprintf("%q is %q", path.Base(plain), path.Base(outside))
		if !n.out {
			n.sample = fmt.Sprintf("%q is %q", path.Base(outside), path.Base(plain))
		}
	}
}

func (n *nameNotes) folder(inside, outside string) {
	inside, outside = inside+"/", outside+"/"
	if outside == "./" {
		outside = "the top folder"
	}
	change := inside + " is extracted as " + outside
	if !n.out {
		change = outside + " is stored as " + inside
	}
	if n.files == nil {
		n.files = map[string]int{}
	}
	if n.files[change]++; n.files[change] == 1 {
		n.order = append(n.order, change)
	}
}

func (n *nameNotes) sentences() (list []string) {
	for _, change := range n.order {
		count := "1 file"
		if files := n.files[change]; files != 1 {
			count = fmt.Sprintf("%d files", files)
		}
		list = append(list, fmt.Sprintf("%s (%s)", change, count))
	}
	switch {
	case n.safe > 0 && n.out:
		list = append(list, fmt.Sprintf("names that this system cannot hold were changed (%d), for example %s; a new archive made of them has the old names", n.safe, n.sample))
	case n.safe > 0:
		list = append(list, fmt.Sprintf("names that extraction had changed are changed back (%d), for example %s", n.safe, n.sample))
	}
	return list
}
