package gltf

import (
	"io/fs"
	"math"

	"pakbox/fault"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/model"
)

// ReadModel is Read with lights, and with the exact places of nodes. A primitive becomes
// polygons with its material. The sets of texture coordinates get the names of the games'
// layers.
func ReadModel(data []byte, beside fs.FS) (*model.Scene, error) {
	r, err := open(data, beside)
	if err != nil {
		return nil, err
	}
	s, err := r.scene() // also checks the nodes
	if err != nil {
		return nil, err
	}
	out := &model.Scene{Unit: 1}
	for _, m := range s.Materials {
		out.Materials, out.Links = append(out.Materials, m.Name), append(out.Links, m.Link)
	}
	if err := r.bound(int64(len(data))); err != nil {
		return nil, err
	}
	meshes := map[*mesh.Mesh]*model.Mesh{}
	var add func(list []int, parent int, above model.Matrix)
	add = func(list []int, parent int, above model.Matrix) {
		for _, i := range list {
			from := &r.doc.Nodes[i]
			local, _ := from.transform() // cannot fail: scene has checked it
			n := model.Node{Name: from.Name, Parent: parent, World: above.Times(local), Light: r.light(from)}
			if from.Mesh != nil {
				m := r.meshes[*from.Mesh]
				if meshes[m] == nil {
					meshes[m] = polygons(m)
				}
				n.Mesh = meshes[m]
			}
			out.Nodes = append(out.Nodes, n)
			add(from.Children, len(out.Nodes)-1, n.World)
		}
	}
	add(r.roots(), -1, model.Identity)
	return out, nil
}

// bound limits the size of the model to a multiple of the files' size. A few bytes can
// refer to the same triangles many times.
func (r *reader) bound(size int64) error {
	most := 12*size + 48<<20
	for _, b := range r.data {
		most += 12 * int64(len(b))
	}
	for _, m := range r.meshes {
		if m == nil {
			continue
		}
		for _, p := range m.Parts {
			const perPosition, perCorner, perSet = 24, 4 + 24 + 32 + 4, 16
			most -= int64(len(p.Positions))*perPosition + int64(len(p.Indices))*int64(perCorner+perSet*len(p.UVs))
		}
	}
	if most < 0 {
		return fault.New(fault.Limit, "the glTF file of %d bytes has triangles that take much more memory", size)
	}
	return nil
}

// light returns the light of a node, or nil.
func (r *reader) light(n *node) *model.Light {
	i, lights := n.Extension.Light.Light, r.doc.Extension.Lights.Lights
	if i == nil || *i < 0 || *i >= len(lights) {
		return nil
	}
	from := &lights[*i]
	out := &model.Light{Color: [3]float64{1, 1, 1}, Intensity: 1}
	if from.Color != nil {
		out.Color = *from.Color
	}
	if from.Intensity != nil {
		out.Intensity = *from.Intensity
	}
	switch from.Type {
	case "directional":
		out.Kind = model.DirectionalLight
	case "spot":
		outer := math.Pi / 4
		if from.Spot.Outer != nil {
			outer = *from.Spot.Outer
		}
		degrees := 2 * 180 / math.Pi // the full angle of the cone
		out.Kind, out.Inner, out.Outer = model.SpotLight, from.Spot.Inner*degrees, outer*degrees
	}
	return out
}

// polygons converts the triangles of a mesh to polygons, part by part.
func polygons(from *mesh.Mesh) *model.Mesh {
	out := &model.Mesh{Name: from.Name}
	sets, normals, colors := 0, true, true
	for _, p := range from.Parts {
		sets = max(sets, len(p.UVs))
		normals, colors = normals && p.Normals != nil, colors && p.Colors != nil
	}
	for _, name := range model.LayerNames[:sets] {
		out.UVLayers = append(out.UVLayers, model.UVLayer{Name: name})
	}
	for _, p := range from.Parts {
		first := int32(len(out.Positions))
		for _, v := range p.Positions {
			out.Positions = append(out.Positions, model.Vec3{float64(v.X), float64(v.Y), float64(v.Z)})
		}
		for i, v := range p.Indices {
			if i%3 == 0 {
				out.Polygons = append(out.Polygons, model.Polygon{First: int32(len(out.Corners)), Count: 3, Material: int32(p.Material)})
			}
			out.Corners = append(out.Corners, first+int32(v))
			if normals {
				n := p.Normals[v]
				out.Normals = append(out.Normals, model.Vec3{float64(n.X), float64(n.Y), float64(n.Z)})
			}
			if colors {
				var c [4]float64
				for k, b := range p.Colors[v] {
					c[k] = float64(b) / math.MaxUint8
				}
				out.Colors = append(out.Colors, c)
			}
			for set := range out.UVLayers {
				var uv model.Vec2 // 0, 0 if a part has fewer sets than another
				if set < len(p.UVs) {
					uv = model.Vec2{float64(p.UVs[set][v].X), float64(1 - p.UVs[set][v].Y)}
				}
				out.UVLayers[set].UVs = append(out.UVLayers[set].UVs, uv)
			}
		}
	}
	return out
}
