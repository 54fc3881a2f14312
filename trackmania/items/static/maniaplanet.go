package static

import (
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/internal/lib/styled"
	"pakbox/trackmania/internal/build"
	"pakbox/trackmania/items"
)

// The form of ManiaPlanet's importer: an item that names files for its mesh, its
// shape and its trigger. Versions are those of real files, 12 meshes (version 14), 14
// shapes and an item of 2015 and later.

// ManiaPlanetFile is the solid as ManiaPlanet's Name.Mesh.gbx.
func (s *Solid) ManiaPlanetFile() (*gbx.File, error) {
	const allLevels = 0xFFFFFFFF
	c := &plug.Chunk090BB000{
		Version: 14, U01: gbx.NoID, VisualsListVersion: build.ListVersion, MaterialsListVersion: build.ListVersion, VisCstType: 1,
		LodDistances: s.LodDistances, FileWriteTime: fileTime(s.Time), MaterialsFolderName: s.Folder, U04: 1,
	}
	for i := range s.Parts {
		p := &s.Parts[i]
		layers := s.Materials[p.Material].UVLayers
		levels := p.Levels
		if len(s.LodDistances) == 0 {
			levels = allLevels
		}
		for _, w := range weld(p.Corners, layers) {
			c.ShadedGeoms = append(c.ShadedGeoms, plug.CPlugSolid2ModelShadedGeom{
				VisualIndex: uint32(len(c.Visuals)), MaterialIndex: uint32(p.Material), U01: -1, LodMask: levels,
			})
			c.Visuals = append(c.Visuals, gbx.NewRef(w.maniaPlanetVisual(layers)))
		}
	}
	if len(c.Visuals) == 0 {
		return nil, errNoTriangles()
	}
	if light, ok := s.lightmap(); ok {
		c.HasPreLightGen, c.PreLightGen = gbx.True, light
	}
	for i := range s.Materials {
		m := &s.Materials[i]
		inst := &plug.Chunk090FD000{
			Version: 6, MaterialName: gbx.NewID(m.Name), Model: gbx.NoID, BaseTexture: m.BaseTexture, SurfacePhysicID: m.Surface, LinkID: gbx.NoID,
		}
		if m.Link != "" {
			inst.LinkID = gbx.NewID(m.Link)
		} else {
			inst.Model = gbx.NewID(m.Model)
		}
		c.MaterialInsts = append(c.MaterialInsts, gbx.NewRef(build.Node(inst)))
	}
	f := gbx.New(build.Node(c), engine.Registry())
	f.RawUserData = nil
	f.Chunks = []gbx.HeaderChunk{build.Header(&plug.Header090BB000{FileVersion: 5}, false)}
	return f, nil
}

// maniaPlanetVisual is the triangles with all values as plain numbers.
func (w *welded) maniaPlanetVisual(layers int) *gbx.Node {
	count := uint32(len(w.vertices))
	v := plug.CPlugVisual3DPackedVertices{}
	sets := make([]plug.CPlugVisualTexCoordSet, layers)
	for i := range sets {
		sets[i] = plug.CPlugVisualTexCoordSet{Version: 3, Count: count, Flags: 256}
	}
	for i := range w.vertices {
		c := &w.vertices[i]
		v.List = append(v.List, plug.CPlugVisual3DVertex{Position: c.Position, Normal: c.Normal, Color: gbx.Vec4{X: 1, Y: 1, Z: 1, W: 1}})
		for l := range sets {
			sets[l].Uvs = append(sets[l].Uvs, c.UVs[l])
		}
		if layers == 2 {
			var t [2]gbx.Vec3 // zero without a direction
			if !w.flat[i] {
				t = [2]gbx.Vec3{unpacked(w.tangents[i][0]), unpacked(w.tangents[i][1])}
			}
			v.TangentsU, v.TangentsV = append(v.TangentsU, t[0]), append(v.TangentsV, t[1])
		}
	}
	var indices []uint16
	var at uint16
	for _, d := range w.deltas {
		at += uint16(d)
		indices = append(indices, at)
	}
	n := build.Node(
		&plug.Chunk09006001{U01: gbx.NoID}, &plug.Chunk09006004{}, &plug.Chunk09006005{}, &plug.Chunk09006009{}, &plug.Chunk0900600B{},
		&plug.Chunk0900600F{
			Version: 5, TexCoordSetCount: uint32(layers), VertexCount: count, TexCoordSets: sets, BoundingBox: w.box(),
			Flags: plug.CPlugVisualVisualFlagsIsGeometryStatic | plug.CPlugVisualVisualFlagsIsIndexationStatic |
				plug.CPlugVisualVisualFlagsHasVertexNormals,
		},
		&plug.Chunk09006010{}, &plug.Chunk0902C002{}, &plug.Chunk0902C004{Vertices: v},
		&plug.Chunk0906A001{HasIndexBuffer: gbx.True, IndexBuffer: gbx.NewRef(build.Node(&plug.Chunk09057000{
			Flags: 2, Count: uint32(len(indices)), Indices: indices,
		}))})
	n.Class = 0x0901E000
	return n
}

// unpacked is a direction of three numbers of 10 bits.
func unpacked(w uint32) gbx.Vec3 {
	at := func(shift uint) float32 { return float32(int32(w<<(22-shift))>>22) / 511 }
	return gbx.Vec3{X: at(0), Y: at(10), Z: at(20)}
}

// ManiaPlanetFile is the surface as ManiaPlanet's Name.Shape.gbx: a list of
// surfaces, to which each triangle belongs.
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
	c.Skel = gbx.NewRef(build.Node(&plug.Chunk090BA000{Version: 12, Skel: plug.CPlugSkelSkel{Name: gbx.NoID, Joints: []plug.CPlugSkelJoint{joint}}}))
	return gbx.New(n, engine.Registry())
}

// ManiaPlanetFiles are the names of the files that an item of ManiaPlanet is made of,
// relative to its own.
type ManiaPlanetFiles struct{ Mesh, MoveShape, TriggerShape string }

// NewManiaPlanet makes an item of ManiaPlanet 4 that names its files. Only the
// identity, the waypoint, the placement and the icon of o are used.
func NewManiaPlanet(o Item, files ManiaPlanetFiles) (*items.Model, error) {
	identity := gbx.Iso4(mesh.Identity)
	phy := build.Node(&gamedata.Chunk2E006001{
		Version: 14, TriggerActionVersion: 5, MoveShape: files.MoveShape, TriggerShape: files.TriggerShape, Location: identity,
	})
	var vis build.Chunks
	vis.Add(&gamedata.Chunk2E007001{Version: 18, Mesh: files.Mesh})
	vis.Skippable(&gamedata.Chunk2E007002{SoundLocPermanent: identity})
	var l build.Chunks
	l.Add(
		&gamedata.Chunk2E001009{PageName: itemPage, ParentCollectorID: gbx.NoID},
		&gamedata.Chunk2E00100B{Model: o.ident()}, &gamedata.Chunk2E00100C{Name: styled.Marked(o.Name)},
		&gamedata.Chunk2E00100D{Description: "No Description"}, &gamedata.Chunk2E00100E{IconUseAutoRender: gbx.True},
		&gamedata.Chunk2E001010{Version: 2},
		&gamedata.Chunk2E001011{Version: 1, CatalogPosition: 1, ProdState: gamedata.CGameCtnCollectorProdStateRelease},
		&gamedata.Chunk2E002008{NadeoSkinFids: make([]gbx.Ref, 7)},
		&gamedata.Chunk2E002009{CamerasListVersion: build.ListVersion}, &gamedata.Chunk2E00200C{},
		&gamedata.Chunk2E002012{OrbitalRadiusBase: -1, OrbitalPreviewAngle: 0.15}, &gamedata.Chunk2E002013{},
		&gamedata.Chunk2E002015{ItemType: gamedata.CGameItemModelItemTypeOrnament},
		&gamedata.Chunk2E002019{
			Version: 7, PhyModel: gbx.NewRef(phy), VisModel: gbx.NewRef(&gbx.Node{Class: 0x2E007000, Chunks: vis}), DefaultWeaponName: gbx.NoID,
		},
		&gamedata.Chunk2E00201A{}, &gamedata.Chunk2E00201C{Version: 5, DefaultPlacement: gbx.NewRef(o.placement(false))},
		&gamedata.Chunk2E00201E{Version: 6}, &gamedata.Chunk2E00201F{Version: 7, WaypointType: o.Waypoint, U06: identity},
		&gamedata.Chunk2E002020{Version: 1}, &gamedata.Chunk2E002021{}, &gamedata.Chunk2E002023{})
	l.Skippable(&gamedata.Chunk2E002024{})
	f := gbx.New(&gbx.Node{Class: classItem, Chunks: l}, engine.Registry())
	f.RawUserData = nil
	f.Chunks = o.header()
	return items.ModelOf(f)
}
