package index

import (
	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbxarchive"
	"pakbox/trackmania/items"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
)

// gbx adds what stands in a GBX file.
func (w *walker) gbx(f *File, a *gbxarchive.Archive, s Source, depth int) {
	file := a.File()
	f.Class, f.ClassName, f.Game = text(file.Class.String()), text(engine.Registry().ClassName(file.Class)), text(a.Game())
	f.BodyBLAKE3 = hashOf(file.BodyBytes())
	w.references(f, a.References())
	if m, err := maps.Of(file); err == nil {
		w.mapRows(f, m, s.Size)
		if g := runs.ValidationGhost(m); g != nil {
			w.ghost(f, 0, g, g.Info())
		}
	} else if r, err := runs.ReplayOf(file); err == nil {
		w.replay(f, r, a, depth)
	} else if g, err := runs.GhostOf(file); err == nil {
		w.ghost(f, 0, g, g.Info())
	} else {
		w.other(f, file, a.Facts())
	}
}

// other adds items, blocks, meshes and the like.
func (w *walker) other(f *File, file *gbx.File, facts fact.Record) {
	if valueOf(facts, "vertex_count") != nil {
		row := Mesh{File: f.File}
		fill(&row, facts)
		w.rows.Meshes = append(w.rows.Meshes, row)
	}
	if valueOf(facts, "page") != nil {
		w.item(f, file, facts)
	}
}

// references adds the files outside that the header names.
func (w *walker) references(f *File, refs []string) {
	for i, r := range refs {
		w.rows.Dependencies = append(w.rows.Dependencies, Dependency{File: f.File, Ordinal: int64(i), Kind: "reference", Path: r})
	}
}

// item adds a thing of the editors' lists.
func (w *walker) item(f *File, file *gbx.File, facts fact.Record) {
	row := Item{File: f.File}
	fill(&row, facts)
	if m, err := items.ModelOf(file); err == nil {
		icon := m.HasIcon()
		row.Waypoint, row.Description, row.Model, row.HasIcon = text(m.Waypoint().String()), text(m.Description()), text(m.Model()), &icon
	}
	w.rows.Items = append(w.rows.Items, row)
}
