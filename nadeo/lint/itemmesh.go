package lint

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/items/library"
)

const mostLevels = 4

// Usages of the columns of vertex data.
const (
	usageTexCoord     = 10 // 10 to 17
	usageLastTexCoord = 17
	usageTangent      = 18
)

// solid checks a mesh that is ready to draw.
func (l *linter) solid(c *plug.Chunk090BB000) {
	const played = 29 // highest version of real items with such lights
	if len(c.LightUserModels) > 0 && len(c.LightInsts) > 0 && c.Version > played {
		l.add(&userLight, "mesh", "%d lights by model", len(c.LightInsts))
	}
	var materials []*plug.Chunk090FD000
	var links []string
	for i := range c.CustomMaterials {
		m := l.userMaterial(c.CustomMaterials[i].UserInst.Node, c.MaterialsFolderName)
		materials = append(materials, m)
		link := c.CustomMaterials[i].Name
		if m != nil {
			link = linkOf(m, c.MaterialsFolderName)
		}
		links = append(links, link)
	}
	l.levels(c)
	l.slots(c, materials)
	for i := range c.Visuals {
		l.visual(c, i, links)
	}
	l.declarations(c)
}

// levels checks the levels of detail. Bit k of a mask stands for level k.
func (l *linter) levels(c *plug.Chunk090BB000) {
	count := len(c.LodDistances) + 1
	if count > mostLevels {
		l.add(&detailLevels, "mesh", "the mesh has %d levels of detail; the game supports 4", count)
	}
	if !slices.IsSorted(c.LodDistances) {
		l.add(&detailOrder, "mesh", "LOD distances must ascend, but are %v", c.LodDistances)
	}
	var used uint32
	for _, g := range c.ShadedGeoms {
		used |= g.LodMask
	}
	if last := bits.Len32(used); last > 1 && used != 1<<last-1 {
		l.add(&detailOrder, "mesh", "level %d has no faces, level %d has some", bits.TrailingZeros32(^used), last-1)
	}
	key := func(g *plug.CPlugSolid2ModelShadedGeom) [2]uint32 {
		return [2]uint32{uint32(bits.TrailingZeros32(g.LodMask)), g.MaterialIndex}
	}
	byLevel, byMaterial := true, true
	for i := 1; i < len(c.ShadedGeoms); i++ {
		a, b := key(&c.ShadedGeoms[i-1]), key(&c.ShadedGeoms[i])
		byLevel = byLevel && (a[0] < b[0] || a[0] == b[0] && a[1] <= b[1])
		byMaterial = byMaterial && (a[1] < b[1] || a[1] == b[1] && a[0] <= b[0])
	}
	if !byLevel && !byMaterial {
		l.add(&unsortedParts, "mesh", "the %d parts are in no order", len(c.ShadedGeoms))
	}
}

// slots checks that parts and materials refer to each other correctly.
func (l *linter) slots(c *plug.Chunk090BB000, materials []*plug.Chunk090FD000) {
	count := max(len(c.CustomMaterials), len(c.Materials), len(c.MaterialIDs))
	used := make([]bool, count)
	for i, g := range c.ShadedGeoms {
		if int64(g.VisualIndex) >= int64(len(c.Visuals)) {
			l.add(&brokenMesh, "mesh", "part %d has visual %d of %d", i, g.VisualIndex, len(c.Visuals))
		}
		if int64(g.MaterialIndex) < int64(count) {
			used[g.MaterialIndex] = true
		} else if count > 0 {
			l.add(&brokenMesh, "mesh", "part %d has material %d of %d", i, g.MaterialIndex, count)
		}
	}
	for i, is := range used {
		if !is {
			l.add(&unusedPart, "mesh", "material %d is unused", i)
		}
	}
	for i, a := range materials {
		for _, b := range materials[:i] {
			if a != nil && b != nil && sameMaterial(a, b) {
				l.add(&unusedPart, "mesh", "material %d duplicates an earlier one", i)
			}
		}
	}
}

func sameMaterial(a, b *plug.Chunk090FD000) bool {
	return a.MaterialName.String() == b.MaterialName.String() && a.Link == b.Link && a.LinkID.String() == b.LinkID.String() && a.Model.String() == b.Model.String() &&
		a.SurfacePhysicID == b.SurfacePhysicID && a.SurfaceGameplayID == b.SurfaceGameplayID && slices.Equal(a.Color, b.Color) && slices.Equal(a.UserTextures, b.UserTextures)
}

// visual checks the triangles and vertices of a part.
func (l *linter) visual(c *plug.Chunk090BB000, index int, links []string) {
	n := c.Visuals[index].Node
	head, ok := gbx.Find[*plug.Chunk0900600F](n)
	if !ok || l.seen[n] {
		return
	}
	l.seen[n] = true
	part := fmt.Sprintf("visual %d", index)
	if s, ok := gbx.Find[*plug.Chunk09006005](n); ok && len(s.SubVisuals) > 0 {
		l.add(&subVisuals, part, "the visual has %d sub-visuals; the game supports none", len(s.SubVisuals))
	}
	indices := mesh.VisualIndices(n)
	if len(indices)%3 != 0 {
		l.add(&brokenMesh, part, "triangles with %d corners", len(indices))
	}
	if len(indices) == 0 || head.VertexCount == 0 {
		l.add(&unusedPart, part, "the part has no triangles")
	}
	for _, i := range indices {
		if i >= head.VertexCount {
			l.add(&brokenMesh, part, "a triangle has vertex %d of %d", i, head.VertexCount)
			break
		}
	}
	for _, ref := range head.VertexStreams {
		if s, ok := gbx.Find[*plug.Chunk09056000](ref.Node); ok && s.Count != head.VertexCount {
			l.add(&brokenMesh, part, "%d vertices in the stream, %d in the visual", s.Count, head.VertexCount)
		}
	}
	usages := usagesOf(head)
	if len(usages) == 0 {
		return
	}
	sets := 0
	for _, u := range usages {
		if u >= usageTexCoord && u <= usageLastTexCoord {
			sets++
		}
	}
	for _, g := range c.ShadedGeoms {
		if int(g.VisualIndex) != index || int64(g.MaterialIndex) >= int64(len(links)) {
			continue
		}
		link := links[g.MaterialIndex]
		if strings.HasSuffix(`\`+link, `\PlatformTech`) && !slices.Contains(usages, usageTangent) {
			l.add(&plainVertices, part, "vertices of %s without tangents", link)
		}
		if m := library.Find(link); m != nil && m.Lightmap() && sets < len(m.UVLayers) {
			l.add(&noLightmap, part, "%s needs the layers %s; there is %d", m.Name, strings.Join(m.UVLayers, " and "), sets)
		}
	}
}

// usagesOf lists the columns of a visual's vertices.
func usagesOf(head *plug.Chunk0900600F) []int {
	var out []int
	for _, ref := range head.VertexStreams {
		if s, ok := gbx.Find[*plug.Chunk09056000](ref.Node); ok {
			for i := range s.VertexData.Decls {
				out = append(out, s.VertexData.Decls[i].Usage())
			}
		}
	}
	return out
}

// declarations checks that all parts with the same material have the same columns of
// vertex data.
func (l *linter) declarations(c *plug.Chunk090BB000) {
	first := map[uint32][]int{}
	for _, g := range c.ShadedGeoms {
		if int64(g.VisualIndex) >= int64(len(c.Visuals)) {
			continue
		}
		head, ok := gbx.Find[*plug.Chunk0900600F](c.Visuals[g.VisualIndex].Node)
		if !ok || len(head.VertexStreams) == 0 {
			continue
		}
		usages := usagesOf(head)
		if want, ok := first[g.MaterialIndex]; ok && !slices.Equal(want, usages) {
			l.add(&mixedVertices, fmt.Sprintf("visual %d", g.VisualIndex), "material %d has vertices of two kinds", g.MaterialIndex)
		} else {
			first[g.MaterialIndex] = usages
		}
	}
}
