package index

import (
	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbxarchive"
	"pakbox/trackmania"
)

// gbx adds what stands in a GBX file.
func (w *walker) gbx(f *File, a *gbxarchive.Archive, s Source, depth int) {
	facts, file := a.Facts(), a.File()
	f.Class, f.ClassName, f.Game = said(facts, "class"), said(facts, "class_name"), said(facts, "game")
	f.BodyBLAKE3 = hashOf(file.BodyBytes())
	w.references(f, facts)
	w.meshes(f, facts)
	if m, err := trackmania.MapOf(file); err == nil {
		w.mapRows(f, m, facts, s.Size)
	}
	if r, err := trackmania.ReplayOf(file); err == nil {
		w.replay(f, r, a, facts, depth)
	}
	if fact(facts, "page") != nil {
		w.item(f, file, facts)
	}
	for i, g := range trackmania.GhostsOf(file) {
		w.ghost(f, int64(i), g)
	}
}

// said is a fact that is a text; nil if it is not said.
func said(facts []archive.Fact, name string) *string {
	s, _ := fact(facts, name).(string)
	return text(s)
}

// references adds the files outside that the header names.
func (w *walker) references(f *File, facts []archive.Fact) {
	refs, _ := fact(facts, "references").([]string)
	for i, r := range refs {
		w.rows.Dependencies = append(w.rows.Dependencies, Dependency{File: f.File, Ordinal: int64(i), Kind: "reference", Path: r})
	}
}

// meshes adds how much geometry the file has.
func (w *walker) meshes(f *File, facts []archive.Fact) {
	if fact(facts, "vertex_count") != nil {
		row := Mesh{File: f.File}
		fill(&row, facts)
		w.rows.Meshes = append(w.rows.Meshes, row)
	}
}

// item adds a thing of the editors' lists.
func (w *walker) item(f *File, file *gbx.File, facts []archive.Fact) {
	row := Item{File: f.File}
	fill(&row, facts)
	if m, err := trackmania.ItemModelOf(file); err == nil {
		icon := m.HasIcon()
		row.Waypoint, row.Description, row.Model, row.HasIcon = text(m.Waypoint().String()), text(m.Description()), text(m.Model()), &icon
	}
	w.rows.Items = append(w.rows.Items, row)
}
