package fbx

import (
	"math"
	"slices"

	"pakbox/fault"
	"pakbox/gbx/mesh/model"
)

// shape is a geometry that was read. Polygons refer to materials by their position in the
// list of the node, so nodes that share a geometry may have different materials.
type shape struct {
	mesh      *model.Mesh
	materials []int32 // the materials of the node that the mesh was made for
}

// mesh returns the mesh of a geometry for a node with these materials.
func (f *file) mesh(o *object, materials []int32) (*model.Mesh, error) {
	if s := o.shape; s.mesh != nil && slices.Equal(s.materials, materials) {
		return s.mesh, nil
	}
	g := geometry{file: f, record: o.record, mesh: &model.Mesh{Name: o.name}}
	if err := g.read(); err != nil {
		return nil, err
	}
	for i := range g.mesh.Polygons {
		p := &g.mesh.Polygons[i]
		if local := p.Material; local >= 0 && int(local) < len(materials) {
			p.Material = materials[local]
		} else {
			p.Material = -1
		}
	}
	o.shape = shape{g.mesh, materials}
	return g.mesh, nil
}

// geometry is a geometry that is being read.
type geometry struct {
	file   *file
	record *record
	mesh   *model.Mesh
	// polygons are all polygons of the file. The mesh leaves out those with fewer than
	// three corners, but layers count them.
	polygons  []model.Polygon
	polygonOf []int32 // for each corner the index of its polygon
	edges     list    // each edge is given by a corner, and goes from there to the next corner
}

func (g *geometry) read() error {
	var layers []*record
	var vertices, indices *record
	err := g.record.each(func(r *record) error {
		switch r.name {
		case "Vertices":
			vertices = r
		case "PolygonVertexIndex":
			indices = r
		case "Edges":
			var err error
			g.edges, err = r.list()
			return err
		case "LayerElementNormal", "LayerElementUV", "LayerElementColor", "LayerElementMaterial", "LayerElementSmoothing":
			layers = append(layers, r)
		}
		return nil
	})
	if err != nil || vertices == nil || indices == nil {
		return err // a geometry without polygons
	}
	before := g.file.used
	if err := g.positions(vertices); err != nil {
		return err
	}
	if err := g.corners(indices); err != nil {
		return err
	}
	if err := g.layers(layers); err != nil {
		return err
	}
	for _, p := range g.polygons {
		if p.Count >= 3 {
			g.mesh.Polygons = append(g.mesh.Polygons, p)
		}
	}
	g.file.used = before + g.size() // only the mesh stays in memory
	return nil
}

// size is the memory that the mesh takes.
func (g *geometry) size() int64 {
	m := g.mesh
	perCorner := 4 + 24*min(len(m.Normals), 1) + 32*min(len(m.Colors), 1) + 16*len(m.UVLayers)
	return int64(24*len(m.Positions) + perCorner*len(m.Corners) + 12*len(m.Polygons))
}

func (g *geometry) positions(r *record) error {
	l, err := r.list()
	if err != nil {
		return err
	}
	if l.count%3 != 0 {
		return fault.At(fault.Corrupt, l.offset, r.name, "%d numbers are not positions", l.count)
	}
	if err := g.file.charge(int64(l.count)*8, l.offset); err != nil {
		return err
	}
	g.mesh.Positions = make([]model.Vec3, l.count/3)
	for i := range g.mesh.Positions {
		g.mesh.Positions[i] = model.Vec3{l.float(3 * i), l.float(3*i + 1), l.float(3*i + 2)}
	}
	return numbers(&l, r)
}

// numbers returns an error if a number of the list is infinite or NaN.
func numbers(l *list, r *record) error {
	for i := range l.count {
		if v := l.float(i); math.IsNaN(v) || math.IsInf(v, 0) {
			return fault.At(fault.Corrupt, l.offset, r.name, "value %d of the list is not a number", i)
		}
	}
	return nil
}

// corners reads the polygons. The last corner of each polygon is stored as the bitwise
// complement.
func (g *geometry) corners(r *record) error {
	l, err := r.list()
	if err != nil {
		return err
	}
	if err := g.file.charge(int64(l.count)*20, l.offset); err != nil { // memory for corners, their polygons, and polygons
		return err
	}
	g.mesh.Corners, g.polygonOf = make([]int32, l.count), make([]int32, l.count)
	first := 0
	for i := range l.count {
		v := l.int(i)
		last := v < 0
		if last {
			v = -v - 1
		}
		if v < 0 || v >= int64(len(g.mesh.Positions)) {
			return fault.At(fault.Corrupt, l.offset, r.name, "corner %d is at position %d of %d", i, v, len(g.mesh.Positions))
		}
		g.mesh.Corners[i], g.polygonOf[i] = int32(v), int32(len(g.polygons))
		if last {
			g.polygons = append(g.polygons, model.Polygon{First: int32(first), Count: int32(i + 1 - first), Material: 0})
			first = i + 1
		}
	}
	if first != l.count {
		return fault.At(fault.Corrupt, l.offset, r.name, "the last polygon does not end")
	}
	return nil
}

func (g *geometry) layers(list []*record) error {
	var smoothing *layer
	materials := false
	for _, r := range list {
		e, err := g.layer(r)
		if err != nil {
			return err
		}
		if e == nil {
			continue
		}
		switch m := g.mesh; {
		case r.name == "LayerElementUV":
			uvs, err := values[model.Vec2](g, e)
			if err != nil {
				return err
			}
			name := e.name
			if n := len(m.UVLayers); name == "" && n < len(model.LayerNames) {
				name = model.LayerNames[n] // assimp writes no names
			}
			m.UVLayers = append(m.UVLayers, model.UVLayer{Name: name, UVs: uvs})
		case r.name == "LayerElementNormal" && m.Normals == nil:
			m.Normals, err = values[model.Vec3](g, e)
		case r.name == "LayerElementColor" && m.Colors == nil:
			m.Colors, err = values[[4]float64](g, e)
		case r.name == "LayerElementMaterial" && !materials:
			materials = true
			err = g.materials(e)
		case r.name == "LayerElementSmoothing" && smoothing == nil:
			smoothing = e
		}
		if err != nil {
			return err
		}
	}
	if g.mesh.Normals == nil {
		return g.smooth(smoothing)
	}
	return nil
}
