package gbx

import (
	"unsafe"

	"pakbox/fault"
)

// RefTable lists the external files that a file refers to, and their folders.
type RefTable struct {
	// AncestorLevel is the number of steps up to the base folder.
	AncestorLevel uint32
	Folders       []Folder
	External      []External
}

// Folder is one folder of the tree below the base folder.
type Folder struct {
	Name    string
	Folders []Folder
}

// External is one external file.
type External struct {
	Flags         uint32
	FileName      string // name of a file that is not a resource
	ResourceIndex uint32 // number of a resource
	NodeIndex     uint32 // the index of references to the file
	UseFile       Bool   // in header version 5 and later
	FolderIndex   uint32 // folders are numbered depth-first from 1; 0 is the base folder
}

// resourceFlag marks a resource of the game, which has a number and no name.
const resourceFlag = 4

// IsResource reports whether the file is a resource of the game.
func (e *External) IsResource() bool { return e.Flags&resourceFlag != 0 }

// maxPaths limits the length of all paths together, because many files can share a long
// folder path.
const maxPaths = 16 << 20

// Paths returns the paths of the external files relative to the base folder. It is "" for
// a resource. It is only the name if the folder is invalid, or beyond maxPaths.
func (t *RefTable) Paths() []string {
	total := 0
	join := func(folder, name string) string {
		if total += len(folder) + len(name); total > maxPaths {
			return name
		}
		return folder + name
	}
	folders := []string{""} // by index; the first is the base folder
	var walk func(list []Folder, prefix string)
	walk = func(list []Folder, prefix string) {
		for i := range list {
			path := join(prefix, list[i].Name+"/")
			folders = append(folders, path)
			walk(list[i].Folders, path)
		}
	}
	walk(t.Folders, "")
	paths := make([]string, len(t.External))
	for i := range t.External {
		switch e := &t.External[i]; {
		case e.IsResource():
		case int64(e.FolderIndex) < int64(len(folders)):
			paths[i] = join(folders[e.FolderIndex], e.FileName)
		default:
			paths[i] = e.FileName
		}
	}
	return paths
}

func (t *RefTable) code(x *Coder, version uint16) {
	var n int
	if x.source != nil {
		n = x.source.Len("externals")
	} else {
		n = int(x.word32Live(uint64(len(t.External)), "numExternalNodes"))
	}
	if x.dead() || n == 0 {
		return
	}
	x.U32(&t.AncestorLevel, "ancestorLevel")
	codeFolders(x, &t.Folders, 0)
	if n := x.OpenSizedList(n, &t.External, len(t.External), int64(unsafe.Sizeof(External{})), 8, "externals"); n > 0 {
		t.External = make([]External, n)
	}
	for i := range t.External {
		e := &t.External[i]
		x.Elem(i, e)
		x.U32(&e.Flags, "flags")
		if e.IsResource() {
			x.U32(&e.ResourceIndex, "resourceIndex")
		} else {
			x.String(&e.FileName, "fileName")
		}
		x.U32(&e.NodeIndex, "nodeIndex")
		if version >= 5 {
			x.Bool(&e.UseFile, "useFile")
		}
		if !e.IsResource() {
			x.U32(&e.FolderIndex, "folderIndex")
		}
		x.EndElem()
	}
	x.EndList()
}

func codeFolders(x *Coder, p *[]Folder, depth int) {
	if depth > maxDepth {
		x.Fail(fault.Limit, "folders", "folders nest deeper than %d", maxDepth)
		return
	}
	if n := x.OpenList(p, len(*p), int64(unsafe.Sizeof(Folder{})), 8, "folders"); n > 0 {
		*p = make([]Folder, n)
	}
	for i := range *p {
		f := &(*p)[i]
		x.Elem(i, f)
		x.String(&f.Name, "name")
		codeFolders(x, &f.Folders, depth+1)
		x.EndElem()
	}
	x.EndList()
}

func (t *RefTable) slots() map[uint32]bool {
	if len(t.External) == 0 {
		return nil
	}
	m := make(map[uint32]bool, len(t.External))
	for i := range t.External {
		m[t.External[i].NodeIndex+1] = true
	}
	return m
}
