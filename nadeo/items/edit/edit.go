// Package edit changes existing items: their materials and surfaces, waypoint, placement,
// icon and mesh. Everything else in the file stays unchanged.
package edit

import (
	"context"
	"image"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/nadeo"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/crystal"
	"pakbox/nadeo/items/importer"
	"pakbox/nadeo/items/itemxml"
	"pakbox/nadeo/items/static"
)

// Icon replaces the icon, in the form of the old one: WebP or pixels. The order of the
// header's chunks stays.
func Icon(m *items.Model, picture image.Image) error {
	icon := items.IconHeader(picture)
	h := &m.File.Header
	if old, ok := gbx.FindHeader[*gamedata.Header2E001004](h); ok && len(old.Webp) > 0 {
		var err error
		if icon, err = items.WebPIconHeader(picture); err != nil {
			return err
		}
	}
	if i := slices.IndexFunc(h.Chunks, func(c gbx.HeaderChunk) bool { return c.ID == icon.ID }); i >= 0 {
		h.Chunks[i].Body, h.Chunks[i].Heavy = icon.Body, true
		return nil
	}
	h.RawUserData = nil
	h.Chunks = slices.Insert(h.Chunks, min(1, len(h.Chunks)), icon) // after the chunk with the name
	return nil
}

// Placement changes how the editor places the item.
func Placement(m *items.Model, change func(p *items.Placement)) error {
	p, ok := m.Placement()
	if !ok {
		return fault.New(fault.Unsupported, "the item does not say how it is placed")
	}
	change(&p)
	return m.SetPlacement(p)
}

// Waypoint makes the item another kind of waypoint, or none. A waypoint that cars must
// cross needs a trigger: if the item has none, a static object or a crystal gets a box
// around its mesh.
func Waypoint(m *items.Model, kind static.Waypoint) error {
	c, ok := gbx.Find[*gamedata.Chunk2E00201F](m.File.Body)
	if !ok {
		return fault.New(fault.Unsupported, "the item has no place for a waypoint")
	}
	crossed := kind == gamedata.CGameItemModelWaypointTypeFinish || kind == gamedata.CGameItemModelWaypointTypeCheckpoint ||
		kind == gamedata.CGameItemModelWaypointTypeStartFinish
	if crossed {
		if err := needTrigger(m); err != nil {
			return err
		}
	}
	c.WaypointType = kind
	return nil
}

// needTrigger adds a trigger if none exists.
func needTrigger(m *items.Model) error {
	s, err := m.Mesh()
	if err != nil {
		return err
	}
	triggers := s.Select(func(n *mesh.Node) bool { return n.Role == mesh.Trigger })
	if len(triggers.Nodes) > 0 {
		return nil
	}
	box := boxAround(s.Finest().Bounds())
	if e, ok := entityOf(m); ok {
		e.TriggerShape = gbx.NewRef(box.Node())
		return nil
	}
	c, _ := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	if c != nil {
		if e, ok := gbx.Find[*gamedata.Chunk2E026000](c.EntityModelEdition.Node); ok {
			return crystal.AddTrigger(e.MeshCrystal.Node, box)
		}
	}
	return fault.New(fault.Unsupported, "the item has no trigger, and is neither a static object nor a crystal, which could get one")
}

// boxAround makes the six sides of a box, with their front faces outside.
func boxAround(b mesh.Bounds) *static.Surface {
	box := &static.Surface{}
	for i := range 8 {
		pick := func(bit int, low, high float32) float32 {
			if i>>bit&1 == 1 {
				return high
			}
			return low
		}
		box.Points = append(box.Points, gbx.Vec3{X: pick(0, b.Min.X, b.Max.X), Y: pick(1, b.Min.Y, b.Max.Y), Z: pick(2, b.Min.Z, b.Max.Z)})
	}
	for _, q := range [][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} { // corners in the order that makes the front face point outwards
		box.Triangles = append(box.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	box.Kinds = make([]uint16, len(box.Triangles))
	return box
}

// entityOf returns the entity of a static object; false for other items.
func entityOf(m *items.Model) (*gamedata.Chunk2E027000, bool) {
	c, ok := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	if !ok {
		return nil, false
	}
	return gbx.Find[*gamedata.Chunk2E027000](c.EntityModel.Node)
}

// Mesh replaces the item's mesh, in the form that the item has: a static object or a
// crystal. Materials of the new mesh are matched by name. Trigger and start stay unless
// the new mesh has its own. Mesh returns notes for the user.
func Mesh(ctx context.Context, m *items.Model, file string) ([]string, error) {
	c, ok := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	if !ok {
		return nil, fault.New(fault.Unsupported, "the item has no mesh")
	}
	entity, isStatic := gbx.Find[*gamedata.Chunk2E027000](c.EntityModel.Node)
	edition, isCrystal := gbx.Find[*gamedata.Chunk2E026000](c.EntityModelEdition.Node)
	if !isStatic && !isCrystal {
		return nil, fault.New(fault.Unsupported, "the item is neither a static object nor a crystal; only meshes of these can be changed")
	}
	o := importer.Options{Source: "pakbox", Crystal: isCrystal}
	const first2020 = 13
	if c.Version < first2020 {
		o.Game = nadeo.ManiaPlanet4
	}
	r, err := importer.Create(ctx, importer.Part{Mesh: file, Name: m.Name(), Author: m.Author(), Materials: map[string]itemxml.Material{}}, o)
	if err != nil {
		return nil, err
	}
	var said []string
	for _, p := range r.Problems {
		said = append(said, strings.TrimSpace(p.Entry+" "+p.Message))
	}
	if r.Failed() {
		return nil, fault.New(fault.Unsupported, "%s", strings.Join(said, "; "))
	}
	made, _ := gbx.Find[*gamedata.Chunk2E002019](r.Model.File.Body)
	if isCrystal {
		from, _ := gbx.Find[*gamedata.Chunk2E026000](made.EntityModelEdition.Node)
		swapCrystal(edition, from)
		return said, nil
	}
	from, _ := gbx.Find[*gamedata.Chunk2E027000](made.EntityModel.Node)
	entity.StaticObject = from.StaticObject
	if from.TriggerShape.Node != nil {
		entity.TriggerShape, entity.SpawnLocation = from.TriggerShape, from.SpawnLocation
	}
	return said, nil
}

// swapCrystal replaces a crystal. Special layers of the old crystal that the new one
// lacks stay: triggers, starts, lights.
func swapCrystal(to, from *gamedata.Chunk2E026000) {
	old, ok := gbx.Find[*plug.Chunk09003005](to.MeshCrystal.Node)
	fresh, _ := gbx.Find[*plug.Chunk09003005](from.MeshCrystal.Node)
	if ok {
		for _, l := range old.Layers.List {
			stays := l.Type == plug.CPlugCrystalLayerTypeTrigger || l.Type == plug.CPlugCrystalLayerTypeSpawnPosition || l.Type == plug.CPlugCrystalLayerTypeLight
			if stays && !slices.ContainsFunc(fresh.Layers.List, func(f plug.CPlugCrystalLayer) bool { return f.Type == l.Type }) {
				fresh.Layers.List = append(fresh.Layers.List, l)
			}
		}
	}
	// Items before April 2022 have one more chunk at the beginning.
	if first, ok := gbx.Find[*plug.Chunk09051000](to.MeshCrystal.Node); ok {
		if node := from.MeshCrystal.Node; node.Chunks[0].ID != 0x09051000 {
			node.Chunks = slices.Insert(node.Chunks, 0, gbx.Chunk{ID: 0x09051000, Body: first})
		}
	}
	to.MeshCrystal = from.MeshCrystal
}
