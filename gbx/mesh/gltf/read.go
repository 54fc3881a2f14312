package gltf

import (
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"strings"

	"pakbox/fault"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/model"
)

// Limits, because a few bytes of JSON make a node, and primitives can share bytes.
const (
	maxJSON    = 4 << 20
	maxNumbers = 1 << 24 // numbers in all columns that are read
	maxDepth   = 256
)

// Read reads a glTF 2.0 file: nodes with their places, and triangles with
// positions, normals, two sets of texture coordinates, colours and materials by
// name. The file is binary (.glb), or JSON (.gltf) with its data inside or in files
// beside it, which are read from beside; nil allows no other file. Compressed or
// sparse data, bones and lines are errors.
func Read(data []byte, beside fs.FS) (*mesh.Scene, error) {
	r, err := open(data, beside)
	if err != nil {
		return nil, err
	}
	return r.scene()
}

func open(data []byte, beside fs.FS) (*reader, error) {
	text, bin, err := data, []byte(nil), error(nil)
	if !isJSON(data) {
		text, bin, err = chunks(data)
	}
	if err != nil {
		return nil, err
	}
	if n := len(text) - inlined(text); n > maxJSON {
		return nil, fault.New(fault.Limit, "%d bytes of JSON in a glTF file; %d are read", n, maxJSON)
	}
	r := &reader{}
	if err := json.Unmarshal(text, &r.doc); err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "the JSON of the glTF file")
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return r, r.buffers(bin, beside)
}

func chunks(data []byte) (text, bin []byte, err error) {
	if len(data) < 12 || string(data[:4]) != "glTF" {
		return nil, nil, fault.New(fault.NotFormat, "the file is not a glTF file (.glb or .gltf)")
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, nil, fault.New(fault.Unsupported, "glTF version %d is not supported; expected 2", v)
	}
	if n := binary.LittleEndian.Uint32(data[8:]); int64(n) != int64(len(data)) {
		return nil, nil, fault.New(fault.Corrupt, "the glTF file declares %d bytes, but has %d", n, len(data))
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
	return text, bin, nil
}

type reader struct {
	doc     document
	data    [][]byte     // bytes of the buffers
	meshes  []*mesh.Mesh // meshes that were read, by index
	used    []bool       // nodes that are already in the scene
	numbers int64        // numbers that were read so far
}

// check checks the properties of the whole file, such as its version.
func (r *reader) check() error {
	if v := r.doc.Asset.Version; !strings.HasPrefix(v, "2.") || r.doc.Asset.MinVersion != "" && r.doc.Asset.MinVersion != "2.0" {
		return fault.New(fault.Unsupported, "glTF version %q is not supported; expected 2.x", v)
	}
	for _, name := range r.doc.Required {
		if !known(name) {
			return fault.New(fault.Unsupported, "the glTF file needs the extension %s", name)
		}
	}
	r.meshes, r.used = make([]*mesh.Mesh, len(r.doc.Meshes)), make([]bool, len(r.doc.Nodes))
	return nil
}

// known reports whether a file that requires an extension can be read. Extensions about
// the look of surfaces are ignored.
func known(extension string) bool {
	return strings.HasPrefix(extension, "KHR_materials_") || strings.HasPrefix(extension, "KHR_texture_") || extension == lightsExtension
}

func (r *reader) scene() (*mesh.Scene, error) {
	if i := r.sceneIndex(); i < 0 || i >= len(r.doc.Scenes) {
		return nil, fault.New(fault.Corrupt, "the glTF file has no scene %d", i)
	}
	out := &mesh.Scene{}
	for _, m := range r.doc.Materials {
		out.Materials = append(out.Materials, mesh.Material{Name: m.Name, Link: m.Extras.Link})
	}
	var err error
	out.Nodes, err = r.nodes(r.roots(), 0)
	return out, err
}

func (r *reader) sceneIndex() int {
	if r.doc.Scene != nil {
		return *r.doc.Scene
	}
	return 0
}

// roots are the outermost nodes of the scene.
func (r *reader) roots() []int { return r.doc.Scenes[r.sceneIndex()].Nodes }

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
			return nil, fault.New(fault.Corrupt, "node %d of the glTF file has more than one parent", i)
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
	out := &mesh.Node{Name: n.Name, Transform: t.Short()}
	if n.Mesh != nil {
		if out.Mesh, err = r.mesh(*n.Mesh); err != nil {
			return nil, err
		}
	}
	out.Children, err = r.nodes(n.Children, depth+1)
	return out, err
}

// transform returns the place of a node: a matrix, or scale, rotation and translation.
func (n *node) transform() (model.Matrix, error) {
	t := model.Identity
	switch {
	case n.Matrix != nil && (n.Translation != nil || n.Rotation != nil || n.Scale != nil):
		return t, fault.New(fault.Corrupt, "node %q of the glTF file has both a matrix and a translation, rotation or scale", n.Name)
	case n.Matrix != nil:
		m := n.Matrix
		if m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1 {
			return t, fault.New(fault.Corrupt, "the matrix of node %q of the glTF file is not a transform", n.Name)
		}
		t = model.Matrix{X: vec3(m[0:3]), Y: vec3(m[4:7]), Z: vec3(m[8:11]), T: vec3(m[12:15])}
	default:
		if n.Rotation != nil {
			t = rotation(*n.Rotation)
		}
		if s := n.Scale; s != nil {
			t.X, t.Y, t.Z = t.X.Times(float64(s[0])), t.Y.Times(float64(s[1])), t.Z.Times(float64(s[2]))
		}
		if n.Translation != nil {
			t.T = vec3(n.Translation[:])
		}
	}
	return t, nil
}

func vec3(f []float32) model.Vec3 {
	return model.Vec3{float64(f[0]), float64(f[1]), float64(f[2])}
}

// rotation returns the rotation of a quaternion as axes.
func rotation(q [4]float32) model.Matrix {
	x, y, z, w := float64(q[0]), float64(q[1]), float64(q[2]), float64(q[3])
	return model.Matrix{
		X: model.Vec3{1 - 2*(y*y+z*z), 2 * (x*y + z*w), 2 * (x*z - y*w)},
		Y: model.Vec3{2 * (x*y - z*w), 1 - 2*(x*x+z*z), 2 * (y*z + x*w)},
		Z: model.Vec3{2 * (x*z + y*w), 2 * (y*z - x*w), 1 - 2*(x*x+y*y)},
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
	if c := from.Attributes.Color; c != nil {
		if out.Colors, err = r.colors(*c); err == nil && len(out.Colors) != len(out.Positions) {
			err = fault.New(fault.Corrupt, "%d colours of %d vertices in a glTF file", len(out.Colors), len(out.Positions))
		}
		if err != nil {
			return out, err
		}
	}
	out.Indices, err = r.indices(from.Indices, len(out.Positions))
	return out, err
}

// indices returns the corners of triangles. Without an accessor these are all vertices in
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
