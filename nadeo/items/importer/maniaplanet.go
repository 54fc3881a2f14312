package importer

import (
	"strings"

	"pakbox/finding"
	"pakbox/gbx/mesh/model"
	"pakbox/nadeo"
	"pakbox/nadeo/items/itemxml"
	"pakbox/nadeo/items/library"
	"pakbox/nadeo/items/static"
)

// maniaPlanetItem makes an item of ManiaPlanet. Its mesh and its shapes are separate
// files, which ImportMesh makes first.
func (w *work) maniaPlanetItem() error {
	i := w.item
	w.MadeFor = nadeo.ManiaPlanet4
	o := static.Item{Name: i.Name(), Author: i.AuthorName, Waypoint: waypoints[i.Waypoint], Placement: w.placement(), Icon: w.icon()}
	w.environment(&o, nadeo.ManiaPlanet4)
	if i.Type != "StaticObject" {
		w.say(finding.Error, i.File, 1, "Item", `write Type="StaticObject"`, "only static objects can be made")
	}
	if i.MoveShape == "" {
		w.say(finding.Warning, i.File, 1, "Phy", `add <Phy><MoveShape Type="mesh" File="..."/></Phy>`, "the item has no shape: cars pass through it")
	}
	if i.Waypoint != "" && i.Waypoint != "Start" && i.TriggerShape == "" {
		w.say(finding.Error, i.File, i.WaypointLine, "Phy", `add <TriggerShape Type="mesh" File="..."/> to Phy`, "a %s needs a trigger", i.Waypoint)
	}
	if w.Failed() {
		return nil
	}
	var err error
	w.Model, err = static.NewManiaPlanet(o, static.ManiaPlanetFiles{
		Mesh: windows(i.Mesh), MoveShape: windows(i.MoveShape), TriggerShape: windows(i.TriggerShape),
	})
	return err
}

// windows returns a path with backslashes, the form in items.
func windows(path string) string { return strings.ReplaceAll(path, "/", `\`) }

// maniaPlanetMaterial makes a material of ManiaPlanet, whose library is not available. It
// takes the layers that the mesh has. Its surface is the one in real meshes and items, or
// that of the material with the same name in Trackmania (2020), or else concrete.
func (p *pieces) maniaPlanetMaterial(said *itemxml.Material, m *model.Mesh) *library.Material {
	if said.Link == "" && (said.Model == "" || said.BaseTexture == "") {
		p.once("link\x00"+said.Name, finding.Error, p.params.File, said.Line, said.Name, `write Link="...", or Model="TDSN" and BaseTexture="..."`,
			"the material %s has neither a Link nor a Model with a BaseTexture", said.Name)
		return nil
	}
	out := &library.Material{Library: p.params.Collection, Name: said.Link, Path: `\` + said.Link, Surface: "Concrete", UVLayers: []string{model.BaseMaterial}}
	if m.UVLayer(model.Lightmap) != nil {
		out.UVLayers = append(out.UVLayers, model.Lightmap)
	}
	if n, known := library.SurfaceOf(p.params.Collection + `\Media\Material\` + said.Link); known {
		out.Surface = library.SurfaceName(n)
	} else if known := library.Find(said.Link); known != nil {
		out.Surface = known.Surface
	} else if said.PhysicsID == "" {
		p.once("physics\x00"+said.Name, finding.Warning, p.params.File, said.Line, said.Name, `write PhysicsId="Asphalt" or another surface`,
			"how the material %s drives is not known: it drives like concrete", said.Name)
	}
	return out
}
