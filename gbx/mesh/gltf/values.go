package gltf

import (
	"encoding/binary"
	"math"
	"slices"

	"pakbox/fault"
	"pakbox/gbx"
)

// values has the values of an accessor.
type values struct {
	data      []byte
	component int
	size      int // bytes of a component
	stride    int
	count     int
}

var (
	componentSizes = map[int]int{typeByte: 1, typeUint16: 2, typeUint32: 4, typeFloat: 4}
	componentCount = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
)

// values finds the values of an accessor. Its type must be kind, and its component type
// one of components.
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
	case kind != "SCALAR" && a.Component != typeFloat && !a.Normalized:
		return fail(fault.Corrupt, "holds whole numbers where parts of 1 are wanted")
	}
	v := &r.doc.Views[*a.View]
	size := componentSizes[a.Component]
	element := int64(size * componentCount[kind])
	stride := element
	if v.Stride != 0 {
		stride = v.Stride
	}
	if v.Buffer < 0 || v.Buffer >= len(r.data) {
		return fail(fault.Corrupt, "has no buffer")
	}
	data := r.data[v.Buffer]
	total := int64(len(data))
	switch {
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
	return values{data[v.Offset+a.Offset : v.Offset+v.Length], a.Component, size, int(stride), int(a.Count)}, nil
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

// float returns a component as a float. An integer stands for a fraction of the largest
// integer.
func (c *values) float(i, part int) float32 {
	switch c.component {
	case typeByte:
		return float32(c.integer(i, part)) / math.MaxUint8
	case typeUint16:
		return float32(c.integer(i, part)) / math.MaxUint16
	}
	return math.Float32frombits(c.integer(i, part))
}

// colors returns the colours of vertices, with or without alpha. glTF stores them in
// linear light.
func (r *reader) colors(accessor int) ([][4]uint8, error) {
	kind := "VEC4"
	if accessor >= 0 && accessor < len(r.doc.Accessors) && r.doc.Accessors[accessor].Type == "VEC3" {
		kind = "VEC3"
	}
	c, err := r.values(accessor, kind, typeFloat, typeByte, typeUint16)
	if err != nil {
		return nil, err
	}
	out := make([][4]uint8, c.count)
	for i := range out {
		out[i][3] = math.MaxUint8
		for k := range componentCount[kind] {
			out[i][k] = uint8(min(max(c.float(i, k), 0), 1)*math.MaxUint8 + 0.5)
		}
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
			return nil, fault.New(fault.Corrupt, "a vertex of the glTF file is not a number")
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
			return nil, fault.New(fault.Corrupt, "a texture coordinate of the glTF file is not a number")
		}
	}
	return out, nil
}
