// Package edit changes items that exist: their materials and surfaces, waypoint,
// placement, icon and mesh. Everything else in the file stays as it is.
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
	"pakbox/trackmania"
	"pakbox/trackmania/items"
	"pakbox/trackmania/items/importer"
	"pakbox/trackmania/items/itemxml"
	"pakbox/trackmania/items/static"
)

// Icon gives the item another icon. The header keeps its order.
func Icon(m *items.Model, picture image.Image) {
	icon := items.IconHeader(picture)
	h := &m.File.Header
	if i := slices.IndexFunc(h.Chunks, func(c gbx.HeaderChunk) bool { return c.ID == icon.ID }); i >= 0 {
		h.Chunks[i].Body, h.Chunks[i].Heavy = icon.Body, true
		return
	}
	h.RawUserData = nil
	h.Chunks = slices.Insert(h.Chunks, min(1, len(h.Chunks)), icon) // behind the chunk with the name
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

// Waypoint makes the item another kind of waypoint, or none. One that must be crossed
// needs a trigger: a static object gets a box around its mesh if there is none; a
// crystal must have a layer for it.
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

// needTrigger makes sure that there is a trigger.
func needTrigger(m *items.Model) error {
	s, err := m.Mesh()
	if err != nil {
		return err
	}
	triggers := s.Select(func(n *mesh.Node) bool { return n.Role == mesh.Trigger })
	if len(triggers.Nodes) > 0 {
		return nil
	}
	e, ok := entityOf(m)
	if !ok {
		return fault.New(fault.Unsupported, "the item has no trigger, and a crystal gets one only in the mesh modeler of the game")
	}
	b := s.Finest().Bounds()
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
	for _, q := range [][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} { // seen from outside
		box.Triangles = append(box.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	box.Kinds = make([]uint16, len(box.Triangles))
	e.TriggerShape = gbx.NewRef(box.Node())
	return nil
}

// entityOf is the entity of a static object; false if the item is something else.
func entityOf(m *items.Model) (*gamedata.Chunk2E027000, bool) {
	c, ok := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	if !ok {
		return nil, false
	}
	return gbx.Find[*gamedata.Chunk2E027000](c.EntityModel.Node)
}

// Mesh puts another mesh in the place of the item's, in the form that the item has:
// a static object or a crystal. Materials of the new mesh go by their names. Trigger
// and start stay unless the mesh brings its own.
func Mesh(ctx context.Context, m *items.Model, file string, scene *mesh.Scene) ([]string, error) {
	if e, ok := entityOf(m); ok {
		return swapStatic(ctx, m, e, file)
	}
	c, ok := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	if ok {
		if e, ok := gbx.Find[*gamedata.Chunk2E026000](c.EntityModelEdition.Node); ok {
			return nil, swapCrystal(m, c.Version, e, scene)
		}
	}
	return nil, fault.New(fault.Unsupported, "the item is neither a static object nor a crystal; only meshes of these can be changed")
}

func swapStatic(ctx context.Context, m *items.Model, e *gamedata.Chunk2E027000, file string) ([]string, error) {
	part := importer.Part{Mesh: file, Name: m.Name(), Author: m.Author(), Materials: map[string]itemxml.Material{}}
	r, err := importer.Create(ctx, part, importer.Options{Source: "pakbox item set"})
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
	made, _ := entityOf(r.Model)
	e.StaticObject = made.StaticObject
	if made.TriggerShape.Node != nil {
		e.TriggerShape, e.SpawnLocation = made.TriggerShape, made.SpawnLocation
	}
	return said, nil
}

func swapCrystal(m *items.Model, version uint32, e *gamedata.Chunk2E026000, scene *mesh.Scene) error {
	game := trackmania.Trackmania2020
	const first2020 = 13
	if version < first2020 {
		game = trackmania.ManiaPlanet4
	}
	// The new item is only made for its crystal.
	made, err := items.New(items.Options{Game: game, Mesh: scene})
	if err != nil {
		return err
	}
	c, _ := gbx.Find[*gamedata.Chunk2E002019](made.File.Body)
	from, _ := gbx.Find[*gamedata.Chunk2E026000](c.EntityModelEdition.Node)
	old, ok := gbx.Find[*plug.Chunk09003005](e.MeshCrystal.Node)
	fresh, _ := gbx.Find[*plug.Chunk09003005](from.MeshCrystal.Node)
	if ok { // layers that are no geometry stay: triggers, starts, lights
		for _, l := range old.Layers.List {
			if l.Trigger != nil || l.Type == plug.CPlugCrystalLayerTypeSpawnPosition || l.Type == plug.CPlugCrystalLayerTypeLight {
				fresh.Layers.List = append(fresh.Layers.List, l)
			}
		}
	}
	e.MeshCrystal = from.MeshCrystal
	return nil
}
