// Package gltf writes a scene as a binary glTF 2.0 file (.glb), and reads one, as Khronos'
// specification has it: one JSON chunk that says what there is, and one chunk
// of bytes with all vertices and indices.
package gltf

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"math"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
)

// Write writes the scene. The same scene always gives the same bytes.
func Write(w io.Writer, s *mesh.Scene, name string) error {
	b := &builder{
		meshes: map[*mesh.Mesh]int{}, geometries: map[*mesh.Geometry]primitive{}, materials: map[int]int{}, scene: s,
	}
	b.doc.Asset = asset{Version: "2.0", Generator: "pakbox"}
	root := sceneObject{Name: name}
	for _, n := range s.Nodes {
		root.Nodes = append(root.Nodes, b.node(n))
	}
	if b.bent > maxBent {
		return fault.New(fault.Limit, "too many places in which the mesh is not only scaled, turned and moved")
	}
	if len(b.doc.Meshes) == 0 {
		return fault.New(fault.Unsupported, "there is no geometry to write")
	}
	b.doc.Scenes = []sceneObject{root}
	b.doc.Buffers = []buffer{{b.size}}
	text, err := json.Marshal(&b.doc)
	if err != nil {
		return fault.Wrap(fault.Corrupt, err, "mesh")
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	total := 12 + 8 + int64(len(text)) + 8 + b.size
	if total > math.MaxUint32 {
		return fault.New(fault.Limit, "a glTF file of %d bytes; the format ends at 4 GB", total)
	}
	head := []byte("glTF")
	for _, v := range []uint32{2, uint32(total), uint32(len(text)), chunkJSON} {
		head = binary.LittleEndian.AppendUint32(head, v)
	}
	if _, err := w.Write(append(head, text...)); err != nil {
		return err
	}
	head = binary.LittleEndian.AppendUint32(nil, uint32(b.size))
	if _, err := w.Write(binary.LittleEndian.AppendUint32(head, chunkBIN)); err != nil {
		return err
	}
	for _, write := range b.data {
		if _, err := w.Write(write()); err != nil {
			return err
		}
	}
	return nil
}

const (
	chunkJSON = 0x4E4F534A
	chunkBIN  = 0x004E4942
)

// builder gathers the document. Bytes are made only when they are written.
type builder struct {
	scene      *mesh.Scene
	doc        document
	size       int64 // of the data so far, always a multiple of 4
	data       []func() []byte
	meshes     map[*mesh.Mesh]int
	geometries map[*mesh.Geometry]primitive
	materials  map[int]int
	bent       int // vertices that had to be copied
}

// node adds a node and all below it, and returns its index.
func (b *builder) node(n *mesh.Node) int {
	i := len(b.doc.Nodes)
	b.doc.Nodes = append(b.doc.Nodes, node{})
	out := node{Name: n.Name}
	shape := n.Mesh
	if t, ok := decompose(n.Transform); ok {
		out.place(t)
	} else {
		shape = b.bend(shape, n.Transform)
		n = &mesh.Node{Name: n.Name, Level: n.Level, Role: n.Role, Children: pushed(n.Children, n.Transform)}
	}
	if shape != nil && len(shape.Parts) > 0 {
		m := b.mesh(shape)
		out.Mesh = &m
	}
	if n.Role != mesh.Drawn {
		out.Extras.Role = n.Role.String()
	}
	out.Extras.Level = n.Level
	for _, child := range n.Children {
		out.Children = append(out.Children, b.node(child))
	}
	b.doc.Nodes[i] = out
	return i
}

// mesh adds a mesh, if it is not there yet.
func (b *builder) mesh(m *mesh.Mesh) int {
	if i, ok := b.meshes[m]; ok {
		return i
	}
	out := meshObject{Name: m.Name}
	for _, p := range m.Parts {
		prim := b.geometry(p.Geometry)
		if p.Material >= 0 {
			i := b.material(p.Material)
			prim.Material = &i
		}
		out.Primitives = append(out.Primitives, prim)
	}
	i := len(b.doc.Meshes)
	b.doc.Meshes = append(b.doc.Meshes, out)
	b.meshes[m] = i
	return i
}

// material adds a material that is used. It is plain and not shiny: pictures
// belong to the game.
func (b *builder) material(index int) int {
	if i, ok := b.materials[index]; ok {
		return i
	}
	m := b.scene.Materials[index]
	i := len(b.doc.Materials)
	b.doc.Materials = append(b.doc.Materials, material{Name: m.Name, PBR: pbr{Color: linear(m.Color), Roughness: 1}, Extras: materialExtras{m.Link}})
	b.materials[index] = i
	return i
}

// linear is a colour of a screen as light, of which glTF counts how much there
// is; nil for none.
func linear(c [4]uint8) *[4]float32 {
	if c == ([4]uint8{}) {
		return nil
	}
	light := func(v uint8) float32 { // as the standard of sRGB has it
		f := float64(v) / 255
		if f <= 0.04045 {
			return float32(f / 12.92)
		}
		return float32(math.Pow((f+0.055)/1.055, 2.4))
	}
	return &[4]float32{light(c[0]), light(c[1]), light(c[2]), float32(c[3]) / 255}
}

// geometry adds the vertices and indices of a part, if they are not there
// yet.
func (b *builder) geometry(g *mesh.Geometry) primitive {
	if p, ok := b.geometries[g]; ok {
		return p
	}
	p := primitive{Attributes: attributes{Position: b.positions(g.Positions)}}
	if g.Normals != nil {
		i := b.vectors(g.Normals)
		p.Attributes.Normal = &i
	}
	for set, uvs := range g.UVs[:min(len(g.UVs), maxUVSets)] {
		i := b.uvs(uvs)
		switch set {
		case 0:
			p.Attributes.TexCoord0 = &i
		case 1:
			p.Attributes.TexCoord1 = &i
		}
	}
	if g.Colors != nil {
		i := b.colors(g.Colors)
		p.Attributes.Color = &i
	}
	if g.Line {
		p.Mode = modeLine
	} else {
		i := b.indices(g)
		p.Indices = &i
	}
	b.geometries[g] = p
	return p
}

// maxUVSets is how many sets of texture coordinates programs must read.
const maxUVSets = 2

// accessor adds a column of values, whose bytes come from data.
func (b *builder) accessor(a accessor, target, size int, data func() []byte) int {
	a.View = len(b.doc.Views)
	b.doc.Views = append(b.doc.Views, view{Offset: b.size, Length: int64(size), Target: target})
	b.doc.Accessors = append(b.doc.Accessors, a)
	padding := -size & 3
	b.size += int64(size + padding)
	b.data = append(b.data, func() []byte { return append(data(), make([]byte, padding)...) })
	return len(b.doc.Accessors) - 1
}

func (b *builder) positions(list []gbx.Vec3) int {
	box := mesh.NoBounds()
	for _, p := range list {
		box.Add(p)
	}
	i := b.vectors(list)
	a := &b.doc.Accessors[i]
	a.Min, a.Max = []float32{box.Min.X, box.Min.Y, box.Min.Z}, []float32{box.Max.X, box.Max.Y, box.Max.Z}
	return i
}

func (b *builder) vectors(list []gbx.Vec3) int {
	return b.accessor(accessor{Type: "VEC3", Component: typeFloat, Count: len(list)}, targetVertices, 12*len(list), func() []byte {
		out := make([]byte, 0, 12*len(list)+4)
		for _, v := range list {
			out = appendFloats(out, v.X, v.Y, v.Z)
		}
		return out
	})
}

func (b *builder) uvs(list []gbx.Vec2) int {
	return b.accessor(accessor{Type: "VEC2", Component: typeFloat, Count: len(list)}, targetVertices, 8*len(list), func() []byte {
		out := make([]byte, 0, 8*len(list)+4)
		for _, v := range list {
			out = appendFloats(out, v.X, v.Y)
		}
		return out
	})
}

func (b *builder) colors(list [][4]uint8) int {
	a := accessor{Type: "VEC4", Component: typeByte, Count: len(list), Normalized: true}
	return b.accessor(a, targetVertices, 4*len(list), func() []byte {
		out := make([]byte, 0, 4*len(list)+4)
		for _, c := range list {
			out = append(out, c[:]...)
		}
		return out
	})
}

// indices adds indices, in two bytes each where that does. The highest number
// of a size is not allowed.
func (b *builder) indices(g *mesh.Geometry) int {
	list := g.Indices
	if len(g.Positions) > math.MaxUint16 {
		return b.accessor(accessor{Type: "SCALAR", Component: typeUint32, Count: len(list)}, targetIndices, 4*len(list), func() []byte {
			out := make([]byte, 0, 4*len(list)+4)
			for _, v := range list {
				out = binary.LittleEndian.AppendUint32(out, v)
			}
			return out
		})
	}
	return b.accessor(accessor{Type: "SCALAR", Component: typeUint16, Count: len(list)}, targetIndices, 2*len(list), func() []byte {
		out := make([]byte, 0, 2*len(list)+4)
		for _, v := range list {
			out = binary.LittleEndian.AppendUint16(out, uint16(v))
		}
		return out
	})
}

func appendFloats(out []byte, list ...float32) []byte {
	for _, f := range list {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(f))
	}
	return out
}
