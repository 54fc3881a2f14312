package simutrans

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// edition is an object file that is being changed.
type edition struct {
	file   *node.File
	target string
	cell   int
}

func newEdition(file *node.File, opts archive.CreateOptions) (*edition, error) {
	params := Format{}.Params()
	cell, err := strconv.Atoi(opts.Param(params, "cell"))
	if err != nil {
		return nil, &archive.ParamError{Name: "cell", Value: opts.Param(params, "cell"), Want: "a number of pixels"}
	}
	target := opts.Param(params, "target")
	if _, err := object.LookupTarget(target); err != nil {
		return nil, &archive.ParamError{Name: "target", Value: target, Want: strings.Join(object.Targets(), " or ")}
	}
	return &edition{file, target, cell}, nil
}

// edit adds items to a file and writes it.
func edit(ctx context.Context, stage *archive.Stage, file *node.File, items []archive.Item, opts archive.CreateOptions) error {
	e, err := newEdition(file, opts)
	if err != nil {
		return err
	}
	if err := e.put(ctx, items); err != nil {
		return err
	}
	w, err := stage.File()
	if err == nil {
		_, err = e.file.WriteTo(w)
	}
	return err
}

// find returns the index of the object with a folder name, or -1.
func (e *edition) find(folder string) int {
	for i, o := range folders(e.file) {
		if o.Folder == folder {
			return i
		}
	}
	return -1
}

// place replaces the object with the same type and name, or adds the object at the end.
func (e *edition) place(n *node.Node) {
	for i, old := range e.file.Root.Children {
		if old.Type == n.Type && old.Name() == n.Name() {
			e.file.Root.Children[i] = n
			return
		}
	}
	e.file.Root.Children = append(e.file.Root.Children, n)
}

// put adds the content of items. They are handled folder by folder, because a source and
// its picture belong together.
func (e *edition) put(ctx context.Context, items []archive.Item) error {
	if err := archive.CheckNew(items, archive.Root{}, nil); err != nil {
		return err
	}
	groups := map[string]map[string][]byte{}
	var order []string
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := item.ReadAll(ctx)
		if err != nil {
			return err
		}
		// An object file of any folder is merged, except the one that is an object's own.
		if strings.EqualFold(path.Ext(item.Name), ".pak") && (!strings.Contains(item.Name, "/") || path.Base(item.Name) != objectFile) {
			if err := e.merge(item.Name, data); err != nil {
				return err
			}
			continue
		}
		folder, rest, isBelow := strings.Cut(item.Name, "/")
		if !isBelow {
			folder, rest = "", item.Name
		}
		if groups[folder] == nil {
			groups[folder] = map[string][]byte{}
			order = append(order, folder)
		}
		groups[folder][rest] = data
	}
	for _, folder := range order {
		if err := e.putFolder(folder, groups[folder]); err != nil {
			return err
		}
	}
	return nil
}

// merge adds the objects of an object file.
func (e *edition) merge(name string, data []byte) error {
	file, err := node.Parse(data)
	if err != nil {
		return fault.InEntry(err, name)
	}
	for _, o := range file.Root.Children {
		e.place(o)
	}
	return nil
}

// putFolder adds the files of one folder. An object file takes precedence, then a source,
// then a picture for the existing source, then single parts.
func (e *edition) putFolder(folder string, files map[string][]byte) error {
	if data, ok := files[objectFile]; ok {
		return e.merge(path.Join(folder, objectFile), data)
	}
	compiled := false
	for _, name := range slices.Sorted(maps.Keys(files)) {
		switch strings.ToLower(path.Ext(name)) {
		case ".dat":
			compiled = true
			if err := e.compile(path.Join(folder, name), files[name], files, e.existing(folder)); err != nil {
				return err
			}
		case ".png", ".body": // handled elsewhere
		default:
			return fault.InEntry(fault.New(fault.BadEntry, "only objects, sources and pictures can be put into an object file"), path.Join(folder, name))
		}
	}
	if compiled || folder == "" {
		return nil
	}
	i := e.find(folder)
	if i < 0 {
		return fault.InEntry(fault.New(fault.BadEntry, "there is no such object, and no source or object file for it"), folder)
	}
	return e.putParts(i, folder, files)
}

// existing returns the object of a folder, nil if none exists.
func (e *edition) existing(folder string) *node.Node {
	if i := e.find(folder); i >= 0 {
		return e.file.Root.Children[i]
	}
	return nil
}

// compile adds the objects of a source. It uses the pictures given with it, and the
// picture of the object that is replaced.
func (e *edition) compile(name string, src []byte, files map[string][]byte, old *node.Node) error {
	c, err := compile.NewCompiler(e.target, e.cell)
	if err != nil {
		return err
	}
	if old != nil {
		if r, err := decompile.Object(old, decompile.Options{}); err == nil && r.Image != nil {
			c.Picture("", r.Sheet, img.FromNRGBA(r.Image))
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if ext := path.Ext(file); strings.EqualFold(ext, ".png") {
			if err := c.PictureFile("", strings.TrimSuffix(file, ext), files[file]); err != nil {
				return fault.InEntry(fault.Wrap(fault.BadEntry, err, "no picture"), file)
			}
		}
	}
	s := c.Source(name, "", src)
	for _, p := range s.Problems {
		if p.Severity == finding.Error {
			return fault.InEntry(fault.New(fault.BadEntry, "line %d: %s: %s", p.Line, p.Field, p.Message), name)
		}
	}
	for _, o := range s.Objects {
		e.place(o.Node)
	}
	return nil
}

// putParts replaces parts of an object: its picture, images and bodies.
func (e *edition) putParts(i int, folder string, files map[string][]byte) error {
	old := e.file.Root.Children[i]
	n := old.Clone()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data := files[name]
		var err error
		switch {
		case strings.HasPrefix(name, imageDir):
			err = putImage(n, strings.TrimSuffix(strings.TrimPrefix(name, imageDir), ".png"), data)
		case strings.HasPrefix(name, nodeDir):
			err = putBody(n, strings.TrimPrefix(name, nodeDir), data)
		case name == decompile.SheetName(old)+".png":
			r, decompileErr := decompile.Object(old, decompile.Options{})
			if decompileErr != nil {
				return decompileErr
			}
			return e.compile(path.Join(folder, sourceFile), r.Dat, files, nil)
		default:
			err = fault.New(fault.BadEntry, "an object has no such part")
		}
		if err != nil {
			return fault.InEntry(err, path.Join(folder, name))
		}
	}
	e.file.Root.Children[i] = n
	return nil
}

// putImage replaces an image. Its upper left corner stays in place.
func putImage(n *node.Node, key string, data []byte) error {
	for _, m := range decompile.Images(n) {
		if m.Key != key {
			continue
		}
		old, err := img.Parse(m.Node.Body, m.Node.BodyOffset())
		if err != nil {
			return err
		}
		b, err := compile.DecodePicture(data)
		if err != nil {
			return fault.Wrap(fault.BadEntry, err, "no picture")
		}
		image := img.Encode(b, old.X, old.Y)
		image.Zoomable = old.Zoomable
		m.Node.Body = image.Append(nil)
		return nil
	}
	return &fs.PathError{Op: "put", Path: key, Err: fs.ErrNotExist}
}

// putBody replaces the body of the node at a path.
func putBody(n *node.Node, path string, data []byte) error {
	at, ok := strings.CutSuffix(path, ".body")
	if !ok {
		return &fs.PathError{Op: "put", Path: path, Err: fs.ErrNotExist}
	}
	n, err := n.At(at)
	if err == nil {
		n.Body = bytes.Clone(data)
	}
	return err
}
