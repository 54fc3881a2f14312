package mesh

import (
	"slices"
	"strings"

	"pakbox/gbx"
)

// Options choose variants and other files.
type Options struct {
	// Outside opens the files that the geometry is in; nil leaves them out.
	Outside Opener
	// Variant chooses variants of an item or a block by number; nil takes all.
	Variant func(number int) bool
}

// Opener opens a file by its name in another file: a path from the folder of that
// file, or with a slash at its start from the player's folder. It returns nil for
// an unknown file, and otherwise also the Opener for the names in the new file.
// The same name gives the same file.
type Opener func(name string) (*gbx.File, Opener)

// Library has the files of models, by the names that maps have for them. It returns
// nil for a model that it does not have, and the same file each time for one name.
type Library interface {
	Item(name string) (*gbx.File, Opener)
	Block(name string) (*gbx.File, Opener)
}

// place is a file and where it lies.
type place struct {
	paths map[int]string // files outside, by node index
	up    string         // how their folder is reached from that of the file
	open  Opener
}

// file reads a file whose own names are opened with open.
func (r *reader) file(f *gbx.File, open Opener, role Role) []*Node {
	before := r.from
	defer func() { r.from = before }()
	r.from = place{paths: map[int]string{}, open: open}
	const most = 16 // levels; real files go up by as many as the game's folders are deep
	r.from.up = strings.Repeat("../", int(min(f.Refs.AncestorLevel, most)))
	for i, path := range f.Refs.Paths() {
		r.from.paths[int(f.Refs.External[i].NodeIndex)] = strings.ReplaceAll(path, `\`, "/")
	}
	return r.node(f.Body, role)
}

// outside reads another file with geometry, or notes its name. up leads from the
// folder of the naming file to the start of the name.
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

// outsides reads several files that are named in the file itself.
func (r *reader) outsides(role Role, names ...string) []*Node {
	var out []*Node
	for _, name := range names {
		out = append(out, r.outside(name, "", role)...)
	}
	return out
}

// maxOutside is more than any real file has.
const maxOutside = 1000

// path returns the path of a file outside that a reference means, or "".
func (r *reader) path(ref gbx.Ref) string {
	if ref.IsNil() {
		return ""
	}
	return r.from.paths[ref.Index()]
}
