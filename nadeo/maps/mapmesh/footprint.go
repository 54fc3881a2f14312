package mapmesh

import (
	"cmp"
	"slices"

	"pakbox/gbx"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
)

// Footprints are the outlines, seen from above, of the blocks and items whose meshes are
// embedded in the map. They are convex. The key is the index on the map. An empty outline
// means that the mesh has no visible part.
type Footprints struct {
	Blocks, Items map[int][]gbx.Vec3
}

// FootprintsOf reads the embedded meshes of a map.
func FootprintsOf(m *maps.Map, layout *scene.Scene) Footprints {
	b := &builder{layout: layout, m: m, models: newModels(m, nil)}
	out := Footprints{Blocks: map[int][]gbx.Vec3{}, Items: map[int][]gbx.Vec3{}}
	if len(b.models.embedding.Files) == 0 {
		return out
	}
	ends := map[*model][]gbx.Vec3{}
	endsOf := func(k *model) []gbx.Vec3 {
		e, ok := ends[k]
		if !ok {
			e = k.ends()
			ends[k] = e
		}
		return e
	}
	i := 0
	for block := range m.EachBlock() {
		if k := b.models.block(block); k != nil {
			if p, ok := b.placeBlock(k, block); ok {
				out.Blocks[i] = footprint(endsOf(k), &p)
			}
		}
		i++
	}
	for i, it := range m.Items() {
		if k := b.models.item(&it); k != nil {
			if p, ok := scene.PlaceItem(i, &it); ok && usual(it.Scale) {
				out.Items[i] = footprint(endsOf(k), &p)
			}
		}
	}
	return out
}

// ends returns the vertices of a model that are farthest in one of many directions. Their
// outline is about that of the model, however it is turned.
func (k *model) ends() []gbx.Vec3 {
	if k.mesh == nil {
		return nil
	}
	var far [len(directions)]gbx.Vec3
	var reach [len(directions)]float32
	first := true
	for i := range k.mesh.Parts {
		for _, v := range k.mesh.Parts[i].Positions {
			for j := range directions {
				d := &directions[j]
				if r := v.X*d.X + v.Y*d.Y + v.Z*d.Z; first || r > reach[j] {
					reach[j], far[j] = r, v
				}
			}
			first = false
		}
	}
	if first {
		return nil
	}
	return far[:]
}

// directions are those to the sides, edges and corners of a cube, and eight more to the
// sides, because most things stand upright.
var directions = func() (out [34]gbx.Vec3) {
	n := 0
	for x := range 3 {
		for y := range 3 {
			for z := range 3 {
				if d := (gbx.Vec3{X: float32(x - 1), Y: float32(y - 1), Z: float32(z - 1)}); d != (gbx.Vec3{}) {
					out[n] = d
					n++
				}
			}
		}
	}
	for _, d := range [...][2]float32{{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}} {
		out[n] = gbx.Vec3{X: d[0], Z: d[1]}
		n++
	}
	return out
}()

// footprint returns the convex outline of points at a place.
func footprint(points []gbx.Vec3, p *scene.Instance) []gbx.Vec3 {
	t := p.Matrix()
	placed := make([]gbx.Vec3, len(points))
	for i, v := range points {
		placed[i] = gbx.Vec3{
			X: t[0]*v.X + t[4]*v.Y + t[8]*v.Z + t[12],
			Y: t[1]*v.X + t[5]*v.Y + t[9]*v.Z + t[13],
			Z: t[2]*v.X + t[6]*v.Y + t[10]*v.Z + t[14],
		}
	}
	return hull(placed)
}

// hull returns the corners of the convex outline of points, seen from above
// (Andrew's monotone chain).
func hull(points []gbx.Vec3) []gbx.Vec3 {
	slices.SortFunc(points, func(a, b gbx.Vec3) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Z, b.Z)) })
	points = slices.CompactFunc(points, func(a, b gbx.Vec3) bool { return a.X == b.X && a.Z == b.Z })
	if len(points) < 3 {
		return points
	}
	var out []gbx.Vec3
	for range 2 { // one side, and the other side backwards
		from := len(out)
		for _, p := range points {
			for len(out) >= from+2 && left(out[len(out)-2], out[len(out)-1], p) <= 0 {
				out = out[:len(out)-1]
			}
			out = append(out, p)
		}
		out = out[:len(out)-1] // the next side begins with it
		slices.Reverse(points)
	}
	return out
}

// left is positive if c lies to the left of the line from a to b.
func left(a, b, c gbx.Vec3) float32 { return (b.X-a.X)*(c.Z-a.Z) - (b.Z-a.Z)*(c.X-a.X) }
