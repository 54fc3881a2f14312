package recipe

import (
	"fmt"
	"io"
	"io/fs"
	stdmaps "maps"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/route"
)

// work is a map while a recipe changes it.
type work struct {
	m        *maps.Map
	layout   *maps.Layout
	frame    *maps.Frame
	files    fs.FS
	models   *maps.Models
	embedded string // name of the file that the current step embedded
	road     *route.Layer

	allowUnknown bool
}

// maxFile limits the files that a recipe names. Larger files fit into no map.
const maxFile = 64 << 20

// file reads a file that the recipe names.
func (w *work) file(name string) ([]byte, error) {
	if w.files == nil {
		return nil, fault.New(fault.Access, "%s: this recipe may use no files", name)
	}
	if !fs.ValidPath(name) {
		return nil, fault.New(fault.Unsafe, "%s: files are named below the folder of the recipe, with slashes", name)
	}
	f, err := w.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fault.New(fault.Limit, "%s is larger than %d bytes", name, maxFile)
	}
	return data, err
}

// macroblock reads a macroblock that the recipe names.
func (w *work) macroblock(name string) (*maps.Macroblock, error) {
	data, err := w.file(name)
	if err != nil {
		return nil, err
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil, fault.InFile(err, name)
	}
	macro, err := maps.MacroblockOf(f)
	return macro, fault.InFile(err, name)
}

// UnknownBlocks lists the blocks of which a step would need more than is known. It is in
// the error of that step; with [Recipe.AllowUnknown] it is done all the same.
type UnknownBlocks string

func (u UnknownBlocks) Error() string { return string(u) }

// known refuses a step if a selected block fails the condition ok. done is the verb for
// the error: "turn", "mirror".
func (w *work) known(s *which, done string, ok func(*maps.Block) bool) error {
	if w.allowUnknown {
		return nil
	}
	unknown := map[string]int{}
	for i := range w.layout.Blocks {
		if b := &w.layout.Blocks[i].Block; s.hasBlockOf(w.frame, b) && !ok(b) {
			unknown[b.Name]++
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	var list []string
	for _, name := range slices.Sorted(stdmaps.Keys(unknown)) {
		list = append(list, fmt.Sprintf("%s (%d)", name, unknown[name]))
	}
	return fault.Wrap(fault.Unsupported, UnknownBlocks(strings.Join(list, ", ")), "how to %s these blocks is not known", done)
}

// eachBlock changes the selected blocks, and counts them.
func (w *work) eachBlock(s *which, change func(*maps.Block) error) (n int, err error) {
	for i := range w.layout.Blocks {
		b := &w.layout.Blocks[i].Block
		if !s.hasBlockOf(w.frame, b) {
			continue
		}
		n++
		was := *b
		if err = change(b); err == nil {
			err = w.m.CheckBlock(b)
		}
		if err == nil && !w.m.OnMap(b) && w.m.OnMap(&was) {
			err = fault.New(fault.Limit, "%s would leave the map: it would stand at %d %d %d", b.Name, b.Coord.X, b.Coord.Y, b.Coord.Z)
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// eachItem changes the selected items, and counts them.
func (w *work) eachItem(s *which, change func(*maps.Item) error) (n int, err error) {
	for i := range w.layout.Items {
		it := &w.layout.Items[i].Item
		if !s.hasItemOf(w.frame, it) {
			continue
		}
		n++
		if err = change(it); err == nil {
			err = w.m.CheckItem(it)
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// each changes the selected blocks and items.
func (w *work) each(s *which, block func(*maps.Block) error, item func(*maps.Item) error) (t touched, err error) {
	if t.blocks, err = w.eachBlock(s, block); err == nil {
		t.items, err = w.eachItem(s, item)
	}
	return t, err
}
