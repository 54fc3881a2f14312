package gltf

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
)

// Limits. A few bytes of JSON make a node, and primitives can share bytes.
const (
	maxJSON    = 4 << 20
	maxNumbers = 1 << 24 // in all columns that are read
	maxDepth   = 256
)

// Read reads a binary glTF 2.0 file: nodes with their places, and triangles with
// positions, normals, two sets of texture coordinates and materials by name.
// Compressed or sparse data, bones, lines and data in other files are errors.
func Read(data []byte) (*mesh.Scene, error) {
	text, bin, err := chunks(data)
	if err != nil {
		return nil, err
	}
	r := &reader{bin: bin}
	if err := json.Unmarshal(text, &r.doc); err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "the JSON of the glTF file")
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return r.scene()
}

func chunks(data []byte) (text, bin []byte, err error) {
	if len(data) < 12 || string(data[:4]) != "glTF" {
		return nil, nil, fault.New(fault.NotFormat, "the file is no binary glTF file (.glb)")
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, nil, fault.New(fault.Unsupported, "glTF of version %d", v)
	}
	if n := binary.LittleEndian.Uint32(data[8:]); int64(n) != int64(len(data)) {
		return nil, nil, fault.New(fault.Corrupt, "the glTF file says that it has %d bytes; it has %d", n, len(data))
	}
	rest := data[12:]
	for i := 0; len(rest) > 0; i++ {
		if len(rest) < 8 {
			return nil, nil, fault.New(fault.Corrupt, "the glTF file ends in a chunk")
		}
		n, kind := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
		if int64(n) > int64(len(rest)-8) {
			return nil, nil, fault.New(fault.Corrupt, "a chunk of the glTF file is longer than the file")
		}
		body := rest[8 : 8+n]
		rest = rest[8+n:]
		switch {
		case i == 0 && kind == chunkJSON:
			text = body
		case i == 0:
			return nil, nil, fault.New(fault.Corrupt, "the glTF file does not begin with JSON")
		case i == 1 && kind == chunkBIN:
			bin = body
		}
	}
	if text == nil {
		return nil, nil, fault.New(fault.Corrupt, "the glTF file has no JSON")
	}
	if len(text) > maxJSON {
		return nil, nil, fault.New(fault.Limit, "%d bytes of JSON in a glTF file; %d are read", len(text), maxJSON)
	}
	return text, bin, nil
}

type reader struct {
	doc     document
	bin     []byte
	meshes  []*mesh.Mesh // those that were read, by index
	used    []bool       // nodes that have a place
	numbers int64        // that were read
}

// check looks at what concerns the whole file.
func (r *reader) check() error {
	if v := r.doc.Asset.Version; !strings.HasPrefix(v, "2.") || r.doc.Asset.MinVersion != "" && r.doc.Asset.MinVersion != "2.0" {
		return fault.New(fault.Unsupported, "glTF of version %q", v)
	}
	for _, name := range r.doc.Required {
		if !strings.HasPrefix(name, "KHR_materials_") { // what surfaces look like
			return fault.New(fault.Unsupported, "the glTF file needs the extension %s", name)
		}
	}
	if len(r.doc.Buffers) > 0 {
		b := r.doc.Buffers[0]
		if b.URI != nil {
			return fault.New(fault.Unsupported, "the glTF file keeps its data in another file; write it as one .glb file")
		}
		if b.Length < 0 || b.Length > int64(len(r.bin)) {
			return fault.New(fault.Corrupt, "a buffer of %d bytes in %d bytes of a glTF file", b.Length, len(r.bin))
		}
		r.bin = r.bin[:b.Length]
	}
	r.meshes, r.used = make([]*mesh.Mesh, len(r.doc.Meshes)), make([]bool, len(r.doc.Nodes))
	return nil
}

func (r *reader) scene() (*mesh.Scene, error) {
	index := 0
	if r.doc.Scene != nil {
		index = *r.doc.Scene
	}
	if index < 0 || index >= len(r.doc.Scenes) {
		return nil, fault.New(fault.Corrupt, "the glTF file has no scene %d", index)
	}
	out := &mesh.Scene{}
	for _, m := range r.doc.Materials {
		out.Materials = append(out.Materials, mesh.Material{Name: m.Name, Link: m.Extras.Link})
	}
	var err error
	out.Nodes, err = r.nodes(r.doc.Scenes[index].Nodes, 0)
	return out, err
}

func (r *reader) nodes(list []int, depth int) ([]*mesh.Node, error) {
	if depth > maxDepth {
		return nil, fault.New(fault.Limit, "nodes of a glTF file that nest deeper than %d", maxDepth)
	}
	var out []*mesh.Node
	for _, i := range list {
		if i < 0 || i >= len(r.doc.Nodes) {
			return nil, fault.New(fault.Corrupt, "the glTF file has no node %d", i)
		}
		if r.used[i] {
			return nil, fault.New(fault.Corrupt, "node %d of the glTF file has two places", i)
		}
		r.used[i] = true
		n, err := r.node(&r.doc.Nodes[i], depth)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func (r *reader) node(n *node, depth int) (*mesh.Node, error) {
	if n.Skin != nil {
		return nil, fault.New(fault.Unsupported, "node %q of the glTF file has bones", n.Name)
	}
	t, err := n.transform()
	if err != nil {
		return nil, err
	}
	out := &mesh.Node{Name: n.Name, Transform: t}
	if n.Mesh != nil {
		if out.Mesh, err = r.mesh(*n.Mesh); err != nil {
			return nil, err
		}
	}
	out.Children, err = r.nodes(n.Children, depth+1)
	return out, err
}

// transform is where a node is: a matrix, or scaled, turned and moved.
func (n *node) transform() (mesh.Transform, error) {
	t := mesh.Identity
	switch {
	case n.Matrix != nil && (n.Translation != nil || n.Rotation != nil || n.Scale != nil):
		return t, fault.New(fault.Corrupt, "node %q of the glTF file is placed twice", n.Name)
	case n.Matrix != nil:
		m := n.Matrix
		if m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 {
			return t, fault.New(fault.Corrupt, "the matrix of node %q of the glTF file is no place", n.Name)
		}
		t.X, t.Y, t.Z = vec3(m[0:3]), vec3(m[4:7]), vec3(m[8:11])
		t.T = vec3(m[12:15])
	default:
		if n.Rotation != nil {
			t.Mat3 = rotation(*n.Rotation)
		}
		if s := n.Scale; s != nil {
			t.X, t.Y, t.Z = times(t.X, s[0]), times(t.Y, s[1]), times(t.Z, s[2])
		}
		if n.Translation != nil {
			t.T = vec3(n.Translation[:])
		}
	}
	return t, nil
}

func vec3(f []float32) gbx.Vec3 { return gbx.Vec3{X: f[0], Y: f[1], Z: f[2]} }

func times(v gbx.Vec3, f float32) gbx.Vec3 { return gbx.Vec3{X: v.X * f, Y: v.Y * f, Z: v.Z * f} }

// rotation gives the axes that a quaternion turns to.
func rotation(q [4]float32) gbx.Mat3 {
	x, y, z, w := float64(q[0]), float64(q[1]), float64(q[2]), float64(q[3])
	axis := func(a, b, c float64) gbx.Vec3 { return gbx.Vec3{X: float32(a), Y: float32(b), Z: float32(c)} }
	return gbx.Mat3{
		X: axis(1-2*(y*y+z*z), 2*(x*y+z*w), 2*(x*z-y*w)),
		Y: axis(2*(x*y-z*w), 1-2*(x*x+z*z), 2*(y*z+x*w)),
		Z: axis(2*(x*z+y*w), 2*(y*z-x*w), 1-2*(x*x+y*y)),
	}
}

func (r *reader) mesh(i int) (*mesh.Mesh, error) {
	if i < 0 || i >= len(r.meshes) {
		return nil, fault.New(fault.Corrupt, "the glTF file has no mesh %d", i)
	}
	if r.meshes[i] != nil {
		return r.meshes[i], nil
	}
	from := &r.doc.Meshes[i]
	out := &mesh.Mesh{Name: from.Name, Kind: mesh.Made}
	for j := range from.Primitives {
		p, err := r.primitive(&from.Primitives[j])
		if err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, p)
	}
	r.meshes[i] = out
	return out, nil
}

func (r *reader) primitive(from *primitive) (mesh.Part, error) {
	out := mesh.Part{Material: -1, Geometry: &mesh.Geometry{}}
	if from.Mode != nil && *from.Mode != modeTriangles {
		return out, fault.New(fault.Unsupported, "a mesh of the glTF file has points, lines or strips; only triangles are read")
	}
	if from.Material != nil {
		if out.Material = *from.Material; out.Material < 0 || out.Material >= len(r.doc.Materials) {
			return out, fault.New(fault.Corrupt, "the glTF file has no material %d", out.Material)
		}
	}
	if from.Attributes.Position == nil {
		return out, fault.New(fault.Unsupported, "a mesh of the glTF file has no positions")
	}
	var err error
	if out.Positions, err = r.vectors(*from.Attributes.Position); err != nil {
		return out, err
	}
	if n := from.Attributes.Normal; n != nil {
		if out.Normals, err = r.vectors(*n); err == nil && len(out.Normals) != len(out.Positions) {
			err = fault.New(fault.Corrupt, "%d normals of %d vertices in a glTF file", len(out.Normals), len(out.Positions))
		}
		if err != nil {
			return out, err
		}
	}
	for _, set := range []*int{from.Attributes.TexCoord0, from.Attributes.TexCoord1} {
		if set == nil {
			break
		}
		uvs, err := r.uvs(*set)
		if err == nil && len(uvs) != len(out.Positions) {
			err = fault.New(fault.Corrupt, "%d texture coordinates of %d vertices in a glTF file", len(uvs), len(out.Positions))
		}
		if err != nil {
			return out, err
		}
		out.UVs = append(out.UVs, uvs)
	}
	out.Indices, err = r.indices(from.Indices, len(out.Positions))
	return out, err
}

// indices are the corners of triangles; without an accessor all vertices in
// order.
func (r *reader) indices(accessor *int, vertices int) ([]uint32, error) {
	var out []uint32
	if accessor == nil {
		for i := range vertices {
			out = append(out, uint32(i))
		}
	} else {
		c, err := r.values(*accessor, "SCALAR", typeByte, typeUint16, typeUint32)
		if err != nil {
			return nil, err
		}
		out = make([]uint32, c.count)
		for i := range out {
			v := uint32(c.integer(i, 0))
			if int64(v) >= int64(vertices) {
				return nil, fault.New(fault.Corrupt, "a triangle of the glTF file has vertex %d of %d", v, vertices)
			}
			out[i] = v
		}
	}
	if len(out)%3 != 0 {
		return nil, fault.New(fault.Corrupt, "triangles of a glTF file with %d corners", len(out))
	}
	return out, nil
}

func (r *reader) vectors(accessor int) ([]gbx.Vec3, error) {
	c, err := r.values(accessor, "VEC3", typeFloat)
	if err != nil {
		return nil, err
	}
	out := make([]gbx.Vec3, c.count)
	for i := range out {
		out[i] = gbx.Vec3{X: c.float(i, 0), Y: c.float(i, 1), Z: c.float(i, 2)}
		if v := out[i]; v.X-v.X != 0 || v.Y-v.Y != 0 || v.Z-v.Z != 0 {
			return nil, fault.New(fault.Corrupt, "a vertex of the glTF file is no number")
		}
	}
	return out, nil
}

func (r *reader) uvs(accessor int) ([]gbx.Vec2, error) {
	c, err := r.values(accessor, "VEC2", typeFloat, typeByte, typeUint16)
	if err != nil {
		return nil, err
	}
	out := make([]gbx.Vec2, c.count)
	for i := range out {
		out[i] = gbx.Vec2{X: c.float(i, 0), Y: c.float(i, 1)}
		if v := out[i]; v.X-v.X != 0 || v.Y-v.Y != 0 {
			return nil, fault.New(fault.Corrupt, "a texture coordinate of the glTF file is no number")
		}
	}
	return out, nil
}

// values are the values of an accessor.
type values struct {
	data      []byte
	component int
	size      int // of a component
	stride    int
	count     int
}

var (
	componentSizes = map[int]int{typeByte: 1, typeUint16: 2, typeUint32: 4, typeFloat: 4}
	componentCount = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3}
)

// values finds the values of an accessor of a type with one of some components.
func (r *reader) values(index int, kind string, components ...int) (values, error) {
	fail := func(k fault.Kind, why string) (values, error) {
		return values{}, fault.New(k, "accessor %d of the glTF file %s", index, why)
	}
	if index < 0 || index >= len(r.doc.Accessors) {
		return fail(fault.Corrupt, "is not there")
	}
	a := &r.doc.Accessors[index]
	switch {
	case len(a.Sparse) > 0:
		return fail(fault.Unsupported, "is sparse")
	case a.View == nil:
		return fail(fault.Unsupported, "has no data")
	case *a.View < 0 || *a.View >= len(r.doc.Views):
		return fail(fault.Corrupt, "has no view")
	case a.Type != kind || !slices.Contains(components, a.Component):
		return fail(fault.Unsupported, "is of another type than is read here")
	case kind == "VEC2" && a.Component != typeFloat && !a.Normalized:
		return fail(fault.Corrupt, "holds whole numbers where parts of 1 are wanted")
	}
	v := &r.doc.Views[*a.View]
	size := componentSizes[a.Component]
	element := int64(size * componentCount[kind])
	stride := element
	if v.Stride != 0 {
		stride = v.Stride
	}
	total := int64(len(r.bin))
	switch {
	case v.Buffer != 0:
		return fail(fault.Unsupported, "is in another file")
	case v.Offset < 0 || v.Length < 0 || v.Offset > total || v.Length > total-v.Offset:
		return fail(fault.Corrupt, "is in a view that is outside of the data")
	case stride < element || stride > 252 || a.Offset < 0 || a.Count < 0:
		return fail(fault.Corrupt, "has values that overlap")
	case a.Count == 0:
		return values{count: 0}, nil
	case a.Offset > v.Length || a.Count > total || a.Offset+(a.Count-1)*stride+element > v.Length:
		return fail(fault.Corrupt, "reaches beyond its view")
	}
	if r.numbers += a.Count * int64(componentCount[kind]); r.numbers > maxNumbers {
		return values{}, fault.New(fault.Limit, "the meshes of the glTF file hold more than %d numbers", maxNumbers)
	}
	return values{r.bin[v.Offset+a.Offset : v.Offset+v.Length], a.Component, size, int(stride), int(a.Count)}, nil
}

func (c *values) at(i, part int) []byte { return c.data[i*c.stride+part*c.size:] }

func (c *values) integer(i, part int) uint32 {
	b := c.at(i, part)
	switch c.component {
	case typeByte:
		return uint32(b[0])
	case typeUint16:
		return uint32(binary.LittleEndian.Uint16(b))
	}
	return binary.LittleEndian.Uint32(b)
}

// float is a number; a whole one stands for a part of the highest.
func (c *values) float(i, part int) float32 {
	switch c.component {
	case typeByte:
		return float32(c.integer(i, part)) / math.MaxUint8
	case typeUint16:
		return float32(c.integer(i, part)) / math.MaxUint16
	}
	return math.Float32frombits(c.integer(i, part))
}
