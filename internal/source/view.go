package source

import (
	"io/fs"
	"path"
	"strings"

	"pakbox/archive"
	"pakbox/fact"
)

// view presents a folder or a single file of an archive as an archive.
type view struct {
	archive.Archive
	dir     string
	entries []archive.Entry
	index   []int // indices of the entries in the whole archive
}

func newView(a archive.Archive, inner string) *view {
	v := &view{Archive: a, dir: inner}
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

func (v *view) collect(inner string, fold func(string) string) {
	want, depth := fold(inner), strings.Count(inner, "/")+1
	for i, e := range v.Archive.Entries() {
		head, rest := CutParts(e.Name, depth)
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

// CutParts splits a path after its first n parts. It counts parts and not bytes, because
// a letter in another case may have another length.
func CutParts(name string, n int) (head, rest string) {
	at := 0
	for ; n > 0; n-- {
		slash := strings.IndexByte(name[at:], '/')
		if slash < 0 {
			return name, ""
		}
		at += slash + 1
	}
	return name[:at-1], name[at:]
}

// Facts returns the facts of the object that the folder stands for, if it does.
func (v *view) Facts() fact.Record {
	grouped, ok := v.Archive.(archive.Grouped)
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
func (v *view) Root() archive.Root { return archive.Root{} }

func (v *view) Entries() []archive.Entry              { return v.entries }
func (v *view) OpenEntry(i int) (fs.File, error)      { return v.Archive.OpenEntry(v.index[i]) }
func (v *view) Open(name string) (fs.File, error)     { return v.Archive.Open(path.Join(v.dir, name)) }
func (v *view) Stat(name string) (fs.FileInfo, error) { return v.Archive.Stat(path.Join(v.dir, name)) }
func (v *view) ReadDir(n string) ([]fs.DirEntry, error) {
	return v.Archive.ReadDir(path.Join(v.dir, n))
}
