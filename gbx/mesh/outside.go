package mesh

import (
	"slices"
	"strings"

	"pakbox/gbx"
)

// Options select variants and give access to other files.
type Options struct {
	// Outside opens other files that contain the geometry; nil leaves them out.
	Outside Opener
	// Variant chooses variants of an item or a block by number; nil takes all.
	Variant func(number int) bool
}

// Opener opens a file by the name that another file uses for it. The name is a path from
// the folder of that file, or, with a slash at its start, from the player's folder. It
// returns nil for an unknown file. Otherwise it also returns the Opener for names in the
// new file. The same name always gives the same file.
type Opener func(name string) (*gbx.File, Opener)

// Library finds the files of models by the names that maps use. It returns nil for a
// model that it does not have. The same name always gives the same file.
type Library interface {
	Item(name string) (*gbx.File, Opener)
	Block(name string) (*gbx.File, Opener)
}

// place has the names that a file uses for other files, and the function that opens them.
type place struct {
	paths map[int]string // paths of external files, by node index
	up    string         // path from the folder of the file to the base of these paths
	open  Opener
}

// file reads a file. open opens the files that it refers to.
func (r *reader) file(f *gbx.File, open Opener, role Role) []*Node {
	before := r.from
	defer func() { r.from = before }()
	r.from = place{paths: map[int]string{}, open: open}
	const most = 16 // limit of levels; real files go up at most to the top of the game's folders
	r.from.up = strings.Repeat("../", int(min(f.Refs.AncestorLevel, most)))
	for i, path := range f.Refs.Paths() {
		r.from.paths[int(f.Refs.External[i].NodeIndex)] = strings.ReplaceAll(path, `\`, "/")
	}
	return r.node(f.Body, role)
}

// outside reads another file with geometry, or adds its name to Outside. up is the path
// from the folder of the referring file to the base of the name.
func (r *reader) outside(name, up string, role Role) []*Node {
	if name == "" || r.err != nil {
		return nil
	}
	if r.from.open != nil {
		if f, open := r.from.open(up + strings.ReplaceAll(name, `\`, "/")); f != nil {
			return r.file(f, open, role)
		}
	}
	if !slices.Contains(r.scene.Outside, name) && len(r.scene.Outside) < maxOutside {
		r.scene.Outside = append(r.scene.Outside, name)
	}
	return nil
}

// outsides reads several files whose names are in the file itself.
func (r *reader) outsides(role Role, names ...string) []*Node {
	var out []*Node
	for _, name := range names {
		out = append(out, r.outside(name, "", role)...)
	}
	return out
}

// maxOutside is more than any real file has.
const maxOutside = 1000

// path returns the path of the external file that a reference stands for, or "".
func (r *reader) path(ref gbx.Ref) string {
	if ref.IsNil() {
		return ""
	}
	return r.from.paths[ref.Index()]
}
