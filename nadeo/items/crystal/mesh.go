package crystal

import (
	"fmt"
	"math"
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/items/static"
)

// maxTriangles limits the mesh of a new item. Real meshes have up to some ten thousand
// faces.
const maxTriangles = 1 << 18

// crystal makes the node of the item's mesh.
func (p *plan) crystal() (*gbx.Node, error) {
	layers, seen, err := p.layers()
	if err != nil {
		return nil, err
	}
	smooth := &plug.Chunk09003007{SmoothingGroups: []float32{0, 1, 2}, FaceSmoothingGroups: make([]int32, len(seen)/3)}
	for i := range smooth.FaceSmoothingGroups {
		smooth.FaceSmoothingGroups[i] = 2 // the value of nearly all real faces
	}
	materials := &plug.Chunk09003003{Version: 2}
	for i := range p.Solid.Materials {
		materials.Materials = append(materials.Materials, plug.CPlugCrystalMaterial{UserInst: gbx.NewRef(p.userInst(&p.Solid.Materials[i]))})
	}
	var l chunks.Chunks
	if !p.is2020 {
		l.Add(&plug.Chunk09051000{U01: 1})
	}
	l.Add(materials)
	l.Skippable(&plug.Chunk09003004{Version: 1, EditorData: p.editorData(), EditorDataFlags: 1})
	l.Add(&plug.Chunk09003005{Layers: plug.CPlugCrystalLayers{List: layers}}, p.lightmap(seen), smooth)
	return &gbx.Node{Class: 0x09003000, Chunks: l}, nil
}

// layerID returns the name of a layer inside the crystal.
func layerID(i int) string { return fmt.Sprint("Layer", i+1) }

// layers makes the layers, and the lightmap coordinates of all visible corners. Faces
// that are only visible, or only solid, get layers of their own.
func (p *plan) layers() (list []plug.CPlugCrystalLayer, lightmap []gbx.Vec2, err error) {
	add := func(l plug.CPlugCrystalLayer) {
		l.Version, l.LayerID, l.IsEnabled = 2, gbx.NewID(layerID(len(list))), gbx.True
		list = append(list, l)
	}
	triangles := 0
	for _, kind := range []struct {
		name             string
		hidden, passable bool
	}{{"Geometry", false, false}, {"Not collidable", false, true}, {"Collisions", true, false}} {
		b := newBuilder()
		for i := range p.Solid.Parts {
			part := &p.Solid.Parts[i]
			if part.Levels&1 != 0 && part.Hidden == kind.hidden && part.Passable == kind.passable {
				b.add(part)
			}
		}
		if triangles += len(b.faces); triangles > maxTriangles {
			return nil, nil, fault.New(fault.Limit, "the mesh has more than %d triangles", maxTriangles)
		}
		if len(b.faces) == 0 {
			continue
		}
		if !kind.hidden {
			lightmap = append(lightmap, b.lightmap...)
		}
		g := &plug.CPlugCrystalLayerGeometry{Crystal: p.geometry(b), GroupIndices: []uint32{0}}
		if !kind.hidden {
			g.IsVisible = gbx.True
		}
		if !kind.passable {
			g.IsCollidable = gbx.True
		}
		add(plug.CPlugCrystalLayer{Type: plug.CPlugCrystalLayerTypeGeometry, LayerName: kind.name, TypeVersion: 1, Geometry: g})
	}
	if len(list) == 0 {
		return nil, nil, fault.New(fault.Unsupported, "the mesh has no triangles")
	}
	if p.Trigger != nil {
		add(p.triggerLayer(p.Trigger))
	}
	for _, m := range p.modifiers() {
		add(m)
	}
	return list, lightmap, nil
}

func (p *plan) triggerLayer(s *static.Surface) plug.CPlugCrystalLayer {
	return plug.CPlugCrystalLayer{Type: plug.CPlugCrystalLayerTypeTrigger, LayerName: "Trigger", TypeVersion: 1, Trigger: &plug.CPlugCrystalLayerTrigger{
		TriggerShape: p.geometry(triggerFaces(s)), TriggerGroupIndices: []uint32{0},
	}}
}

// AddTrigger adds a trigger layer to an existing crystal: a car that crosses it fires the
// waypoint. The layer gets the version of the other layers.
func AddTrigger(crystal *gbx.Node, s *static.Surface) error {
	c, ok := gbx.Find[*plug.Chunk09003005](crystal)
	if !ok || len(c.Layers.List) == 0 || c.Layers.List[0].Geometry == nil {
		return fault.New(fault.Unsupported, "the crystal has no layers of a kind that is understood")
	}
	p := &plan{}
	version := c.Layers.List[0].Geometry.Crystal.Version
	if p.is2020 = version == p.geometryVersion(true); !p.is2020 && version != p.geometryVersion(false) {
		return fault.New(fault.Unsupported, "the layers of the crystal have version %d, in which no trigger can be written", version)
	}
	l := p.triggerLayer(s)
	l.Version, l.IsEnabled = 2, gbx.True
	for i := len(c.Layers.List); l.LayerID == (gbx.ID{}); i++ {
		id := gbx.NewID(layerID(i))
		if !slices.ContainsFunc(c.Layers.List, func(l plug.CPlugCrystalLayer) bool { return l.LayerID.String() == id.String() }) {
			l.LayerID = id
		}
	}
	c.Layers.List = append(c.Layers.List, l)
	return nil
}

// geometryVersion is the version that a game writes for layers with faces.
func (*plan) geometryVersion(is2020 bool) uint32 { return (&plan{is2020: is2020}).either(32, 37) }

// modifiers makes the layers without faces: the start position and the lights. Real
// layers of the first kind were seen in an item of ManiaPlanet, of the second kind in one
// of Trackmania.
func (p *plan) modifiers() (list []plug.CPlugCrystalLayer) {
	if p.Spawn != nil {
		const degrees = 180 / math.Pi
		ahead := p.Spawn.Mat3.Z // the forward axis: the 45 degrees in a real checkpoint point along x and z
		list = append(list, plug.CPlugCrystalLayer{Type: plug.CPlugCrystalLayerTypeSpawnPosition, LayerName: "Spawn position",
			Modifier: &plug.CPlugCrystalLayerModifier{Parameters: plug.CPlugCrystalModifier{
				SpawnPosition:   p.Spawn.T,
				HorizontalAngle: float32(math.Atan2(float64(ahead.X), float64(ahead.Z)) * degrees),
				VerticalAngle:   float32(math.Asin(min(max(float64(ahead.Y), -1), 1)) * degrees),
			}}})
	}
	if len(p.Solid.Lights) > 0 {
		m := &plug.CPlugCrystalLayerModifier{}
		for i := range p.Solid.Lights {
			light := &p.Solid.Lights[i]
			m.Parameters.Lights = append(m.Parameters.Lights, gbx.NewRef(chunks.Node(&light.Model)))
			m.Parameters.LightPositions = append(m.Parameters.LightPositions, plug.CPlugCrystalLightPos{LightIndex: uint32(i), Location: light.Place})
		}
		list = append(list, plug.CPlugCrystalLayer{Type: plug.CPlugCrystalLayerTypeLight, LayerName: "Light", Modifier: m})
	}
	return list
}

// builder gathers the faces of a layer.
type builder struct {
	positions []gbx.Vec3
	at        map[[3]uint32]uint32 // index of a position, by the bits of its floats (faster than floats as keys)
	faces     []plug.Face
	uvs       []gbx.Vec2 // one for each corner of the faces
	lightmap  []gbx.Vec2
	edges     map[[2]uint32]bool
	edgeList  []gbx.Int2
}

func newBuilder() *builder {
	return &builder{at: map[[3]uint32]uint32{}, edges: map[[2]uint32]bool{}}
}

// add takes over the triangles of a part.
func (b *builder) add(part *static.Part) {
	for t := 0; t+2 < len(part.Corners); t += 3 {
		c := part.Corners[t : t+3]
		b.face(uint32(part.Material), [3]gbx.Vec3{c[0].Position, c[1].Position, c[2].Position},
			[3]gbx.Vec2{c[0].UVs[0], c[1].UVs[0], c[2].UVs[0]}, [3]gbx.Vec2{c[0].UVs[1], c[1].UVs[1], c[2].UVs[1]})
	}
}

// triggerFaces makes the faces of a trigger, with the texture coordinates of real
// triggers.
func triggerFaces(s *static.Surface) *builder {
	b := newBuilder()
	for _, t := range s.Triangles {
		b.face(0, [3]gbx.Vec3{s.Points[t[0]], s.Points[t[1]], s.Points[t[2]]}, [3]gbx.Vec2{{}, {X: 1}, {Y: 1}}, [3]gbx.Vec2{})
	}
	return b
}

// face adds a triangle, unless it has no area.
func (b *builder) face(material uint32, at [3]gbx.Vec3, uvs, lightmap [3]gbx.Vec2) {
	face := plug.Face{Indices: make([]uint32, 3), MaterialIndex: material}
	for i, v := range at {
		face.Indices[i] = b.position(v)
	}
	a := face.Indices
	if a[0] == a[1] || a[1] == a[2] || a[2] == a[0] {
		return
	}
	for i := range a {
		b.edge(a[i], a[(i+1)%3])
	}
	face.UVs = uvs[:]
	b.uvs, b.lightmap = append(b.uvs, uvs[:]...), append(b.lightmap, lightmap[:]...)
	b.faces = append(b.faces, face)
}

// position returns the index of a vertex. Equal places share one vertex.
func (b *builder) position(v gbx.Vec3) uint32 {
	v = gbx.Vec3{X: v.X + 0, Y: v.Y + 0, Z: v.Z + 0} // turns -0 into 0
	key := [3]uint32{math.Float32bits(v.X), math.Float32bits(v.Y), math.Float32bits(v.Z)}
	i, ok := b.at[key]
	if !ok {
		i = uint32(len(b.positions))
		b.at[key] = i
		b.positions = append(b.positions, v)
	}
	return i
}

func (b *builder) edge(from, to uint32) {
	key := [2]uint32{min(from, to), max(from, to)}
	if !b.edges[key] {
		b.edges[key] = true
		b.edgeList = append(b.edgeList, gbx.Int2{X: int32(from), Y: int32(to)})
	}
}

// userInst makes a material that refers to one of the game's materials by its path.
func (p *plan) userInst(m *static.Material) *gbx.Node {
	var l chunks.Chunks
	c := &plug.Chunk090FD000{
		Version: p.either(9, 11), MaterialName: gbx.NoID, Model: gbx.NoID, SurfacePhysicID: m.Surface, Link: m.Link, HidingGroup: gbx.NoID,
	}
	tiling := &plug.Chunk090FD001{Version: 5, TextureSizeInMeters: 1}
	l.Add(c, tiling)
	if p.is2020 {
		c.IsUsingGameMaterial, c.SurfaceGameplayID = 1, m.Gameplay
		tiling.TextureSizeInMeters, tiling.U01 = 2, 1
		if m.Color != nil {
			c.Csts = []plug.CPlugMaterialUserInstCst{{U01: gbx.NewID("TargetColor"), U02: gbx.NewID("Real"), U03: 3}}
			c.Color = []uint32{uint32(m.Color[0]), uint32(m.Color[1]), uint32(m.Color[2])}
		}
		l.Add(&plug.Chunk090FD002{})
	}
	return &gbx.Node{Class: 0x090FD000, Chunks: l}
}

// geometry makes a layer of faces in the form of the game.
func (p *plan) geometry(b *builder) plug.CPlugCrystalCrystal {
	c := plug.CPlugCrystalCrystal{
		Version: p.geometryVersion(p.is2020), BaseVisualLevel: 4, VisualLevels: []plug.CPlugCrystalVisualLevel{{U01: 4, U02: 64}, {U01: 2, U02: 128}, {U01: 1, U02: 192}},
		Groups: []plug.CPlugCrystalPart{{ParentIndex: -1, Name: "part", AnchorIndex: -1}},
	}
	g := plug.CPlugCrystalEmbeddedGeometry{
		Positions: b.positions, EdgeCount: uint32(len(b.edgeList)), FaceCount: uint32(len(b.faces)), Faces: b.faces,
	}
	if p.is2020 {
		c.Groups[0].IsInUseByte, c.IsEmbeddedByte = 1, 1
		g.Uvs, g.UvIndices.Values = shared(b.uvs)
		for i := range g.Faces {
			c.MaxMaterialIndex = max(c.MaxMaterialIndex, g.Faces[i].MaterialIndex)
			g.Faces[i].UVs = nil // they are stored together, elsewhere
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

// shared removes duplicates: list has each value once, and indices gives for each element
// of all its place in list.
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

// lightmap makes the chunk with the lightmap coordinates of the corners.
func (p *plan) lightmap(uvs []gbx.Vec2) *plug.Chunk09003006 {
	if !p.is2020 {
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
