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

// Create implements archive.Creator. Object files are merged, sources are
// compiled with the pictures given beside them, and the folders of extracted
// objects become those objects again.
func (f Format) Create(ctx context.Context, stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
	return edit(ctx, stage, node.New(), items, opts)
}

// Edit implements archive.Editor. Objects that are not named stay as they
// are, byte for byte.
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

// planned turns what a plan says of files into what becomes of objects: which
// of them stay, under which names, and what is new.
func (a *Archive) planned(list []archive.Edited) (objects []*node.Node, items []archive.Item, err error) {
	put := map[string]bool{} // what is new, with its folders
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
	names := map[node.Xref]string{} // new ones, by what refers to the old
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

// moved tells where the folders of objects are after a plan; those that have
// nothing left are not there. An object goes and moves as a whole.
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

// renamed returns an object in which the new names of objects stand, its own
// and those it refers to. One without any of them is returned as it is.
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

// renameAll changes an object's name where it stands: also its cursor has it.
func renameAll(n *node.Node, from, to string) {
	n.SetName(to)
	n.Walk(func(n *node.Node, _ int) bool {
		if n.Type == node.CURS && n.Name() == from {
			n.SetName(to)
		}
		return true
	})
}
