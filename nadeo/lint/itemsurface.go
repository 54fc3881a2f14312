package lint

import (
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/items/library"
)

const (
	surfaceWater         = 13
	surfaceNotCollidable = 28
)

// collision checks a collision shape.
func (l *linter) collision(n *gbx.Node) {
	c, ok := gbx.Find[*plug.Chunk0900C003](n)
	if !ok || l.seen[n] {
		return
	}
	l.seen[n] = true
	if c.Surf.Type == plug.CPlugSurfaceSurfTypeMesh && c.Surf.MeshSurf != nil {
		m := &c.Surf.MeshSurf.Mesh
		if len(m.Triangles) == 0 && len(m.CookedTriangles) == 0 {
			l.add(&emptyCollision, "collision", "the collision shape has no triangles")
		}
	}
	table := surfaceTableOf(c)
	for _, id := range table {
		switch id & 0xFF {
		case surfaceWater:
			l.add(&waterSurface, "collision", "a surface of the collision shape is Water")
		case surfaceNotCollidable:
			l.add(&solidAnyway, "collision", "a surface of the collision shape is NotCollidable")
		}
	}
	if c.Surf.MeshSurf == nil {
		return
	}
	for i, t := range c.Surf.MeshSurf.Mesh.Triangles {
		own, index := uint16(t.U01&0xFF), int(t.U01>>16)
		if index < len(table) && own != 0 && own != table[index]&0xFF {
			l.add(&surfaceTable, "collision", "triangle %d has %s, but the table has %s", i, surfaceName(own), surfaceName(table[index]))
			return
		}
	}
}

// surfaceTableOf lists the surfaces that triangles refer to. The low byte is the physics,
// the high byte the gameplay effect.
func surfaceTableOf(c *plug.Chunk0900C003) []uint16 {
	if len(c.SurfaceIDs) > 0 {
		return c.SurfaceIDs
	}
	var out []uint16
	for i := range c.Materials {
		out = append(out, c.Materials[i].SurfaceID)
	}
	return out
}

func surfaceName(id uint16) string { return library.SurfaceName(uint8(id)) }

// trigger checks the shape of a trigger.
func (l *linter) trigger(n *gbx.Node) {
	c, ok := gbx.Find[*plug.Chunk0900C003](n)
	if ok && c.Surf.Type != plug.CPlugSurfaceSurfTypeMesh {
		l.add(&compoundTrigger, "trigger", "the trigger is a shape of the kind %v", c.Surf.Type)
	}
}

const mostTextures = 8 // largest number of textures, and of constants, in a material

// userMaterial checks a material. folder is the folder of materials whose link is only a
// name.
func (l *linter) userMaterial(n *gbx.Node, folder string) *plug.Chunk090FD000 {
	m, ok := gbx.Find[*plug.Chunk090FD000](n)
	if !ok {
		return nil
	}
	if l.seen[n] {
		return m
	}
	l.seen[n] = true
	l.materials = append(l.materials, m)
	link := linkOf(m, folder)
	name := "material " + link[strings.LastIndexByte(link, '\\')+1:]
	if own := m.MaterialName.String(); own != "" {
		name = "material " + own
	}
	if len(m.UserTextures) > mostTextures || len(m.Csts) > mostTextures {
		l.add(&manyTextures, name, "%d textures and %d constants", len(m.UserTextures), len(m.Csts))
	}
	for _, t := range m.UserTextures {
		if file := t.Texture; !strings.HasSuffix(strings.ToLower(file), ".dds") || strings.ContainsAny(file, `\/:`) {
			l.add(&textureName, name, "the texture is %q", file)
		}
	}
	if model := m.Model.String(); strings.Contains(model, "2Sided") || strings.HasSuffix(model, "EM") || model == "TDSNE" {
		l.add(&materialModel, name, "the model is %s", model)
	}
	if m.SurfacePhysicID == surfaceWater {
		l.add(&waterSurface, name, "the surface is Water")
	}
	if first, _, ok := strings.Cut(link, `\`); ok && !allowed(first, l.collection) {
		l.add(&foreignFolder, name, "the material is in the folder %s, the item is for %s", first, l.collection)
	}
	return m
}

// linkOf returns the path of the game's material.
func linkOf(m *plug.Chunk090FD000, folder string) string {
	link := m.Link
	if link == "" {
		if link = m.LinkID.String(); link != "" && !strings.Contains(link, `\`) {
			link = folder + link
		}
	}
	return strings.ReplaceAll(link, "/", `\`)
}

// allowed reports whether items of a collection may use materials from a folder. BlueBay
// and the other new environments have no folder of their own, and use only the shared
// ones.
func allowed(folder, collection string) bool {
	in := func(list ...string) bool {
		for _, name := range list {
			if strings.EqualFold(folder, name) {
				return true
			}
		}
		return false
	}
	if in("Test", "Editors", "Effects") {
		return true
	}
	switch collection {
	case "Stadium", "Stadium2020", "Stadium256", "Stadium4":
		return in("Stadium", "Stadium256", "Stadium4")
	case "BlueBay", "GreenCoast", "RedIsland", "WhiteShore":
		return false
	}
	return true // nothing is known about other collections
}
