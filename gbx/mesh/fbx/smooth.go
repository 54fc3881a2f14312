package fbx

import (
	"pakbox/fault"
	"pakbox/gbx/mesh/model"
)

// smooth makes the normals that the file does not have. Polygons are flat unless
// smoothing joins them: by groups, of which each polygon has some as bits, or by
// edges that are marked as smooth.
func (g *geometry) smooth(e *layer) error {
	m := g.mesh
	if err := g.file.charge(int64(len(m.Corners)+len(g.polygons))*24, g.record.offset); err != nil {
		return err
	}
	flat := make([]model.Vec3, len(g.polygons)) // as long as the area, so that large polygons count more
	for i, p := range g.polygons {
		c := m.CornersOf(p)
		for k := 1; k+1 < len(c); k++ {
			a := m.Positions[c[0]]
			flat[i] = flat[i].Add(m.Positions[c[k]].Sub(a).Cross(m.Positions[c[k+1]].Sub(a)))
		}
	}
	m.Normals = make([]model.Vec3, len(m.Corners))
	for c, p := range g.polygonOf {
		m.Normals[c] = flat[p].Unit()
	}
	switch {
	case e == nil:
		return nil
	case e.mapping == "ByPolygon":
		return g.smoothGroups(e, flat)
	case e.mapping == "ByEdge":
		return g.smoothEdges(e, flat)
	}
	return nil
}

// smoothGroups joins polygons at a position that have a group in common.
func (g *geometry) smoothGroups(e *layer, flat []model.Vec3) error {
	if e.values.count < len(g.polygons) {
		return fault.At(fault.Corrupt, e.values.offset, e.record.name, "%d values of %d polygons", e.values.count, len(g.polygons))
	}
	type key struct {
		position int32
		groups   uint32
	}
	sums := map[key]model.Vec3{} // by single groups
	each := func(visit func(c int, k key)) {
		for c, p := range g.polygonOf {
			for groups := uint32(e.values.int(int(p))); groups != 0; groups &= groups - 1 {
				visit(c, key{g.mesh.Corners[c], groups & -groups})
			}
		}
	}
	if err := g.file.charge(int64(len(g.mesh.Corners))*48, e.values.offset); err != nil {
		return err
	}
	each(func(c int, k key) {
		if _, ok := sums[k]; ok || len(sums) < len(g.mesh.Corners) { // polygons in many groups are rare
			sums[k] = sums[k].Add(flat[g.polygonOf[c]])
		}
	})
	joined := make([]model.Vec3, len(g.mesh.Corners))
	each(func(c int, k key) { joined[c] = joined[c].Add(sums[k]) })
	for c, v := range joined {
		if v = v.Unit(); v != (model.Vec3{}) {
			g.mesh.Normals[c] = v
		}
	}
	return nil
}

// smoothEdges joins the corners on both sides of a smooth edge.
func (g *geometry) smoothEdges(e *layer, flat []model.Vec3) error {
	m := g.mesh
	next := func(c int32) int32 {
		p := g.polygons[g.polygonOf[c]]
		return p.First + (c+1-p.First)%p.Count
	}
	type ends struct{ a, b int32 }
	smooth := map[ends]bool{}
	for i := range min(e.values.count, g.edges.count) {
		c := g.edges.int(i)
		if c < 0 || c >= int64(len(m.Corners)) {
			return fault.At(fault.Corrupt, g.edges.offset, "Edges", "edge %d begins at corner %d of %d", i, c, len(m.Corners))
		}
		if a, b := m.Corners[c], m.Corners[next(int32(c))]; e.values.int(i) != 0 {
			smooth[ends{min(a, b), max(a, b)}] = true
		}
	}
	group := make([]int32, len(m.Corners)) // the corner that stands for a group
	for c := range group {
		group[c] = int32(c)
	}
	find := func(c int32) int32 {
		for group[c] != c {
			group[c] = group[group[c]]
			c = group[c]
		}
		return c
	}
	at := map[ends][2]int32{} // the corners of an edge's first polygon, by the lower position first
	for c := range m.Corners {
		from, to := int32(c), next(int32(c))
		if m.Corners[from] > m.Corners[to] {
			from, to = to, from
		}
		key := ends{m.Corners[from], m.Corners[to]}
		if !smooth[key] {
			continue
		}
		if other, ok := at[key]; ok {
			group[find(from)] = find(other[0])
			group[find(to)] = find(other[1])
		} else {
			at[key] = [2]int32{from, to}
		}
	}
	sums := make([]model.Vec3, len(m.Corners))
	for c, p := range g.polygonOf {
		root := find(int32(c))
		sums[root] = sums[root].Add(flat[p])
	}
	for c := range m.Normals {
		if v := sums[find(int32(c))].Unit(); v != (model.Vec3{}) {
			m.Normals[c] = v
		}
	}
	return nil
}
