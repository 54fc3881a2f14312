package mapmesh

import (
	"math"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/blocks/shapes"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
)

// shapeKey is the key under which blocks with the same shape and colour share a mesh.
type shapeKey struct {
	shapes.Key
	tint string
}

// shaped makes the node of a block without a mesh: with the mesh of its shape, or with
// slabs if its shape is unknown.
func (b *builder) shaped(own []scene.Thing, block *maps.Block, name string) *mesh.Node {
	first := &own[0]
	key, place, ok := b.layout.Shape(b.m, block, first.Kind)
	bulk := key.Kind == nil && first.Kind == scene.Scenery && b.m.Kind(block) != nil
	if bulk {
		key = shapes.Key{Kind: b.m.Kind(block), Ground: block.Ground()}
		place, ok = b.layout.PlaceBlock(block, shapes.CellsOf(key.Kind, key.Ground).Size)
		place.Position.Y += float32(key.Kind.Rise) * b.layout.Cell.Y
	}
	if key.Kind == nil || !ok {
		return b.slabs(own, name, uint32(block.Flags))
	}
	tint, _ := b.tintOf(first)
	m, known := b.shapes[shapeKey{key, tint}]
	if !known {
		faces := facesOf(key, b.layout.Cell, bulk)
		if len(faces) == 0 || b.merged+len(faces) > maxMerged {
			return b.slabs(own, name, uint32(block.Flags))
		}
		m = b.shapeMesh(first, faces)
		if m.Name += " " + tint; !key.Ground {
			m.Name += " in the air"
		}
		b.shapes[shapeKey{key, tint}] = m
		b.merged += len(faces)
		b.out.Stored += m.Triangles()
	}
	b.out.Boxes.add(m.Triangles())
	axis := func(v gbx.Vec3) gbx.Vec3 { return exact(place.Turn.Apply(v)) }
	at := mesh.Transform{Mat3: gbx.Mat3{X: axis(gbx.Vec3{X: 1}), Y: axis(gbx.Vec3{Y: 1}), Z: axis(gbx.Vec3{Z: 1})}, T: place.Position}
	return &mesh.Node{Name: name, Mesh: m, Transform: at}
}

// exact removes the rounding of quarter turns, so that blocks of the grid meet exactly.
func exact(v gbx.Vec3) gbx.Vec3 {
	round := func(f float32) float32 {
		if n := float32(math.Round(float64(f))); f-n < 1e-6 && n-f < 1e-6 {
			return n
		}
		return f
	}
	return gbx.Vec3{X: round(v.X), Y: round(v.Y), Z: round(v.Z)}
}

// facesOf returns the faces of a block with a surface, or of one that fills its cells.
func facesOf(key shapes.Key, cell gbx.Vec3, bulk bool) []shapes.Face {
	if bulk {
		return shapes.Bulk(key, cell)
	}
	return shapes.Mesh(key, cell)
}

// shapeMesh makes a mesh of faces, with a part for each material.
func (b *builder) shapeMesh(t *scene.Thing, faces []shapes.Face) *mesh.Mesh {
	m := &mesh.Mesh{Name: t.Name, Kind: mesh.Made}
	var parts [shapes.Curb + 1]*mesh.Geometry
	normals := smooth(faces)
	for i := range faces {
		f := &faces[i]
		g := parts[f.Part]
		if g == nil {
			g = &mesh.Geometry{}
			parts[f.Part] = g
		}
		first := uint32(len(g.Positions))
		g.Positions = append(g.Positions, f.Corners[:]...)
		g.Normals = append(g.Normals, normals[i][:]...)
		g.Indices = append(g.Indices, first, first+1, first+2, first, first+2, first+3)
	}
	for part, g := range parts {
		if g != nil {
			m.Parts = append(m.Parts, mesh.Part{Material: b.partMaterial(t, shapes.Part(part)), Geometry: g})
		}
	}
	return m
}

// partMaterial returns the material of a part of a block. Only the upper side has the colour
// of a start, checkpoint or finish.
func (b *builder) partMaterial(t *scene.Thing, part shapes.Part) int {
	other := *t
	other.Surface = t.Material()
	if part != shapes.Deck {
		other.Way = scene.NoWay
	}
	if part == shapes.Curb {
		other.Surface, other.Color = "border", 0
	}
	return b.tinted(&other)
}

// smooth returns the normals of all corners: those of faces that meet at a small angle are
// the same.
func smooth(faces []shapes.Face) [][4]gbx.Vec3 {
	const alike = 0.8 // the cosine of the angle
	type place struct {
		at   gbx.Vec3
		part shapes.Part
	}
	around := map[place][]int{}
	flat := make([]gbx.Vec3, len(faces))
	for i := range faces {
		flat[i] = faces[i].Normal()
		for _, p := range faces[i].Corners {
			around[place{p, faces[i].Part}] = append(around[place{p, faces[i].Part}], i)
		}
	}
	out := make([][4]gbx.Vec3, len(faces))
	for i := range faces {
		for n, p := range faces[i].Corners {
			var sum gbx.Vec3
			for _, k := range around[place{p, faces[i].Part}] {
				if v := flat[k]; v.X*flat[i].X+v.Y*flat[i].Y+v.Z*flat[i].Z > alike {
					sum = gbx.Vec3{X: sum.X + v.X, Y: sum.Y + v.Y, Z: sum.Z + v.Z}
				}
			}
			if length := float32(math.Sqrt(float64(sum.X*sum.X + sum.Y*sum.Y + sum.Z*sum.Z))); length > 0 {
				out[i][n] = gbx.Vec3{X: sum.X / length, Y: sum.Y / length, Z: sum.Z / length}
			} else {
				out[i][n] = flat[i]
			}
		}
	}
	return out
}
