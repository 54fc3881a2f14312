package archive

import (
	"io/fs"
	"path"
	"strings"

	"pakbox/fact"
	"pakbox/internal/lib/pathname"
)

// Section presents a folder or a single file of an archive as an archive.
type Section struct {
	Archive
	dir     string
	entries []Entry
	index   []int // indices of the entries in the whole archive
}

// NewSection returns the part of a at the path inner.
func NewSection(a Archive, inner string) *Section {
	v := &Section{Archive: a, dir: inner}
	// Names are compared as the archive compares them: first exactly, then without regard
	// to case, then with the archive's root in front.
	asStored := func(s string) string { return s }
	v.collect(inner, asStored)
	if len(v.entries) == 0 {
		v.collect(inner, strings.ToLower)
	}
	if len(v.entries) == 0 {
		v.collect(a.Root().Stored(inner), strings.ToLower)
	}
	return v
}

func (v *Section) collect(inner string, fold func(string) string) {
	want, depth := fold(inner), strings.Count(inner, "/")+1
	for i, e := range v.Archive.Entries() {
		head, rest := pathname.CutParts(e.Name, depth)
		switch {
		case fold(head) != want:
			continue
		case rest == "":
			e.Name = path.Base(e.Name)
			v.dir = path.Dir(inner)
		default:
			e.Name = rest
		}
		v.entries = append(v.entries, e)
		v.index = append(v.index, i)
	}
}

// Dir is the folder in the whole archive to which the names of the section are relative.
func (v *Section) Dir() string { return v.dir }

// Facts returns the facts of the object that the folder stands for, if it does.
func (v *Section) Facts() fact.Record {
	grouped, ok := v.Archive.(Grouped)
	if !ok {
		return nil
	}
	for _, g := range grouped.Groups() {
		if g.Folder == strings.TrimSuffix(v.dir, "/") {
			return g.Facts()
		}
	}
	return nil
}

// Root returns the empty root: names below a folder of an archive are plain paths.
func (v *Section) Root() Root { return Root{} }

func (v *Section) Entries() []Entry                  { return v.entries }
func (v *Section) OpenEntry(i int) (fs.File, error)  { return v.Archive.OpenEntry(v.index[i]) }
func (v *Section) Open(name string) (fs.File, error) { return v.Archive.Open(path.Join(v.dir, name)) }
func (v *Section) Stat(name string) (fs.FileInfo, error) {
	return v.Archive.Stat(path.Join(v.dir, name))
}
func (v *Section) ReadDir(n string) ([]fs.DirEntry, error) {
	return v.Archive.ReadDir(path.Join(v.dir, n))
}
