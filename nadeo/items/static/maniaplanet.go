package static

import (
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/items"
)

// The form of ManiaPlanet's importer since 2017: the item names separate files for its
// mesh, its shape and its trigger. Versions and constant values are those of 32 real
// items, 20 meshes and 24 shapes.

// ManiaPlanetFile makes a file of the surface in the form of ManiaPlanet, Name.Shape.gbx:
// triangles that refer to a list of surface types.
func (s *Surface) ManiaPlanetFile() *gbx.File {
	n := s.Node()
	c := n.Chunks[0].Body.(*plug.Chunk0900C003)
	c.Version, c.SurfVersion, c.Surf.MeshSurf.Mesh.Version, c.Surf.U02 = 2, 1, 6, gbx.Vec3{}
	for _, kind := range c.SurfaceIDs {
		c.Materials = append(c.Materials, plug.CPlugSurfaceSurfMaterial{SurfaceID: kind & 0xFF})
		c.SurfaceIDBytes = append(c.SurfaceIDBytes, byte(kind))
	}
	c.SurfaceIDs = nil
	joint := plug.CPlugSkelJoint{Name: gbx.NoID, ParentIndex: -1, GlobalJoint: gbx.Quat{Z: 1}, U02: gbx.Iso4(mesh.Identity)}
	c.Skel = gbx.NewRef(chunks.Node(&plug.Chunk090BA000{Version: maniaPlanet.skel, Skel: plug.CPlugSkelSkel{
		Name: gbx.NoID, Joints: []plug.CPlugSkelJoint{joint}, U04: []byte{0},
	}}))
	return gbx.New(n, engine.Registry())
}

// ManiaPlanetFiles are the names of the files that an item of ManiaPlanet refers to,
// relative to the item's file.
type ManiaPlanetFiles struct{ Mesh, MoveShape, TriggerShape string }

// NewManiaPlanet makes an item of ManiaPlanet 4 that refers to its files. Of o it uses
// only the identity, the waypoint, the placement and the icon.
func NewManiaPlanet(o Item, files ManiaPlanetFiles) (*items.Model, error) {
	identity := gbx.Iso4(mesh.Identity)
	phy := chunks.Node(&gamedata.Chunk2E006001{
		Version: 22, TriggerActionVersion: 5, MoveShape: files.MoveShape, TriggerShape: files.TriggerShape, Location: identity,
		Persistence: gamedata.CGameObjectPhyModelPersistenceNeverRemove, ThrowSpeed: 30, ThrowAngularSpeed: 10, Armor: 100, LifeTimeDuration: 7000, ScaleCoefMax: 1, StaminaSpawnCoef: 1, TimeBeforeDome: 500,
		HealArmorGainPerSecond: 10, ShieldDomeArmor: 200, DontRemoveOwnerWhenDestroyed: gbx.True,
	}, &gamedata.Chunk2E006003{})
	var vis chunks.Chunks
	vis.Add(&gamedata.Chunk2E007001{Version: 21, Mesh: files.Mesh})
	vis.Skippable(&gamedata.Chunk2E007002{SoundLocPermanent: identity})
	entity := chunks.Node(&gamedata.Chunk2E027000{PhyModel: gbx.NewRef(phy), VisModel: gbx.NewRef(&gbx.Node{Class: 0x2E007000, Chunks: vis})})
	var l chunks.Chunks
	l.Add(
		&gamedata.Chunk2E001009{PageName: itemPage, ParentCollectorID: gbx.NoID},
		&gamedata.Chunk2E00100B{Model: o.ident()}, &gamedata.Chunk2E00100C{Name: styled.Marked(o.Name)},
		&gamedata.Chunk2E00100D{Description: "No Description"}, &gamedata.Chunk2E00100E{IconUseAutoRender: gbx.True},
		&gamedata.Chunk2E001010{Version: 2},
		&gamedata.Chunk2E001011{Version: 1, CatalogPosition: 1, ProdState: gamedata.CGameCtnCollectorProdStateRelease},
		&gamedata.Chunk2E002008{NadeoSkinFids: make([]gbx.Ref, 7)},
		&gamedata.Chunk2E002009{CamerasListVersion: chunks.ListVersion}, &gamedata.Chunk2E00200C{},
		&gamedata.Chunk2E002012{OrbitalRadiusBase: -1, OrbitalPreviewAngle: 0.15}, &gamedata.Chunk2E002013{},
		&gamedata.Chunk2E002015{ItemType: gamedata.CGameItemModelItemTypeOrnament},
		&gamedata.Chunk2E002019{Version: 12, DefaultWeaponName: gbx.NoID, EntityModel: gbx.NewRef(entity)},
		&gamedata.Chunk2E00201A{}, &gamedata.Chunk2E00201C{Version: 5, DefaultPlacement: gbx.NewRef(o.placement(false))},
		&gamedata.Chunk2E00201E{Version: 6}, &gamedata.Chunk2E00201F{Version: 8, WaypointType: o.Waypoint},
		&gamedata.Chunk2E002020{Version: 3}, &gamedata.Chunk2E002021{}, &gamedata.Chunk2E002023{})
	l.Skippable(&gamedata.Chunk2E002024{})
	f := gbx.New(&gbx.Node{Class: classItem, Chunks: l}, engine.Registry())
	f.RawUserData = nil
	f.Chunks = o.header()
	return items.ModelOf(f)
}
