package mesh

import (
	"fmt"
	"strconv"

	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
)

// solid2 reads a CPlugSolid2Model: one node for each level of detail.
func (r *reader) solid2(n *gbx.Node, c *plug.Chunk090BB000, role Role) []*Node {
	var out []*Node
	for level := range min(len(c.LodDistances), maxLevels-1) + 1 {
		key := meshKey{n, level}
		m, ok := r.meshes[key]
		if !ok {
			m = r.solid2Level(c, level)
			r.meshes[key] = m
		}
		if len(m.Parts) == 0 {
			continue
		}
		name := "Mesh"
		if len(c.LodDistances) > 0 {
			name = fmt.Sprintf("Lod%d", level)
		}
		out = append(out, &Node{Name: name, Transform: Identity, Mesh: m, Level: level, Role: role})
	}
	return out
}

// maxLevels is the number of levels of detail in the mask of a geometry.
const maxLevels = 32

// solid2Level reads the visuals that are drawn at one level of detail.
func (r *reader) solid2Level(c *plug.Chunk090BB000, level int) *Mesh {
	m := &Mesh{Name: "Mesh", Kind: Solid2}
	if len(c.LodDistances) > 0 {
		m.Name = fmt.Sprintf("Lod%d", level)
	}
	for i := range c.ShadedGeoms {
		g := &c.ShadedGeoms[i]
		if c.Version >= 1 && g.LodMask>>level&1 == 0 {
			continue
		}
		visual := g.Visual.Node
		if c.Version >= 6 {
			if int64(g.VisualIndex) >= int64(len(c.Visuals)) {
				r.fail("visual %d of %d", g.VisualIndex, len(c.Visuals))
				return m
			}
			visual = c.Visuals[g.VisualIndex].Node
		}
		if p := r.visual(visual); p != nil {
			m.Parts = append(m.Parts, Part{r.solid2Material(c, int64(g.MaterialIndex)), p})
		}
	}
	return m
}

// solid2Material returns a material of the model: its own, the game's, or only a name.
func (r *reader) solid2Material(c *plug.Chunk090BB000, i int64) int {
	if i < int64(len(c.CustomMaterials)) {
		m := &c.CustomMaterials[i]
		if m.Name != "" {
			return r.material(Material{Name: baseName(m.Name)})
		}
		return r.materialOf(m.UserInst)
	}
	if i < int64(len(c.MaterialInsts)) {
		return r.materialOf(c.MaterialInsts[i])
	}
	if i < int64(len(c.Materials)) {
		if m := r.materialOf(c.Materials[i]); m >= 0 {
			return m
		}
	}
	if i < int64(len(c.MaterialIDs)) {
		return r.material(Material{Name: baseName(c.MaterialIDs[i].String())})
	}
	return -1
}

func (r *reader) tree(n *gbx.Node, role Role) *Node {
	out := &Node{Transform: Identity, Role: role}
	for i := range n.Chunks {
		switch c := n.Chunks[i].Body.(type) {
		case *plug.Chunk0904F00D:
			out.Name = c.Name.String()
		case *plug.Chunk0904F006:
			out.Children = append(out.Children, r.refs(role, c.Children...)...)
		case *plug.Chunk0904F015:
			r.place(out, c.Flags, c.Location)
		case *plug.Chunk0904F018:
			r.place(out, c.Flags, c.Location)
		case *plug.Chunk0904F019:
			r.place(out, c.Flags, c.Location)
		case *plug.Chunk0904F01A:
			r.place(out, c.Flags, c.Location)
		case *plug.Chunk0904F016:
			out.Mesh = r.treeMesh(c)
			if c.Visual.IsNil() { // a crystal that is drawn directly
				out.Children = append(out.Children, r.node(c.Generator.Node, role)...)
			}
			out.Children = append(out.Children, r.ref(c.Surface, Collision)...)
		case *plug.Chunk09015002:
			out.Children = append(out.Children, r.mip(c, role)...)
		}
	}
	if out.Mesh != nil && out.Name != "" {
		out.Mesh.Name = out.Name
	}
	return out
}

func (r *reader) place(n *Node, flags plug.CPlugTreeTreeFlags, location gbx.Iso4) {
	if flags&plug.CPlugTreeTreeFlagsHasLocation != 0 {
		n.Transform = r.location(fromIso4(location))
	}
}

func (r *reader) mip(c *plug.Chunk09015002, role Role) []*Node {
	var out []*Node
	for level := range c.Levels {
		children := r.ref(c.Levels[level].Tree, role)
		for _, child := range children {
			raise(child, level)
		}
		out = append(out, &Node{Name: "Lod" + strconv.Itoa(level), Transform: Identity, Level: level, Role: role, Children: children})
	}
	return out
}

// raise sets the level of detail of a node and all nodes below it.
func raise(n *Node, level int) {
	n.Level = max(n.Level, level)
	for _, child := range n.Children {
		raise(child, level)
	}
}

// treeMesh reads the mesh of a tree without its children.
func (r *reader) treeMesh(c *plug.Chunk0904F016) *Mesh {
	visual := c.Visual.Node
	if visual == nil {
		r.outside(r.path(c.Visual), r.from.up, Drawn) // no real file has the visual in another file
		return nil
	}
	g := r.visual(visual)
	if g == nil {
		return nil
	}
	return &Mesh{Name: "Visual", Kind: Solid, Parts: []Part{{r.materialOf(c.Shader), g}}}
}
