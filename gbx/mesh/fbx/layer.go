package fbx

import (
	"pakbox/fault"
	"pakbox/gbx/mesh/model"
)

// layer is a layer element: values, and their assignment to corners.
type layer struct {
	record  *record
	name    string
	mapping string // what the values belong to: corners, positions, polygons, edges, or everything
	values  list
	indices *list // indices into values; nil if the values are in order
}

// valueNames are the names of the records with the values and the indices of a layer.
var valueNames = map[string][2]string{
	"LayerElementNormal":    {"Normals", "NormalsIndex"},
	"LayerElementUV":        {"UV", "UVIndex"},
	"LayerElementColor":     {"Colors", "ColorIndex"},
	"LayerElementMaterial":  {"Materials", ""},
	"LayerElementSmoothing": {"Smoothing", ""},
}

// layer reads a layer element; nil if it has no values.
func (g *geometry) layer(r *record) (*layer, error) {
	out := &layer{record: r}
	reference, found := "", false
	err := r.each(func(part *record) error {
		var err error
		switch names := valueNames[r.name]; part.name {
		case "Name":
			out.name = part.text()
		case "MappingInformationType":
			out.mapping = part.text()
		case "ReferenceInformationType":
			reference = part.text()
		case names[0]:
			found = true
			out.values, err = part.list()
		case names[1]:
			var l list
			l, err = part.list()
			out.indices = &l
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if !found || out.mapping == "NoMappingInformation" {
		return nil, nil
	}
	switch reference {
	case "Direct":
		out.indices = nil
	case "IndexToDirect", "Index": // material numbers are already indices
		if out.indices == nil && valueNames[r.name][1] != "" {
			return nil, fault.At(fault.Corrupt, r.offset, r.name, "the layer %q has no indexes", out.name)
		}
	default:
		return nil, fault.At(fault.Unsupported, r.offset, r.name, "the layer %q refers to its values by %q", out.name, reference)
	}
	return out, nil
}

// at returns the position of the value for a corner, before the indices are applied.
func (e *layer) at(g *geometry, corner int) (int, error) {
	switch e.mapping {
	case "ByPolygonVertex":
		return corner, nil
	case "ByVertice", "ByVertex":
		return int(g.mesh.Corners[corner]), nil
	case "ByPolygon":
		return int(g.polygonOf[corner]), nil
	case "AllSame":
		return 0, nil
	}
	return 0, fault.At(fault.Unsupported, e.record.offset, e.record.name, "the layer %q maps its values by %q", e.name, e.mapping)
}

// values returns the values for all corners.
func values[T model.Vec2 | model.Vec3 | [4]float64](g *geometry, e *layer) ([]T, error) {
	var one T
	width := len(one)
	if e.values.count%width != 0 {
		return nil, fault.At(fault.Corrupt, e.values.offset, e.record.name, "%d numbers, in groups of %d", e.values.count, width)
	}
	if err := numbers(&e.values, e.record); err != nil {
		return nil, err
	}
	if err := g.file.charge(int64(len(g.mesh.Corners)*width*8), e.values.offset); err != nil {
		return nil, err
	}
	out := make([]T, len(g.mesh.Corners))
	for c := range out {
		i, err := e.at(g, c)
		if err != nil {
			return nil, err
		}
		if e.indices != nil {
			if i >= e.indices.count {
				return nil, fault.At(fault.Corrupt, e.indices.offset, e.record.name, "%d indexes; corner %d needs number %d", e.indices.count, c, i)
			}
			if i = int(e.indices.int(i)); i == -1 {
				continue // a corner without a value
			}
		}
		if i < 0 || i >= e.values.count/width {
			return nil, fault.At(fault.Corrupt, e.values.offset, e.record.name, "%d values; corner %d needs number %d", e.values.count/width, c, i)
		}
		for k := range width {
			out[c][k] = e.values.float(i*width + k)
		}
	}
	return out, nil
}

// materials sets the material of each polygon.
func (g *geometry) materials(e *layer) error {
	for i := range g.polygons {
		p := &g.polygons[i]
		at := 0
		switch e.mapping {
		case "AllSame":
		case "ByPolygon":
			at = i
		default:
			return fault.At(fault.Unsupported, e.record.offset, e.record.name, "materials are mapped by %q", e.mapping)
		}
		if at >= e.values.count {
			return fault.At(fault.Corrupt, e.values.offset, e.record.name, "%d materials of %d polygons", e.values.count, len(g.polygons))
		}
		if v := e.values.int(at); v >= 0 && v < 1<<31 {
			p.Material = int32(v)
		} else {
			p.Material = -1
		}
	}
	return nil
}
