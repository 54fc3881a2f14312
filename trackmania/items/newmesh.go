package items

import (
	"math"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/trackmania"
	"pakbox/trackmania/internal/build"
	"pakbox/trackmania/items/library"
)

// Bounds of a new item's mesh. Real ones have up to some ten thousand faces.
const (
	maxItemVertices  = 1 << 20
	maxItemTriangles = 1 << 18
)

// crystalBuilder gathers the faces of a crystal.
type crystalBuilder struct {
	positions  []gbx.Vec3
	at         map[[3]uint32]uint32 // positions by their bits: floats are slow to look up
	faces      []plug.Face
	uvs        []gbx.Vec2 // of the corners of the faces
	lightmap   []gbx.Vec2
	materials  []Material
	ownLight   bool // all parts have places in the lightmap
	edges      map[[2]uint32]bool
	edgeList   []gbx.Int2
	byMaterial map[string]uint32
}

// crystal is the mesh of the item.
func (p *itemPlan) crystal() (*gbx.Node, error) {
	if p.Mesh == nil {
		return nil, fault.New(fault.Unsupported, "an item needs a mesh")
	}
	flat, err := p.Mesh.Flat("", maxItemVertices)
	if err != nil {
		return nil, err
	}
	b := &crystalBuilder{at: map[[3]uint32]uint32{}, edges: map[[2]uint32]bool{}, byMaterial: map[string]uint32{}, ownLight: true}
	for _, part := range flat.Parts {
		if part.Line || len(part.Indices) == 0 {
			continue
		}
		material, err := p.material(part.Material)
		if err != nil {
			return nil, err
		}
		b.add(part.Geometry, b.material(material))
		if len(b.faces) > maxItemTriangles {
			return nil, fault.New(fault.Limit, "the mesh has more than %d triangles", maxItemTriangles)
		}
	}
	if len(b.faces) == 0 {
		return nil, fault.New(fault.Unsupported, "the mesh has no triangles")
	}
	if !b.ownLight {
		b.lightmap = lightmapGrid(len(b.faces))
	}
	return p.crystalNode(b), nil
}

// material is the game's material for one of the mesh.
func (p *itemPlan) material(index int) (Material, error) {
	var from mesh.Material
	if index >= 0 && index < len(p.Mesh.Materials) {
		from = p.Mesh.Materials[index]
	}
	var m Material
	if p.Material != nil {
		m = p.Material(from)
	}
	if m.Link == "" {
		if m.Link = from.Link; m.Link == "" {
			m.Link = from.Name
		}
	}
	if m.Link == "" {
		return m, fault.New(fault.Unsupported, "a part of the mesh has no material, and none is named for it")
	}
	if err := trackmania.CheckName(m.Link); err != nil {
		return m, err
	}
	m.Link = strings.ReplaceAll(m.Link, "/", `\`)
	if !strings.Contains(m.Link, `\`) {
		m.Link = p.Environment + `\Media\Material\` + m.Link
	}
	if m.Physics == nil {
		physics, _ := library.SurfaceOf(m.Link)
		m.Physics = &physics
	}
	return m, nil
}

// material returns the index of a material, which several of the mesh may
// stand for.
func (b *crystalBuilder) material(m Material) uint32 {
	key := m.Link + "\x00" + strconv.Itoa(int(*m.Physics))
	i, ok := b.byMaterial[key]
	if !ok {
		i = uint32(len(b.materials))
		b.byMaterial[key] = i
		b.materials = append(b.materials, m)
	}
	return i
}

// add takes over the triangles of a part.
func (b *crystalBuilder) add(g *mesh.Geometry, material uint32) {
	b.ownLight = b.ownLight && len(g.UVs) > 1
	for i := 0; i+2 < len(g.Indices); i += 3 {
		corners := g.Indices[i : i+3]
		face := plug.Face{Indices: make([]uint32, 3), MaterialIndex: material}
		for j, k := range corners {
			face.Indices[j] = b.position(g.Positions[k])
		}
		a := face.Indices
		if a[0] == a[1] || a[1] == a[2] || a[2] == a[0] {
			continue // it has no area
		}
		for j, k := range corners {
			b.edge(a[j], a[(j+1)%3])
			var uvs [2]gbx.Vec2
			for set := range g.UVs[:min(len(g.UVs), 2)] {
				uv := g.UVs[set][k]
				uvs[set] = gbx.Vec2{X: uv.X, Y: 1 - uv.Y} // glTF counts from above
			}
			b.uvs, b.lightmap = append(b.uvs, uvs[0]), append(b.lightmap, uvs[1])
			face.UVs = append(face.UVs, uvs[0])
		}
		b.faces = append(b.faces, face)
	}
}

// position returns the index of a place; vertices at one place are one.
func (b *crystalBuilder) position(v gbx.Vec3) uint32 {
	v = gbx.Vec3{X: v.X + 0, Y: v.Y + 0, Z: v.Z + 0} // -0 is 0
	key := [3]uint32{math.Float32bits(v.X), math.Float32bits(v.Y), math.Float32bits(v.Z)}
	i, ok := b.at[key]
	if !ok {
		i = uint32(len(b.positions))
		b.at[key] = i
		b.positions = append(b.positions, v)
	}
	return i
}

func (b *crystalBuilder) edge(from, to uint32) {
	key := [2]uint32{min(from, to), max(from, to)}
	if !b.edges[key] {
		b.edges[key] = true
		b.edgeList = append(b.edgeList, gbx.Int2{X: int32(from), Y: int32(to)})
	}
}

// lightmapGrid gives each triangle a place of its own in the lightmap: half of
// a square, with a gap.
func lightmapGrid(triangles int) []gbx.Vec2 {
	side := int(math.Ceil(math.Sqrt(float64(triangles+1) / 2)))
	cell := 1 / float32(side)
	const gap = 0.1
	out := make([]gbx.Vec2, 0, 3*triangles)
	for i := range triangles {
		x, y := float32(i/2%side)*cell, float32(i/2/side)*cell
		corner := func(u, v float32) {
			if i%2 == 1 {
				u, v = 1-u, 1-v
			}
			out = append(out, gbx.Vec2{X: x + u*cell, Y: y + v*cell})
		}
		corner(gap, gap)
		corner(1-2*gap, gap)
		corner(gap, 1-2*gap)
	}
	return out
}

// crystalNode is the node that the gathered faces make.
func (p *itemPlan) crystalNode(b *crystalBuilder) *gbx.Node {
	const classCrystal classid.ID = 0x09003000
	smooth := &plug.Chunk09003007{SmoothingGroups: []float32{0, 1, 2}, FaceSmoothingGroups: make([]int32, len(b.faces))}
	for i := range smooth.FaceSmoothingGroups {
		smooth.FaceSmoothingGroups[i] = 2 // as nearly all real faces
	}
	materials := &plug.Chunk09003003{Version: 2}
	for _, m := range b.materials {
		materials.Materials = append(materials.Materials, plug.CPlugCrystalMaterial{UserInst: gbx.NewRef(p.userInst(m))})
	}
	var l build.Chunks
	l.Add(&plug.Chunk09051000{U01: 1}, materials)
	l.Skippable(&plug.Chunk09003004{Version: 1, EditorData: p.editorData(), EditorDataFlags: 1})
	l.Add(&plug.Chunk09003005{Layers: plug.CPlugCrystalLayers{List: []plug.CPlugCrystalLayer{{
		Type: plug.CPlugCrystalLayerTypeGeometry, Version: 2, LayerID: gbx.NewID("Layer1"), LayerName: "Geometry", IsEnabled: gbx.True, TypeVersion: 1,
		Geometry: &plug.CPlugCrystalLayerGeometry{Crystal: p.geometry(b), GroupIndices: []uint32{0}, IsVisible: gbx.True, IsCollidable: gbx.True},
	}}}})
	l.Add(p.lightmap(b.lightmap), smooth)
	return &gbx.Node{Class: classCrystal, Chunks: l}
}

// userInst is a material by the name of one of the game's.
func (p *itemPlan) userInst(m Material) *gbx.Node {
	var l build.Chunks
	c := &plug.Chunk090FD000{
		Version: p.either(9, 11), MaterialName: gbx.NoID, Model: gbx.NoID, SurfacePhysicID: *m.Physics, Link: m.Link, HidingGroup: gbx.NoID,
	}
	tiling := &plug.Chunk090FD001{Version: 5, TextureSizeInMeters: 1}
	l.Add(c, tiling)
	if p.is2020() {
		c.IsUsingGameMaterial = 1
		tiling.TextureSizeInMeters, tiling.U01 = 2, 1
		l.Add(&plug.Chunk090FD002{})
	}
	return &gbx.Node{Class: 0x090FD000, Chunks: l}
}

// geometry is the layer of faces, in the form that games read.
func (p *itemPlan) geometry(b *crystalBuilder) plug.CPlugCrystalCrystal {
	c := plug.CPlugCrystalCrystal{
		Version: p.either(32, 37), BaseVisualLevel: 4, VisualLevels: []plug.CPlugCrystalVisualLevel{{U01: 4, U02: 64}, {U01: 2, U02: 128}, {U01: 1, U02: 192}},
		Groups: []plug.CPlugCrystalPart{{ParentIndex: -1, Name: "part", AnchorIndex: -1}},
	}
	g := plug.CPlugCrystalEmbeddedGeometry{
		Positions: b.positions, EdgeCount: uint32(len(b.edgeList)), FaceCount: uint32(len(b.faces)), Faces: b.faces,
	}
	if p.is2020() {
		c.Groups[0].IsInUseByte, c.IsEmbeddedByte = 1, 1
		c.MaxMaterialIndex = uint32(len(b.materials) - 1)
		g.Uvs, g.UvIndices.Values = shared(b.uvs)
		for i := range g.Faces {
			g.Faces[i].UVs = nil // they stand together
		}
	} else {
		c.Groups[0].IsInUse, c.IsEmbedded = gbx.True, gbx.True
		g.Edges = b.edgeList
		c.FaceCount, c.EdgeCount, c.VertexCount = g.FaceCount, g.EdgeCount, uint32(len(b.positions))
		c.FaceSelection, c.EdgeSelection, c.VertexSelection = make([]uint32, c.FaceCount), make([]uint32, c.EdgeCount), make([]uint32, c.VertexCount)
	}
	c.Embedded = &plug.CPlugCrystalCrystalEmbedded{Geometry: g}
	return c
}

// shared is a list in which each value stands once, and which one each place
// has.
func shared[T comparable](all []T) (list []T, indices []uint32) {
	at := map[T]uint32{}
	for _, v := range all {
		i, ok := at[v]
		if !ok {
			i = uint32(len(list))
			at[v] = i
			list = append(list, v)
		}
		indices = append(indices, i)
	}
	return list, indices
}

// lightmap is where the corners are in the lightmap.
func (p *itemPlan) lightmap(uvs []gbx.Vec2) *plug.Chunk09003006 {
	if !p.is2020() {
		return &plug.Chunk09003006{Uvs: uvs}
	}
	packed := make([]uint32, len(uvs))
	part := func(f float32) uint32 { return uint32(math.Round(float64(min(max(f, 0), 1)) * math.MaxUint16)) }
	for i, uv := range uvs {
		packed[i] = part(uv.X) | part(uv.Y)<<16
	}
	c := &plug.Chunk09003006{Version: 2}
	c.PackedUVs, c.UvIndices.Values = shared(packed)
	return c
}
