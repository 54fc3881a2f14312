package drives

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/pak"
)

// Reference is a file that a GBX refers to.
type Reference struct {
	Drive DriveName
	Path  string // path on the drive; "#7" for a resource by number
	File  *File  // nil if there is no such file
	Err   error  // why the reference is refused; nil if it is not
}

// Missing reports whether the reference leads to no file.
func (r *Reference) Missing() bool { return r.File == nil }

// References lists the files that a GBX file refers to, in the order of its table.
func (g *Game) References(f *File) ([]Reference, error) {
	h, err := f.header()
	if err != nil {
		return nil, err
	}
	list := make([]Reference, len(h.Refs.External))
	for i, stored := range h.Refs.Paths() {
		list[i] = g.resolve(f, &h.Refs, &h.Refs.External[i], stored)
	}
	return list, nil
}

// noChunks is a registry without chunks, for reading only the header with its reference
// table.
var noChunks = gbx.NewRegistry()

// header reads the GBX header of a file. If an entry of a pack cannot be read to its end,
// its beginning is often enough.
func (f *File) header() (*gbx.Header, error) {
	if p, ok := f.from.(*pak.Archive); ok {
		if e := &p.Entries()[f.index]; e.Problem != nil { // for example, it is too large
			return nil, fault.InEntry(e.Problem, e.Name)
		}
		data, decodeErr := p.Pack().Decode(f.index)
		h, err := gbx.ReadHeader(bytes.NewReader(data), int64(len(data)), noChunks)
		if err != nil && decodeErr != nil {
			err = decodeErr
		}
		return h, err
	}
	src, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	ra, ok := src.(io.ReaderAt)
	size := f.Size
	if !ok {
		data, err := io.ReadAll(src)
		if err != nil {
			return nil, err
		}
		ra, size = bytes.NewReader(data), int64(len(data))
	}
	h, err := gbx.ReadHeader(ra, size, noChunks)
	return h, fault.InFile(err, f.String())
}

// resolve finds the file of one reference: it goes up from the folder of the GBX by the
// number of levels in the table, then down the stored path. Only references by number
// leave their drive; they lead to the Resource drive.
func (g *Game) resolve(from *File, table *gbx.RefTable, e *gbx.External, stored string) Reference {
	if e.IsResource() {
		r := Reference{Drive: Resource, Path: fmt.Sprintf("#%d", e.ResourceIndex)}
		if index := g.drives[Resource].index; int64(e.ResourceIndex) < int64(len(index)) {
			r.File = index[e.ResourceIndex]
			r.Path = r.File.Path
		}
		return r
	}
	target := strings.ReplaceAll(stored, `\`, "/")
	r := Reference{Drive: from.Drive, Path: target}
	refuse := func(why string) Reference {
		r.Err = &fault.Error{Kind: fault.Unsafe, Path: from.String(), Entry: target, Offset: fault.NoOffset, Message: why}
		return r
	}
	if strings.HasPrefix(target, "/") || strings.Contains(target, ":") {
		return refuse("the reference names another drive; only the Resource drive may be referred to from others")
	}
	base := path.Dir(from.Path)
	for range steps(table.AncestorLevel, base) {
		if base == "." {
			return refuse("the reference leads out of its drive")
		}
		base = path.Dir(base)
	}
	full := path.Join(base, target)
	if full == ".." || strings.HasPrefix(full, "../") {
		return refuse("the reference leads out of its drive")
	}
	r.Path = full
	if file, ok := g.drives[from.Drive].Lookup(full); ok {
		r.File = file
		r.Path = file.Path
	}
	return r
}

// steps limits the number of levels to go up: one more than base has is enough to leave
// the drive, which is an error.
func steps(levels uint32, base string) int {
	return int(min(int64(levels), int64(strings.Count(base, "/"))+2))
}

// Dependency is a file that a GBX file needs, with its own dependencies.
type Dependency struct {
	Reference
	Problem  error // why the file's own references are unknown
	Repeated bool  // the file occurs elsewhere in the tree, with its dependencies
	Needs    []*Dependency
}

// maxDepth limits how deep references are followed.
const maxDepth = 64

// Dependencies follows the references of a file, and the references of those files in
// turn. A file that occurs again is not followed again. named are further files that f
// needs but does not list in its reference table: a map names skins and mods elsewhere,
// by their path on any drive.
func (g *Game) Dependencies(f *File, named ...string) *Dependency {
	root := &Dependency{Reference: Reference{Drive: f.Drive, Path: f.Path, File: f}}
	seen := map[*File]bool{}
	g.follow(root, seen, 0)
	for _, name := range named {
		child := &Dependency{Reference: g.lookUp(f, name)}
		root.Needs = append(root.Needs, child)
		g.follow(child, seen, 1)
	}
	return root
}

// lookUp finds a file by its path on any drive.
func (g *Game) lookUp(from *File, name string) Reference {
	r := Reference{Drive: from.Drive, Path: path.Clean(strings.TrimLeft(strings.ReplaceAll(name, `\`, "/"), "/"))}
	if strings.Contains(r.Path, ":") || r.Path == ".." || strings.HasPrefix(r.Path, "../") {
		r.Err = &fault.Error{Kind: fault.Unsafe, Path: from.String(), Entry: r.Path, Offset: fault.NoOffset, Message: "the name leads out of the game's drives"}
		return r
	}
	if file, err := g.Find(r.Path); err == nil {
		r.Drive, r.Path, r.File = file.Drive, file.Path, file
	}
	return r
}

func (g *Game) follow(d *Dependency, seen map[*File]bool, depth int) {
	if d.File == nil || !strings.HasSuffix(strings.ToLower(d.File.Path), ".gbx") {
		return
	}
	if d.Repeated = seen[d.File]; d.Repeated {
		return
	}
	seen[d.File] = true
	if depth == maxDepth {
		d.Problem = fault.New(fault.Limit, "references are nested more than %d deep", maxDepth)
		return
	}
	refs, err := g.References(d.File)
	d.Problem = err
	for _, r := range refs {
		child := &Dependency{Reference: r}
		d.Needs = append(d.Needs, child)
		g.follow(child, seen, depth+1)
	}
}

// Walk calls visit for a dependency and all below it, with their depth.
func (d *Dependency) Walk(visit func(d *Dependency, depth int)) { d.walk(visit, 0) }

func (d *Dependency) walk(visit func(*Dependency, int), depth int) {
	visit(d, depth)
	for _, n := range d.Needs {
		n.walk(visit, depth+1)
	}
}
