package mesh

import (
	"math"
	"strconv"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
)

// crystal reads a CPlugCrystal: a node for each layer of geometry. Layers that modify
// others, such as Scale or Mirror, are not applied, because the file does not state their
// centre.
func (r *reader) crystal(n *gbx.Node, role Role) []*Node {
	c := &crystalReader{reader: r}
	if m, ok := gbx.Find[*plug.Chunk09003003](n); ok {
		c.materials = m.Materials
	}
	if uv, ok := gbx.Find[*plug.Chunk09003006](n); ok {
		c.lightmap = lightmapUVs(uv)
	}
	if one, ok := gbx.Find[*plug.Chunk09003000](n); ok {
		return c.add(nil, meshKey{n, 0}, "Geometry", &one.Crystal, role)
	}
	layers, ok := gbx.Find[*plug.Chunk09003005](n)
	if !ok {
		return nil
	}
	var out []*Node
	for i := range layers.Layers.List {
		l := &layers.Layers.List[i]
		name := strings.TrimPrefix(l.LayerName, "\ufeff")
		if name == "" {
			name = "Layer" + strconv.Itoa(i)
		}
		key := meshKey{n, i}
		switch {
		case l.Geometry != nil:
			is := role
			if role == Drawn && l.TypeVersion >= 1 && !l.Geometry.IsVisible.True() {
				is = Collision
			}
			out = c.add(out, key, name, &l.Geometry.Crystal, is)
		case l.Trigger != nil:
			out = c.add(out, key, name, &l.Trigger.TriggerShape, Trigger)
		}
	}
	return out
}

// crystalReader reads the layers of one crystal.
type crystalReader struct {
	*reader
	materials []plug.CPlugCrystalMaterial
	lightmap  []gbx.Vec2 // lightmap coordinates of each corner of the drawn faces
}

func (c *crystalReader) add(out []*Node, key meshKey, name string, from *plug.CPlugCrystalCrystal, role Role) []*Node {
	m, ok := c.meshes[key]
	if !ok {
		m = c.layer(name, from, role)
		c.meshes[key] = m
	}
	if c.err != nil || len(m.Parts) == 0 {
		return out
	}
	return append(out, &Node{Name: name, Transform: Identity, Mesh: m, Role: role})
}

// corner is a corner of a face.
type corner struct {
	position uint32
	uvs      [2]gbx.Vec2 // texture coordinates for picture and lightmap
}

func (c *crystalReader) layer(name string, from *plug.CPlugCrystalCrystal, role Role) *Mesh {
	m := &Mesh{Name: name, Kind: Crystal}
	l := &layerReader{crystalReader: c, parts: map[int]*layerPart{}, drawn: role == Drawn, uvSets: 1}
	if l.drawn && len(c.lightmap) > 0 {
		l.uvSets = 2
	}
	switch {
	case from.Embedded != nil:
		l.embedded(&from.Embedded.Geometry, from.Version)
	case from.Editable != nil:
		l.editable(&from.Editable.EditableGeometry)
	}
	for _, p := range l.order {
		if c.err == nil && len(p.geometry.Indices) > 0 {
			if g := c.finish(p.geometry); g != nil {
				m.Parts = append(m.Parts, Part{p.material, g})
			}
		}
	}
	return m
}

// layerReader turns the faces of one layer into triangles.
type layerReader struct {
	*crystalReader
	drawn     bool
	uvSets    int
	positions []gbx.Vec3
	parts     map[int]*layerPart
	order     []*layerPart
	face      []corner
	points    []gbx.Vec3
	cut       []int
}

// layerPart is the geometry of a layer with one material.
type layerPart struct {
	material int
	geometry *Geometry
	vertices map[[5]uint32]uint32 // key: the bits of a corner, because floats are slow map keys
}

// embedded reads the form for games.
func (l *layerReader) embedded(g *plug.CPlugCrystalEmbeddedGeometry, version uint32) {
	l.positions = g.Positions
	at := 0
	for i := range g.Faces {
		f := &g.Faces[i]
		l.face = l.face[:0]
		for j, p := range f.Indices {
			k := corner{position: p}
			switch {
			case version >= 37:
				if at < len(g.UvIndices.Values) && int64(g.UvIndices.Values[at]) < int64(len(g.Uvs)) {
					k.uvs[0] = g.Uvs[g.UvIndices.Values[at]]
				}
			case j < len(f.UVs):
				k.uvs[0] = f.UVs[j]
			}
			at++
			l.face = append(l.face, k)
		}
		l.add(f.MaterialIndex)
	}
}

// editable reads the form for the editor.
func (l *layerReader) editable(g *plug.CPlugCrystalEditableGeometry) {
	l.positions = g.Mesh.Positions
	for i := range g.Mesh.Faces {
		f := &g.Mesh.Faces[i]
		l.face = l.face[:0]
		for j := range f.Vertices {
			k := corner{position: f.Vertices[j].PositionIndex}
			if len(f.TexCoordLayers) > 0 && j < len(f.TexCoordLayers[0].TexCoords) {
				k.uvs[0] = f.TexCoordLayers[0].TexCoords[j]
			}
			l.face = append(l.face, k)
		}
		material := uint32(0)
		if i < len(g.FaceProperties) {
			material = g.FaceProperties[i].Property
		}
		l.add(material)
	}
}

// add adds the face whose corners were collected.
func (l *layerReader) add(material uint32) {
	l.takeLightmap()
	if len(l.face) < 3 || l.err != nil {
		return
	}
	l.points = l.points[:0]
	for _, k := range l.face {
		if int64(k.position) >= int64(len(l.positions)) {
			l.fail("a face has vertex %d of %d", k.position, len(l.positions))
			return
		}
		l.points = append(l.points, l.positions[k.position])
	}
	p := l.part(material)
	var vertices [64]uint32
	list := vertices[:0]
	for _, k := range l.face {
		list = append(list, p.vertex(k, l.positions))
	}
	l.cut = Triangulate(l.cut[:0], l.points)
	for _, i := range l.cut {
		p.geometry.Indices = append(p.geometry.Indices, list[i])
	}
}

// takeLightmap assigns lightmap coordinates to the corners of a face, in the order of one
// list.
func (l *layerReader) takeLightmap() {
	if !l.drawn {
		return
	}
	n := min(len(l.face), len(l.lightmap))
	for i, uv := range l.lightmap[:n] {
		l.face[i].uvs[1] = uv
	}
	l.lightmap = l.lightmap[n:]
}

// part returns the geometry with the given material.
func (l *layerReader) part(index uint32) *layerPart {
	material := -1
	if int64(index) < int64(len(l.materials)) {
		m := &l.materials[index]
		switch {
		case m.Name != "":
			material = l.material(Material{Name: baseName(m.Name)})
		case m.UserInst.Node != nil:
			material = l.materialOf(m.UserInst)
		default:
			material = l.materialOf(m.OwnUserInst)
		}
	}
	p := l.parts[material]
	if p == nil {
		p = &layerPart{material: material, geometry: &Geometry{UVs: make([][]gbx.Vec2, l.uvSets)}, vertices: map[[5]uint32]uint32{}}
		l.parts[material] = p
		l.order = append(l.order, p)
	}
	return p
}

// vertex returns the vertex of a corner. Equal corners share a vertex.
func (p *layerPart) vertex(k corner, positions []gbx.Vec3) uint32 {
	key := [5]uint32{k.position}
	for set, uv := range k.uvs {
		key[1+2*set], key[2+2*set] = math.Float32bits(uv.X), math.Float32bits(uv.Y)
	}
	if i, ok := p.vertices[key]; ok {
		return i
	}
	g := p.geometry
	i := uint32(len(g.Positions))
	p.vertices[key] = i
	g.Positions = append(g.Positions, positions[k.position])
	for set := range g.UVs {
		g.UVs[set] = append(g.UVs[set], flipped(k.uvs[set]))
	}
	return i
}

// lightmapUVs returns the lightmap coordinates of a crystal, one for each corner.
func lightmapUVs(c *plug.Chunk09003006) []gbx.Vec2 {
	if c.Version == 0 {
		return c.Uvs
	}
	list := make([]gbx.Vec2, len(c.PackedUVs))
	for i, v := range c.PackedUVs {
		list[i] = gbx.Vec2{X: float32(v&0xFFFF) / 0xFFFF, Y: float32(v>>16) / 0xFFFF}
	}
	if c.Version < 2 {
		return list
	}
	out := make([]gbx.Vec2, len(c.UvIndices.Values))
	for i, v := range c.UvIndices.Values {
		if int64(v) < int64(len(list)) {
			out[i] = list[v]
		}
	}
	return out
}
