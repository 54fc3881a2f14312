// Package gltf reads and writes scenes as glTF 2.0 files. By the specification of
// Khronos, a binary file (.glb) has a JSON chunk with the document and a chunk of
// bytes with all vertices and indices. A .gltf file is the JSON alone, and is only
// read.
package gltf

import (
	"encoding/binary"
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
		return fault.New(fault.Limit, "too many instances with a shear transform")
	}
	if len(b.doc.Meshes) == 0 {
		return fault.New(fault.Unsupported, "the scene has no geometry")
	}
	b.doc.Scene, b.doc.Scenes = new(int), []sceneObject{root}
	b.doc.Buffers = []buffer{{Length: b.size}}
	text, err := b.doc.text()
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

// builder builds the document. The bytes of vertices are made only while they are
// written.
type builder struct {
	scene      *mesh.Scene
	doc        document
	size       int64 // size of the data so far, always a multiple of 4
	data       []func() []byte
	meshes     map[*mesh.Mesh]int
	geometries map[*mesh.Geometry]primitive
	materials  map[int]int
	bent       int // number of vertices that had to be copied
}

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

// material adds a plain material without a texture.
func (b *builder) material(index int) int {
	if i, ok := b.materials[index]; ok {
		return i
	}
	m := b.scene.Materials[index]
	i := len(b.doc.Materials)
	made := material{Name: m.Name, PBR: pbr{Color: linear(m.Color), Roughness: 1}, Extras: extras{Link: m.Link}}
	if m.Color[3] > 0 && m.Color[3] < 255 {
		made.Alpha = "BLEND"
	}
	b.doc.Materials = append(b.doc.Materials, made)
	b.materials[index] = i
	return i
}

// linear converts an sRGB colour to linear light, as glTF needs it; nil if the colour is
// unknown.
func linear(c [4]uint8) *[4]float32 {
	if c == ([4]uint8{}) {
		return nil
	}
	light := func(v uint8) float32 { // formula of the sRGB standard
		f := float64(v) / 255
		if f <= 0.04045 {
			return float32(f / 12.92)
		}
		return float32(math.Pow((f+0.055)/1.055, 2.4))
	}
	return &[4]float32{light(c[0]), light(c[1]), light(c[2]), float32(c[3]) / 255}
}

// geometry adds the vertices and indices of a part, only once.
func (b *builder) geometry(g *mesh.Geometry) primitive {
	if p, ok := b.geometries[g]; ok {
		return p
	}
	p := primitive{Attributes: attributes{Position: b.positions(g.Positions)}}
	if g.Normals != nil {
		p.Attributes.Normal = b.vectors(g.Normals)
	}
	sets := []**int{&p.Attributes.TexCoord0, &p.Attributes.TexCoord1}
	for i, uvs := range g.UVs[:min(len(g.UVs), len(sets))] { // glTF programs must support two sets
		*sets[i] = b.uvs(uvs)
	}
	if g.Colors != nil {
		p.Attributes.Color = b.colors(g.Colors)
	}
	if g.Line {
		mode := modeLine
		p.Mode = &mode
	} else {
		p.Indices = b.indices(g)
	}
	b.geometries[g] = p
	return p
}

// column adds an accessor for a list, and returns its index. put appends one element of
// size bytes.
func column[T any](b *builder, list []T, a accessor, target, size int, put func(out []byte, v T) []byte) *int {
	views := len(b.doc.Views)
	a.View, a.Count = &views, int64(len(list))
	size *= len(list)
	b.doc.Views = append(b.doc.Views, view{Offset: b.size, Length: int64(size), Target: target})
	b.doc.Accessors = append(b.doc.Accessors, a)
	padding := -size & 3
	b.size += int64(size + padding)
	b.data = append(b.data, func() []byte {
		out := make([]byte, 0, size+padding)
		for _, v := range list {
			out = put(out, v)
		}
		return out[:size+padding]
	})
	i := len(b.doc.Accessors) - 1
	return &i
}

func (b *builder) positions(list []gbx.Vec3) *int {
	box := mesh.NoBounds()
	for _, p := range list {
		box.Add(p)
	}
	i := b.vectors(list)
	a := &b.doc.Accessors[*i]
	a.Min, a.Max = []float32{box.Min.X, box.Min.Y, box.Min.Z}, []float32{box.Max.X, box.Max.Y, box.Max.Z}
	return i
}

func (b *builder) vectors(list []gbx.Vec3) *int {
	return column(b, list, accessor{Type: "VEC3", Component: typeFloat}, targetVertices, 12, func(out []byte, v gbx.Vec3) []byte {
		return appendFloats(out, v.X, v.Y, v.Z)
	})
}

func (b *builder) uvs(list []gbx.Vec2) *int {
	return column(b, list, accessor{Type: "VEC2", Component: typeFloat}, targetVertices, 8, func(out []byte, v gbx.Vec2) []byte {
		return appendFloats(out, v.X, v.Y)
	})
}

func (b *builder) colors(list [][4]uint8) *int {
	return column(b, list, accessor{Type: "VEC4", Component: typeByte, Normalized: true}, targetVertices, 4, func(out []byte, v [4]uint8) []byte {
		return append(out, v[:]...)
	})
}

// indices adds indices, with two bytes each if possible. glTF reserves the highest
// number.
func (b *builder) indices(g *mesh.Geometry) *int {
	if len(g.Positions) > math.MaxUint16 {
		return column(b, g.Indices, accessor{Type: "SCALAR", Component: typeUint32}, targetIndices, 4, binary.LittleEndian.AppendUint32)
	}
	return column(b, g.Indices, accessor{Type: "SCALAR", Component: typeUint16}, targetIndices, 2, func(out []byte, v uint32) []byte {
		return binary.LittleEndian.AppendUint16(out, uint16(v))
	})
}

func appendFloats(out []byte, list ...float32) []byte {
	for _, f := range list {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(f))
	}
	return out
}
