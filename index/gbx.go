package index

import (
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbxarchive"
	"pakbox/trackmania"
)

// gbx adds the rows of a GBX file.
func (w *walker) gbx(f *file, a *gbxarchive.Archive, s Source, depth int) {
	of := a.File()
	f.set("class", of.Class.String())
	f.set("class_name", engine.Registry().ClassName(of.Class))
	f.set("game", a.Game())
	f.set("body_blake3", hashOf(of.BodyBytes()))
	w.references(f, a.References())
	if m, err := trackmania.MapOf(of); err == nil {
		f.set("kind", "map")
		w.mapRows(f, m, s.Size)
		if g := m.ValidationGhost(); g != nil {
			w.ghost(f, 0, g)
		}
	} else if r, err := trackmania.ReplayOf(of); err == nil {
		f.set("kind", "replay")
		w.replay(f, r, a, depth)
	} else if g, err := trackmania.GhostOf(of); err == nil {
		f.set("kind", "ghost")
		w.ghost(f, 0, g)
	} else {
		w.model(f, of)
	}
}

// references adds the files outside that the header names.
func (w *walker) references(f *file, refs []string) {
	for i, r := range refs {
		w.rows.add(dependencies, f.key, i, "reference", r, nil, nil)
	}
}

// model adds an item or another thing of the editors' lists, and the geometry
// of a file.
func (w *walker) model(f *file, of *gbx.File) {
	geometry := gbxarchive.MeshFactsOf(of)
	if geometry != nil {
		row := meshes.rowOf(f)
		meshes.fill(row, geometry)
		w.rows.AddRow(meshes, row)
	}
	if facts := gbxarchive.ItemFactsOf(of); facts != nil {
		f.set("kind", "item")
		row := items.rowOf(f)
		items.fill(row, facts)
		items.fill(row, geometry)
		w.rows.AddRow(items, row)
	}
}

// rowOf is a row of which nothing is known but its file.
func (t *Table) rowOf(f *file) []any {
	row := t.empty()
	row[0] = f.key
	return row
}
