package fbx

import (
	"pakbox/fault"
	"pakbox/gbx/mesh/model"
)

// smooth computes normals that the file does not have. Polygons are flat unless smoothing
// joins them: either by smoothing groups, which are bits of each polygon, or by edges
// that are marked as smooth.
func (g *geometry) smooth(e *layer) error {
	m := g.mesh
	if err := g.file.charge(int64(len(m.Corners)+len(g.polygons))*24, g.record.offset); err != nil {
		return err
	}
	flat := make([]model.Vec3, len(g.polygons)) // normals; their length is the area, so that large polygons count more
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

// smoothGroups averages the normals of polygons that share a position and a smoothing
// group.
func (g *geometry) smoothGroups(e *layer, flat []model.Vec3) error {
	if e.values.count < len(g.polygons) {
		return fault.At(fault.Corrupt, e.values.offset, e.record.name, "%d values of %d polygons", e.values.count, len(g.polygons))
	}
	if err := g.file.charge(int64(len(g.mesh.Corners))*40+int64(len(g.mesh.Positions))*4, e.values.offset); err != nil {
		return err
	}
	// All polygons at a position with the same groups share an entry.
	type entry struct {
		sum    model.Vec3
		groups uint32
		next   int32 // index of the next entry at this position; 0 for none
	}
	const most = 32 // limit of entries at a position; reasonable meshes have fewer
	entries, first := make([]entry, 1, len(g.mesh.Corners)+1), make([]int32, len(g.mesh.Positions))
	groups := func(c int) uint32 { return uint32(e.values.int(int(g.polygonOf[c]))) }
	for c, position := range g.mesh.Corners {
		i, steps := first[position], 0
		for i != 0 && entries[i].groups != groups(c) && steps < most {
			i, steps = entries[i].next, steps+1
		}
		if i == 0 {
			entries = append(entries, entry{groups: groups(c), next: first[position]})
			i = int32(len(entries) - 1)
			first[position] = i
		}
		entries[i].sum = entries[i].sum.Add(flat[g.polygonOf[c]])
	}
	for c, position := range g.mesh.Corners {
		var sum model.Vec3
		for i, steps := first[position], 0; i != 0 && steps <= most; i, steps = entries[i].next, steps+1 {
			if entries[i].groups&groups(c) != 0 {
				sum = sum.Add(entries[i].sum)
			}
		}
		if sum = sum.Unit(); sum != (model.Vec3{}) {
			g.mesh.Normals[c] = sum
		}
	}
	return nil
}

// smoothEdges averages the normals of the corners on both sides of a smooth edge.
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
	group := make([]int32, len(m.Corners)) // for each corner a corner of the same group; the root stands for the group
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
	at := map[ends][2]int32{} // for an edge the corners of its first polygon, the one with the lower position first
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
