package importer

import (
	"context"
	"path/filepath"
	"strings"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/items/static"
)

// MeshResult holds the files that are made from a mesh without an item.
type MeshResult struct {
	Result
	Files []File // in the order of writing
}

// File is a new file. Name has no folder.
type File struct {
	Name string
	GBX  *gbx.File
}

// ImportMesh makes the files of a mesh: Name.Mesh.gbx, Name.Shape.gbx, and
// NameTrigger.Shape.gbx if it has triggers. The parameters are in Name.MeshParams.xml
// beside the mesh.
func ImportMesh(ctx context.Context, path string, o Options) (*MeshResult, error) {
	w := &work{Options: o, root: workFolder(path)}
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if err := w.readMesh(beside(filepath.Dir(path), stem+".MeshParams.xml"), path, "put it beside the mesh"); err != nil {
		return nil, err
	}
	out := &MeshResult{}
	if w.params != nil && w.scene != nil {
		out.Files = w.meshFiles(stem)
	}
	out.Result = w.Result
	if out.Failed() {
		out.Files = nil
	}
	return out, ctx.Err()
}

func (w *work) meshFiles(stem string) []File {
	item := &static.Item{}
	hull := &static.Surface{}
	p := w.gather(item)
	// ManiaPlanet's importer lists the surfaces of the materials in the shape, in their
	// order. Trackmania's importer does not.
	var kinds map[int]uint16
	if w.Game == nadeo.ManiaPlanet4 {
		kinds = p.kinds
		for i := range item.Solid.Materials {
			hull.Table = append(hull.Table, uint16(item.Solid.Materials[i].Surface))
		}
	}
	for i := range w.scene.Nodes {
		n := &w.scene.Nodes[i]
		lod, _ := level(n.Name)
		if n.Mesh != nil && lod == 0 && !begins(n.Name, prefixTrigger) && !begins(n.Name, socketStart) && !begins(n.Name, prefixNotCollidable) {
			p.surface(n, hull, kinds)
		}
	}
	if w.Failed() {
		return nil
	}
	file, shape := item.Solid.File, (*static.Surface).File
	if w.Game == nadeo.ManiaPlanet4 {
		file, shape = item.Solid.ManiaPlanetFile, (*static.Surface).ManiaPlanetFile
	}
	solid, err := file()
	if err != nil {
		w.say(finding.Error, w.Mesh, 0, "", "", "%v", err)
		return nil
	}
	out := []File{{stem + ".Mesh.gbx", solid}, {stem + ".Shape.gbx", shape(hull)}}
	if item.Trigger != nil {
		out = append(out, File{stem + "Trigger.Shape.gbx", shape(item.Trigger)})
	}
	return out
}
