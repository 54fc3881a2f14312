package edit

import (
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/library"
)

// Material is a change of one of the item's materials.
type Material struct {
	Name     string // of the material in the item, or the last part of its link, or * for all
	Link     string // another material of the game; "" keeps the old one
	Surface  *uint8 // physics of the surface; nil for the usual one of the new material
	Gameplay *uint8 // nil keeps the old effect
}

// used is a material of the item, with its surroundings.
type used struct {
	*plug.Chunk090FD000
	folder string // folder of materials whose link is only a name
	static bool   // in a static object, whose vertices suit only materials with the same layers
	shape  *plug.Chunk0900C003
}

// path returns the path of the material in the game.
func (u *used) path() string {
	if u.Link != "" {
		return u.Link
	}
	link := u.LinkID.String()
	if strings.Contains(link, `\`) {
		return link
	}
	return u.folder + link
}

// name returns the name of the material as people know it.
func (u *used) name() string {
	if name := u.MaterialName.String(); name != "" {
		return name
	}
	path := u.path()
	return path[strings.LastIndexByte(path, '\\')+1:]
}

func (u *used) called(name string) bool {
	path := u.path()
	return name == "*" || strings.EqualFold(name, u.name()) || strings.EqualFold(name, path[strings.LastIndexByte(path, '\\')+1:]) || strings.EqualFold(name, path)
}

// Names lists the materials of the item.
func Names(m *items.Model) []string {
	var out []string
	for _, u := range materials(m) {
		out = append(out, u.name())
	}
	return out
}

// materials finds the materials in the item's meshes.
func materials(m *items.Model) []used {
	var out []used
	crystal := func(n *gbx.Node) {
		if c, ok := gbx.Find[*plug.Chunk09003003](n); ok {
			for i := range c.Materials {
				if u, ok := gbx.Find[*plug.Chunk090FD000](c.Materials[i].UserInst.Node); ok {
					out = append(out, used{Chunk090FD000: u})
				}
			}
		}
	}
	object := func(n *gbx.Node) {
		o, ok := gbx.Find[*plug.Plain09159000](n)
		if !ok {
			return
		}
		s, ok := gbx.Find[*plug.Chunk090BB000](o.Mesh.Node)
		if !ok {
			return
		}
		shape, _ := gbx.Find[*plug.Chunk0900C003](o.Shape.Node)
		for i := range s.CustomMaterials {
			if u, ok := gbx.Find[*plug.Chunk090FD000](s.CustomMaterials[i].UserInst.Node); ok {
				out = append(out, used{u, s.MaterialsFolderName, true, shape})
			}
		}
	}
	c, ok := gbx.Find[*gamedata.Chunk2E002019](m.File.Body)
	if !ok {
		return nil
	}
	if e, ok := gbx.Find[*gamedata.Chunk2E026000](c.EntityModelEdition.Node); ok {
		crystal(e.MeshCrystal.Node)
	}
	if b, ok := gbx.Find[*gamedata.Chunk2E025000](c.EntityModelEdition.Node); ok {
		for i := range b.CustomizedVariants {
			crystal(b.CustomizedVariants[i].Crystal.Node)
		}
		for i := range b.Properties {
			object(b.Properties[i].StaticObject.Node)
		}
	}
	if e, ok := entityOf(m); ok {
		object(e.StaticObject.Node)
	}
	return out
}

// SetMaterial changes all materials that match a name.
func SetMaterial(m *items.Model, to Material) error {
	all := materials(m)
	found := false
	for i := range all {
		if all[i].called(to.Name) {
			found = true
			if err := all[i].set(to, all); err != nil {
				return err
			}
		}
	}
	if !found {
		u := fault.Usagef("the item has no material %q", to.Name)
		if names := distinct(Names(m)); len(names) > 0 {
			return u.Hint("it has %s", strings.Join(names, ", "))
		}
		return u.Hint("no material of it has a name that can be changed")
	}
	return nil
}

// distinct returns each name once, in the order of the list.
func distinct(names []string) (list []string) {
	for _, name := range names {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

func (u *used) set(to Material, all []used) error {
	if to.Link != "" {
		if err := u.link(to.Link); err != nil {
			return err
		}
		if to.Surface == nil {
			if n, ok := library.SurfaceOf(u.path()); ok {
				to.Surface = &n
			}
		}
	}
	before := u.kind()
	if to.Surface != nil {
		u.SurfacePhysicID = *to.Surface
	}
	if to.Gameplay != nil {
		if u.Version < firstGameplay {
			return fault.New(fault.Unsupported, "the item is of a game without effects of materials")
		}
		u.SurfaceGameplayID = *to.Gameplay
	}
	if u.shape == nil || u.kind() == before {
		return nil
	}
	return u.hull(before, all)
}

// firstGameplay is the first version of the material chunk that has gameplay effects.
const firstGameplay = 10

func (u *used) kind() uint16 { return uint16(u.SurfacePhysicID) | uint16(u.SurfaceGameplayID)<<8 }

// hull changes the surface in the collision shape, which has its own table of surfaces.
func (u *used) hull(before uint16, all []used) error {
	for _, other := range all {
		if other.Chunk090FD000 != u.Chunk090FD000 && other.shape == u.shape && other.kind() == before {
			return fault.New(fault.Unsupported, "the collision shape does not say which of its triangles are %s: %s drives alike; give the mesh again with --mesh", u.name(), other.name())
		}
	}
	set := func(id *uint16) {
		if *id == before {
			*id = u.kind()
		}
	}
	for i := range u.shape.SurfaceIDs {
		set(&u.shape.SurfaceIDs[i])
	}
	for i := range u.shape.Materials {
		set(&u.shape.Materials[i].SurfaceID)
	}
	if m := u.shape.Surf.MeshSurf; m != nil {
		for i := range m.Mesh.Triangles {
			if t := &m.Mesh.Triangles[i]; uint16(t.U01) == before {
				t.U01 = t.U01&^0xFFFF | uint32(u.kind())
			}
		}
	}
	return nil
}

// link replaces the material by another one of the game.
func (u *used) link(link string) error {
	link = strings.ReplaceAll(link, "/", `\`)
	to := library.Find(link)
	if to == nil && !strings.Contains(link, `\`) {
		err := fault.Usagef("no library has a material %q", link)
		if near := library.Near(link); len(near) > 0 {
			return err.Hint("there are %s", strings.Join(near, ", "))
		}
		return err
	}
	if to != nil {
		link = to.Full()
	}
	if old := library.Find(u.path()); u.static && to != nil && old != nil && len(old.UVLayers) != len(to.UVLayers) {
		return fault.New(fault.Unsupported, "%s needs other texture coordinates (%s) than %s (%s); give the mesh again with --mesh",
			to.Name, strings.Join(to.UVLayers, ", "), old.Name, strings.Join(old.UVLayers, ", "))
	}
	short, below := strings.CutPrefix(link, u.folder)
	switch {
	case u.IsUsingGameMaterial == 1 || u.Version == 9 || u.Version == 10: // the forms with a whole path
		u.Link = link
	case below && !strings.Contains(short, `\`):
		u.LinkID = gbx.NewID(short)
	case u.Version >= 11:
		u.IsUsingGameMaterial, u.Link, u.LinkID = 1, link, gbx.NoID
	default:
		u.LinkID = gbx.NewID(link)
	}
	return nil
}
