package index

import (
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/items"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
)

// gbx adds the rows of a GBX file.
func (w *walker) gbx(f *file, a *gbxarchive.Archive, s Source, depth int) {
	of := a.File()
	f.set("class", of.Class.String())
	f.set("class_name", engine.Registry().ClassName(of.Class))
	f.set("game", a.Game())
	f.set("body_blake3", hashOf(of.BodyBytes()))
	w.references(f, a.References())
	if m, err := maps.Of(of); err == nil {
		f.set("kind", "map")
		w.mapRows(f, m, s.Size)
		if g := runs.ValidationGhost(m); g != nil {
			w.ghost(f, 0, g)
		}
	} else if r, err := runs.ReplayOf(of); err == nil {
		f.set("kind", "replay")
		w.replay(f, r, a, depth)
	} else if g, err := runs.GhostOf(of); err == nil {
		f.set("kind", "ghost")
		w.ghost(f, 0, g)
	} else if c, err := clips.ClipOf(of); err == nil {
		w.clip(f, 0, "file", c)
	} else {
		w.model(f, of)
	}
}

// references adds the external files in the header's reference table.
func (w *walker) references(f *file, refs []string) {
	for i, r := range refs {
		w.rows.add(dependenciesTable, f.key, i, "reference", r, nil, nil)
	}
}

// model adds the row of an item or another editor object, and the geometry of a file.
func (w *walker) model(f *file, of *gbx.File) {
	geometry := gbxarchive.MeshFactsOf(of)
	if geometry != nil {
		row := meshesTable.rowOf(f)
		meshesTable.fill(row, geometry)
		w.rows.AddRow(meshesTable, row)
	}
	if facts := items.FactsOf(of); facts != nil {
		f.set("kind", "item")
		row := itemsTable.rowOf(f)
		itemsTable.fill(row, facts)
		itemsTable.fill(row, geometry)
		w.rows.AddRow(itemsTable, row)
	}
}

// rowOf returns a row that has only the key of its file.
func (t *Table) rowOf(f *file) []any {
	row := t.empty()
	row[0] = f.key
	return row
}
