package static

import (
	"math"
	"time"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/internal/chunks"
)

// maxTriangles limits one mesh. Real items have some ten thousand triangles.
const maxTriangles = 1 << 20

// writer has the versions of one of Nadeo's two importers: for Trackmania (2020), or for
// ManiaPlanet since 2017.
type writer struct {
	solid, visual, material, skel uint32 // versions of chunks
	plainIndices                  bool   // indices are not stored as differences
	allLevels                     uint32 // bits of the levels of detail, for a part of a mesh with one level
}

var (
	trackmania2020 = writer{solid: 32, visual: 6, material: 11, skel: skelVersion, allLevels: 1}
	maniaPlanet    = writer{solid: 20, visual: 5, material: 8, skel: 14, allLevels: 0xFFFFFFFF, plainIndices: true}
)

// node makes the solid as the importer writes it: a visual for each part, then the
// materials.
func (s *Solid) node(by writer) (*gbx.Node, error) {
	c := &plug.Chunk090BB000{
		Version: by.solid, U01: gbx.NoID, VisualsListVersion: chunks.ListVersion, MaterialsListVersion: chunks.ListVersion, VisCstType: 1, LodDistances: s.LodDistances,
		FileWriteTime: fileTime(s.Time), MaterialsFolderName: s.Folder, U04: 1, U05: s.Source, U06: 1,
		U13: 1, U14: 1, U15: gbx.NoID, CustomMaterialCount: uint32(len(s.Materials)),
	}
	triangles := 0
	for i := range s.Parts {
		p := &s.Parts[i]
		if triangles += len(p.Corners) / 3; triangles > maxTriangles {
			return nil, fault.New(fault.Limit, "the mesh has more than %d triangles", maxTriangles)
		}
		m := &s.Materials[p.Material]
		levels := p.Levels
		if len(s.LodDistances) == 0 {
			levels = by.allLevels
		}
		for _, w := range weld(p.Corners, m.UVLayers) {
			c.ShadedGeoms = append(c.ShadedGeoms, plug.CPlugSolid2ModelShadedGeom{
				VisualIndex: uint32(len(c.Visuals)), MaterialIndex: uint32(p.Material), U01: -1, LodMask: levels,
			})
			c.Visuals = append(c.Visuals, gbx.NewRef(w.visual(m.UVLayers, by)))
		}
	}
	if len(c.Visuals) == 0 {
		return nil, errNoTriangles()
	}
	if light, ok := s.lightmap(); ok {
		c.HasPreLightGen, c.PreLightGen = gbx.True, light
	}
	for i := range s.Materials {
		c.CustomMaterials = append(c.CustomMaterials, plug.CPlugSolid2ModelMaterial{UserInst: gbx.NewRef(s.Materials[i].node(by))})
	}
	s.lights(c, by)
	var l chunks.Chunks
	l.Add(c)
	l.Skippable(&plug.Chunk090BB002{})
	return &gbx.Node{Class: 0x090BB000, Chunks: l}, nil
}

// fileTime converts a time to the clock of Windows: tenths of microseconds since 1601.
func fileTime(t time.Time) uint64 {
	const from1601 = 11644473600
	if t.IsZero() {
		return 0
	}
	return uint64(t.Unix()+from1601)*1e7 + uint64(t.Nanosecond()/100)
}

// node makes the material's node. The file stores a colour as three numbers.
func (m *Material) node(by writer) *gbx.Node {
	c := &plug.Chunk090FD000{
		Version: by.material, MaterialName: gbx.NewID(m.Name), Model: gbx.NoID, BaseTexture: m.BaseTexture, SurfacePhysicID: m.Surface, SurfaceGameplayID: m.Gameplay,
		LinkID: gbx.NoID, HidingGroup: gbx.NoID,
	}
	switch {
	case m.Whole:
		c.IsUsingGameMaterial, c.Link = 1, m.Link
	case m.Link == "":
		c.Model = gbx.NewID(m.Model)
	default:
		c.LinkID = gbx.NewID(m.Link)
	}
	if m.Color != nil {
		for _, v := range m.Color {
			c.Color = append(c.Color, uint32(v))
		}
	}
	n := chunks.Node(c, &plug.Chunk090FD001{Version: 5, TextureSizeInMeters: 1})
	if by == trackmania2020 {
		n.Chunks = append(n.Chunks, gbx.Chunk{ID: 0x090FD002, Body: &plug.Chunk090FD002{}})
	}
	return n
}

// lights adds the lights. The place of a light is a socket of the skeleton.
func (s *Solid) lights(c *plug.Chunk090BB000, by writer) {
	if len(s.Lights) == 0 {
		return
	}
	skel := plug.CPlugSkelSkel{Name: gbx.NoID, U07: 1}
	for i, light := range s.Lights {
		name := gbx.NoID
		if by == maniaPlanet {
			name = gbx.NewID(light.Name)
		}
		skel.Sockets = append(skel.Sockets, plug.CPlugSkelSocket{Name: name, JointIndex: -1, Location: light.Place})
		c.LightUserModels = append(c.LightUserModels, gbx.NewRef(chunks.Node(&light.Model)))
		c.LightInsts = append(c.LightInsts, plug.CPlugSolid2ModelLightInst{ModelIndex: uint32(i), SocketIndex: uint32(i)})
	}
	c.Skel = gbx.NewRef(chunks.Node(&plug.Chunk090BA000{Version: by.skel, Skel: skel}))
}

// skelVersion is the version of skeletons that goes with version 32 of solids.
const skelVersion = 19

// minArea and minUVArea are limits: smaller triangles do not count for the scale of the
// lightmap. In real files, triangles of half a square millimetre do not count (a cube of
// 1 mm has no scale), nor triangles of 1.3e-10 of the lightmap.
const (
	minArea   = 1e-6
	minUVArea = 1e-8
)

// lightmap computes how the lightmap covers the finest level of the mesh: the mean number
// of metres for one unit of the lightmap, and the part of the lightmap that is used.
func (s *Solid) lightmap() (out plug.CPlugSolid2ModelPreLightGen, ok bool) {
	lo, hi := [2]float32{math.MaxFloat32, math.MaxFloat32}, [2]float32{-math.MaxFloat32, -math.MaxFloat32}
	var sum, area float32
	for i := range s.Parts {
		p := &s.Parts[i]
		set := s.Materials[p.Material].Lightmap
		if set < 0 {
			continue
		}
		ok = true
		var partSum, partArea float32 // summed per part in single precision: this reproduces the rounding of real files
		for t := 0; t+2 < len(p.Corners); t += 3 {
			var at [3]gbx.Vec3
			var uv [3]gbx.Vec2
			for k := range 3 {
				at[k], uv[k] = p.Corners[t+k].Position, p.Corners[t+k].UVs[set]
				lo[0], lo[1] = min(lo[0], uv[k].X), min(lo[1], uv[k].Y)
				hi[0], hi[1] = max(hi[0], uv[k].X), max(hi[1], uv[k].Y)
			}
			a, b := worldArea(at), uvArea(uv)
			if a >= minArea && b >= minUVArea && p.Levels&1 != 0 {
				partSum += float32(a * math.Sqrt(float64(float32(a/b))))
				partArea += float32(a)
			}
		}
		sum, area = sum+partSum, area+partArea
	}
	out = plug.CPlugSolid2ModelPreLightGen{Version: 1, U01: 1, U02: -1, U03: gbx.True, U04: [8]float32{
		lo[0], lo[1], hi[0], hi[1], math.MaxFloat32, math.MaxFloat32, -math.MaxFloat32, -math.MaxFloat32,
	}}
	if area > 0 {
		out.U02 = sum / area
	}
	return out, ok
}

// worldArea returns the area of a triangle.
func worldArea(p [3]gbx.Vec3) float64 {
	n := sub(p[1], p[0]).Cross(sub(p[2], p[0]))
	return 0.5 * math.Sqrt(n.Dot(n))
}

// uvArea returns the area of a triangle in the lightmap.
func uvArea(p [3]gbx.Vec2) float64 {
	ax, ay := float64(p[1].X)-float64(p[0].X), float64(p[1].Y)-float64(p[0].Y)
	bx, by := float64(p[2].X)-float64(p[0].X), float64(p[2].Y)-float64(p[0].Y)
	return 0.5 * math.Abs(ax*by-ay*bx)
}
