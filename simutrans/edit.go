package simutrans

import (
	"context"
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// Params are the settings of Create and Edit.
func (Format) Params() []archive.Param {
	return []archive.Param{
		{Name: "target", Usage: "the makeobj that sources are compiled for", Default: object.DefaultTarget},
		{Name: "cell", Usage: "the size of a cell in pixels, for sources", Default: strconv.Itoa(compile.DefaultCell)},
	}
}

// Create implements archive.Creator. Object files are merged. Sources are compiled with
// the pictures beside them. Folders of extracted objects become these objects again.
func (f Format) Create(ctx context.Context, stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
	return edit(ctx, stage, node.New(), items, opts)
}

// Edit implements archive.Editor. All other objects stay the same, byte for byte.
func (a *Archive) Edit(ctx context.Context, stage *archive.Stage, edits []archive.Edit, opts archive.CreateOptions) error {
	list, err := archive.Plan(a.Tree, edits, false)
	if err != nil {
		return err
	}
	objects, items, err := a.planned(list)
	if err != nil {
		return err
	}
	root := *a.File.Root
	root.Children = objects
	file := *a.File
	file.Root = &root
	return edit(ctx, stage, &file, items, opts)
}

// planned converts a plan for files into a plan for objects: the objects that stay, with
// their new names, and the new items.
func (a *Archive) planned(list []archive.Edited) (objects []*node.Node, items []archive.Item, err error) {
	put := map[string]bool{} // new files and their folders
	for _, e := range list {
		if e.From == nil {
			items = append(items, e.Item)
			folder, _, _ := strings.Cut(e.Name, "/")
			put[folder], put[e.Name] = true, true
		}
	}
	now, err := a.moved(list, put)
	if err != nil {
		return nil, nil, err
	}
	names := map[node.Xref]string{} // new names of objects, by type and old name
	for _, o := range a.objects {
		if folder := now[o.Folder]; folder != "" && folder != o.Folder {
			name, ok := strings.CutPrefix(folder, o.Node.Type.Name()+".")
			if !ok || name == "" {
				return nil, nil, fault.InEntry(fault.New(fault.BadEntry, "a %s can only be called %s.NAME", o.Node.Type.Name(), o.Node.Type.Name()), folder)
			}
			names[node.Xref{Type: o.Node.Type, Name: o.Node.Name()}] = name
		}
	}
	for _, o := range a.objects {
		folder := now[o.Folder]
		if folder != "" || put[o.Folder] {
			objects = append(objects, renamed(o.Node, folder != "" && folder != o.Folder, names))
		}
	}
	return objects, items, nil
}

// moved returns the new folder of each object's folder. A removed folder is missing. An
// object can only be removed or moved as a whole.
func (a *Archive) moved(list []archive.Edited, put map[string]bool) (map[string]string, error) {
	entries := a.Entries()
	kept := make([]bool, len(entries))
	now := map[string]string{}
	for _, e := range list {
		if e.From == nil {
			continue
		}
		kept[*e.From] = true
		was, rest, _ := strings.Cut(entries[*e.From].Name, "/")
		folder, part, _ := strings.Cut(e.Name, "/")
		if other, ok := now[was]; part != rest || ok && other != folder {
			return nil, fault.InEntry(fault.New(fault.Unsupported, "an object can only be moved as a whole"), entries[*e.From].Name)
		}
		now[was] = folder
	}
	for i, e := range entries {
		if folder, _, _ := strings.Cut(e.Name, "/"); now[folder] != "" && !kept[i] && !put[e.Name] {
			return nil, fault.InEntry(fault.New(fault.Unsupported, "a part of an object cannot be removed; remove the object, or put another source"), e.Name)
		}
	}
	return now, nil
}

// renamed returns an object with the new names of objects: its own name and those that it
// refers to. If nothing changes it returns the same object.
func renamed(n *node.Node, itself bool, names map[node.Xref]string) *node.Node {
	changed := itself
	n.Walk(func(n *node.Node, _ int) bool {
		x, ok := n.Xref()
		changed = changed || ok && names[node.Xref{Type: x.Type, Name: x.Name}] != ""
		return !changed
	})
	if !changed {
		return n
	}
	c := n.Clone()
	if itself {
		renameAll(c, n.Name(), names[node.Xref{Type: n.Type, Name: n.Name()}])
	}
	c.Walk(func(n *node.Node, _ int) bool {
		if x, ok := n.Xref(); ok {
			if name := names[node.Xref{Type: x.Type, Name: x.Name}]; name != "" {
				x.Name = name
				n.Body = node.NewXref(x).Body
			}
		}
		return true
	})
	return c
}

// renameAll changes the name of an object everywhere in it: its cursor has the name too.
func renameAll(n *node.Node, from, to string) {
	n.SetName(to)
	n.Walk(func(n *node.Node, _ int) bool {
		if n.Type == node.CURS && n.Name() == from {
			n.SetName(to)
		}
		return true
	})
}
