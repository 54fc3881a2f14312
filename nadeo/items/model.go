package items

import (
	"cmp"
	"context"
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/internal/disk"
	"pakbox/nadeo/internal/places"
)

// classItemModel is the class of item files.
const classItemModel classid.ID = 0x2E002000

// Model is an item file: an item that maps place, a custom block, a vehicle, a character,
// and more.
type Model struct{ Collector }

// ModelOf returns the item in a file.
func ModelOf(f *gbx.File) (*Model, error) {
	if f.Class.Latest() != classItemModel {
		return nil, fault.New(fault.NotFormat, "the file is not an item")
	}
	return &Model{Collector{f}}, nil
}

// Type returns the kind of item.
func (m *Model) Type() gamedata.CGameItemModelItemType { return itemType.Read(places.SiteOf(m.File)) }

// Waypoint returns the kind of waypoint that the item is; None for most items.
func (m *Model) Waypoint() gamedata.CGameItemModelWaypointType {
	if c, ok := gbx.Find[*gamedata.Chunk2E00201F](m.File.Body); ok {
		return c.WaypointType
	}
	return gamedata.CGameItemModelWaypointTypeNone
}

// Model returns the class of the node that defines the item, for example
// CGameCommonItemEntityModelEdition for an item that the game's editor can still edit; ""
// if the file does not contain it.
func (m *Model) Model() string {
	c, ok := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	if !ok {
		return ""
	}
	for _, r := range []gbx.Ref{c.EntityModelEdition, c.EntityModel, c.VisModelCustom, c.VisModel, c.PhyModelCustom, c.PhyModel} {
		if r.Node != nil {
			return m.File.Registry().ClassName(r.Node.Class)
		}
	}
	return ""
}

// Files returns the external files that the item names: meshes, shapes, sounds, each
// once.
func (m *Model) Files() []string {
	out := []string{}
	add := func(names ...string) {
		for _, n := range names {
			if n != "" && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	c, ok := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	if !ok {
		return out
	}
	vis, phy := c.VisModel.Node, c.PhyModel.Node
	if e, ok := gbx.Find[*gamedata.Chunk2E027000](c.EntityModel.Node); ok { // items of ManiaPlanet since 2017
		vis, phy = cmp.Or(vis, e.VisModel.Node), cmp.Or(phy, e.PhyModel.Node)
	}
	if v, ok := gbx.Find[*gamedata.Chunk2E007001](vis); ok {
		add(v.Mesh, v.SolidRef, v.ParticleModelAlive, v.SmashParticleRef, v.VisEntFx, v.SoundRefSpawn, v.SoundRefUnspawn, v.SoundRefGrab)
	}
	if v, ok := gbx.Find[*gamedata.Chunk2E007002](vis); ok {
		add(v.SoundRefSpawn, v.SoundRefUnspawn, v.SoundRefGrab, v.SoundRefSmashed, v.SoundRefPermanent)
	}
	if p, ok := gbx.Find[*gamedata.Chunk2E006001](phy); ok {
		add(p.MoveShape, p.HitShape, p.TriggerShape, p.Solid, p.ActionModel)
	}
	return out
}

// Mesh returns the item's geometry.
func (m *Model) Mesh() (*mesh.Scene, error) { return mesh.Read(m.File, mesh.Options{}) }

// Placement states how the editor places an item. Lengths are in metres.
type Placement struct {
	YawOnly             bool // the item stays upright
	NotOnObject         bool // the item cannot be put on another item
	AutoRotation        bool // the item tilts with the ground
	SwitchPivotManually bool
	GhostMode           bool     // the item may overlap other things
	GridStep            gbx.Vec2 // X to the sides, Y upwards; 0 for no grid
	GridOffset          gbx.Vec2
	FlyStep, FlyOffset  float32 // height steps above the ground
	PivotSnap           float32 // distance at which a pivot snaps; -1 for the default
	Pivots              []gbx.Vec3
	Magnets             []gbx.Vec3 // places that attract other items
}

// flagGhostMode is probably the GhostMode of the importer's XML. No known item has its
// XML file, but all 38 items of ManiaPlanet with this flag levitate, and GhostMode is a
// setting of levitation. The meaning of flag 0x20 is unknown.
const flagGhostMode gamedata.CGameItemPlacementParamPlacementFlags = 0x10

// flags returns the switches of a placement by their bits in the file.
func (p *Placement) flags() map[gamedata.CGameItemPlacementParamPlacementFlags]*bool {
	return map[gamedata.CGameItemPlacementParamPlacementFlags]*bool{
		gamedata.CGameItemPlacementParamPlacementFlagsYawOnly:             &p.YawOnly,
		gamedata.CGameItemPlacementParamPlacementFlagsNotOnObject:         &p.NotOnObject,
		gamedata.CGameItemPlacementParamPlacementFlagsAutoRotation:        &p.AutoRotation,
		gamedata.CGameItemPlacementParamPlacementFlagsSwitchPivotManually: &p.SwitchPivotManually,
		flagGhostMode: &p.GhostMode,
	}
}

// Placement returns how the editor places the item; false if the file does not say.
func (m *Model) Placement() (Placement, bool) {
	c, ok := gbx.Find[*gamedata.Chunk2E00201C](m.File.Body)
	if !ok || c.DefaultPlacement.Node == nil {
		return Placement{}, false
	}
	var p Placement
	node := c.DefaultPlacement.Node
	if c, ok := gbx.Find[*gamedata.Chunk2E020000](node); ok {
		for bit, set := range p.flags() {
			*set = c.Flags&bit != 0
		}
		p.GridStep = gbx.Vec2{X: c.GridSnapHStep, Y: c.GridSnapVStep}
		p.GridOffset = gbx.Vec2{X: c.GridSnapHOffset, Y: c.GridSnapVOffset}
		p.FlyStep, p.FlyOffset, p.PivotSnap = c.FlyVStep, c.FlyVOffset, c.PivotSnapDistance
	}
	if c, ok := gbx.Find[*gamedata.Chunk2E020001](node); ok {
		p.Pivots = c.PivotPositions
	}
	if c, ok := gbx.Find[*gamedata.Chunk2E020004](node); ok {
		for i := range c.MagnetLocs {
			p.Magnets = append(p.Magnets, c.MagnetLocs[i].Position)
		}
	}
	return p, true
}

// Chunks makes the two chunks of a new item's placement: values and pivots.
func (p *Placement) Chunks() (*gamedata.Chunk2E020000, *gamedata.Chunk2E020001) {
	c := &gamedata.Chunk2E020000{}
	p.fill(c)
	return c, &gamedata.Chunk2E020001{PivotPositions: p.Pivots}
}

func (p *Placement) fill(c *gamedata.Chunk2E020000) {
	for bit, set := range p.flags() {
		c.Flags &^= bit
		if *set {
			c.Flags |= bit
		}
	}
	c.GridSnapHStep, c.GridSnapVStep = p.GridStep.X, p.GridStep.Y
	c.GridSnapHOffset, c.GridSnapVOffset = p.GridOffset.X, p.GridOffset.Y
	c.FlyVStep, c.FlyVOffset, c.PivotSnapDistance = p.FlyStep, p.FlyOffset, p.PivotSnap
}

// SetPlacement changes how the editor places the item. Magnets stay unchanged.
func (m *Model) SetPlacement(p Placement) error {
	outer, ok := gbx.Find[*gamedata.Chunk2E00201C](m.File.Body)
	if !ok {
		return fault.New(fault.Unsupported, "the item does not say how it is placed")
	}
	c, ok := gbx.Find[*gamedata.Chunk2E020000](outer.DefaultPlacement.Node)
	if !ok {
		return fault.New(fault.Unsupported, "the item does not say how it is placed")
	}
	p.fill(c)
	pivots, ok := gbx.Find[*gamedata.Chunk2E020001](outer.DefaultPlacement.Node)
	switch {
	case ok && len(pivots.PivotRotations) > 0 && len(p.Pivots) != len(pivots.PivotPositions):
		return fault.New(fault.Unsupported, "the pivots of the item are turned, so that their number cannot change")
	case ok:
		pivots.PivotPositions = p.Pivots
	case len(p.Pivots) > 0:
		return fault.New(fault.Unsupported, "the item has no place for pivots")
	}
	return nil
}

// Open reads an item from a path.
func Open(ctx context.Context, path string) (*Model, error) {
	return disk.Open(ctx, path, ModelOf)
}

// Save writes the item to path. An existing file is replaced in one step, so that after a
// crash either the old or the new file is there.
func (m *Model) Save(path string) error { return disk.Save(m.File, path) }
