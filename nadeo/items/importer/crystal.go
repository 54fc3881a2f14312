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

// crystalUse prepares a material of an object for a crystal. In a crystal all faces have
// both layers of texture coordinates.
func (p *pieces) crystalUse(n *model.Node, place int, said *itemxml.Material) use {
	if _, ok := p.uses[place]; !ok {
		m, ok := p.crystalMaterial(said)
		if !ok {
			return use{asked: true, index: -1}
		}
		p.take(place, m)
	}
	layers := []*model.UVLayer{n.Mesh.UVLayer(model.BaseMaterial), n.Mesh.UVLayer(model.Lightmap)}
	return use{asked: true, index: p.uses[place], layers: layers}
}

// crystalMaterial makes a material that is named by its whole path. The game's editor
// also has materials that the importer's library lacks, so an unknown one is not an error.
func (p *pieces) crystalMaterial(said *itemxml.Material) (m static.Material, ok bool) {
	if said.Link == "" {
		p.unknownLink(said)
		return m, false
	}
	m = static.Material{Name: said.Name, Link: strings.ReplaceAll(said.Link, "/", `\`), Whole: true, UVLayers: 2, Lightmap: 1, Color: said.Color}
	if err := nadeo.CheckName(m.Link); err != nil {
		p.say(finding.Error, p.params.File, said.Line, said.Name, "write another Link", "%v", err)
		return m, false
	}
	is2020 := p.game() == nadeo.Trackmania2020
	if known := library.Find(m.Link); known != nil && is2020 {
		m.Link = known.Full()
	} else if !strings.Contains(m.Link, `\`) {
		m.Link = p.params.Collection + `\Media\Material\` + m.Link
	}
	known := true
	if m.Surface, known = library.SurfaceOf(m.Link); said.PhysicsID != "" {
		m.Surface, _ = library.Surface(said.PhysicsID)
	}
	if !known && is2020 {
		p.once("link\x00"+said.Name, finding.Warning, p.params.File, said.Line, said.Name, p.nearLink(said),
			"no library at hand has the material %s: it may have no texture in the game", m.Link)
	}
	m.Gameplay, _ = library.Gameplay(said.GameplayID)
	return m, true
}
