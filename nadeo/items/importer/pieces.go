package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/model"
	"pakbox/internal/lib/regular"
	"pakbox/nadeo"
	"pakbox/nadeo/items/itemxml"
	"pakbox/nadeo/items/library"
	"pakbox/nadeo/items/static"
)

// readIfThere reads a file. It returns nil if none exists.
func readIfThere(path string) ([]byte, error) {
	data, err := regular.Read(path, maxInput)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Prefixes of object names that have a meaning for the importer. Case does not matter.
const (
	socketStart         = "_socket_start"
	prefixTrigger       = "_trigger_"
	prefixNotVisible    = "_notvisible_"
	prefixNotCollidable = "_notcollidable_"
)

func begins(name, prefix string) bool {
	return len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix)
}

// pieces collects the triangles of the scene by material.
type pieces struct {
	*work
	made    *static.Item
	sockets int
	uses    map[int]int     // index in the solid of a material, by its index in the scene
	order   []int           // indices in the scene of the solid's materials, in the solid's order
	kinds   map[int]uint16  // surfaces of materials, by their index in the scene
	told    map[string]bool // problems that were reported already
	lit     []string        // names of lights in the mesh that the parameters describe
	levels  int             // number of levels of detail
	hull    static.Surface
	special bool // the collision shape differs from the visible faces
}

// partKey has the values that all triangles of a part share.
type partKey struct {
	material         int
	levels           uint32
	hidden, passable bool
}

// once reports a problem that many faces may have, but only the first time.
func (p *pieces) once(key string, severity finding.Severity, file string, line int, object, suggestion, format string, args ...any) {
	if !p.told[key] {
		p.told[key] = true
		p.say(severity, file, line, object, suggestion, format, args...)
	}
}

// gather visits all objects of the scene.
func (p *pieces) gather() {
	p.levels = 1
	for i := range p.scene.Nodes {
		n := &p.scene.Nodes[i]
		if lod, ok := level(n.Name); ok {
			p.levels = max(p.levels, lod+1)
		}
		p.special = p.special || n.Mesh != nil && (begins(n.Name, prefixNotVisible) || begins(n.Name, prefixNotCollidable))
	}
	parts := map[partKey]int{}
	for i := range p.scene.Nodes {
		n := &p.scene.Nodes[i]
		switch {
		case begins(n.Name, socketStart):
			p.sockets++
			p.start(n)
		case n.Light != nil:
			p.light(n)
		case n.Mesh == nil:
		case begins(n.Name, prefixTrigger):
			if p.made.Trigger == nil {
				p.made.Trigger = &static.Surface{}
			}
			p.surface(n, p.made.Trigger, nil)
		default:
			p.object(n, parts)
		}
	}
	p.finish()
}

// finish sorts materials and parts by the order of the mesh's materials, as Nadeo's
// importer does, and reports missing things.
func (p *pieces) finish() {
	s := &p.made.Solid
	places := slices.Clone(p.order)
	slices.Sort(places)
	sorted := make([]static.Material, len(places))
	for from, place := range p.order {
		to, _ := slices.BinarySearch(places, place)
		sorted[to] = s.Materials[from]
	}
	for i := range s.Parts {
		s.Parts[i].Material, _ = slices.BinarySearch(places, p.order[s.Parts[i].Material])
	}
	s.Materials = sorted
	slices.SortStableFunc(s.Parts, func(a, b static.Part) int { return a.Material - b.Material })
	for i := 1; i < p.levels; i++ {
		s.LodDistances = append(s.LodDistances, float32(int(64)<<(i-1))) // doubled for each level; a mesh of ManiaPlanet begins with 64
	}
	if p.special {
		p.made.Hull = &p.hull
	}
	if len(s.Parts) == 0 && len(p.Problems) == 0 {
		p.say(finding.Error, p.Mesh, 0, "", "export the object itself too, with its faces", "the mesh has no faces that are seen")
	}
	for i := range p.params.Lights {
		if l := &p.params.Lights[i]; l.Name != "" && !slices.Contains(p.lit, l.Name) {
			p.say(finding.Error, p.params.File, l.Line, l.Name, "export the light too, or take it out of Lights", "the mesh has no light %s", l.Name)
		}
	}
}

// use describes how an object uses a material of the scene.
type use struct {
	asked  bool
	index  int              // of the material in the solid, -1 if a problem prevents its use
	layers []*model.UVLayer // layers of the object that the material needs
	flat   int              // number of faces without area in the lightmap
}

// object adds a mesh that is visible, solid, or both.
func (p *pieces) object(n *model.Node, parts map[partKey]int) {
	seen, solid := !begins(n.Name, prefixNotVisible), !begins(n.Name, prefixNotCollidable)
	mask := uint32(1)<<p.levels - 1
	lod, ok := level(n.Name)
	if ok {
		mask = 1 << lod
	}
	uses := make([]use, len(p.scene.Materials)+1)
	t := newTriangles(n, p.params.Scale)
	for _, poly := range n.Mesh.Polygons {
		u := &uses[poly.Material+1]
		if !u.asked {
			*u = p.use(n, int(poly.Material))
		}
		if u.index < 0 {
			continue
		}
		m := &p.made.Solid.Materials[u.index]
		corners := t.cut(poly, u.layers)
		if p.special && solid && lod == 0 && library.SurfaceName(m.Surface) != library.NotCollidable {
			t.collide(&p.hull, uint16(m.Surface)|uint16(m.Gameplay)<<8) // a hull would treat NotCollidable as solid, so those faces are left out
		}
		if !seen && !p.Crystal {
			continue
		}
		if seen && m.Lightmap >= 0 && flatUVs(corners, m.Lightmap) {
			u.flat++
		}
		key := partKey{u.index, mask, !seen, !solid && p.Crystal}
		i, ok := parts[key]
		if !ok {
			i = len(p.made.Solid.Parts)
			parts[key] = i
			p.made.Solid.Parts = append(p.made.Solid.Parts, static.Part{Material: u.index, Levels: mask, Hidden: key.hidden, Passable: key.passable})
		}
		part := &p.made.Solid.Parts[i]
		part.Corners = append(part.Corners, corners...)
	}
	for i := range uses {
		if u := &uses[i]; u.flat > 0 {
			p.say(finding.Warning, p.Mesh, 0, n.Name, "unwrap the layer Lightmap again, without overlaps",
				"object %s: %d faces of the material %s have no area in the UV layer Lightmap (texcoord)", n.Name, u.flat, p.made.Solid.Materials[u.index].Name)
		}
	}
}

// flatUVs reports whether a triangle has no area in a layer of texture coordinates.
func flatUVs(c []static.Vertex, layer int) bool {
	for t := 0; t+2 < len(c); t += 3 {
		a, b, d := c[t].UVs[layer], c[t+1].UVs[layer], c[t+2].UVs[layer]
		if (b.X-a.X)*(d.Y-a.Y) == (b.Y-a.Y)*(d.X-a.X) {
			return true
		}
	}
	return false
}

// surface adds the faces of an object to a surface. kinds has the surface type for each
// material.
func (p *pieces) surface(n *model.Node, to *static.Surface, kinds map[int]uint16) {
	t := newTriangles(n, p.params.Scale)
	for _, poly := range n.Mesh.Polygons {
		t.cut(poly, nil)
		t.collide(to, kinds[int(poly.Material)])
	}
}

// use returns the solid's material for a material of the scene, and adds it if it is new.
func (p *pieces) use(n *model.Node, place int) use {
	bad := use{asked: true, index: -1}
	if place < 0 || place >= len(p.scene.Materials) {
		p.unlinked("")
		p.say(finding.Error, p.Mesh, 0, n.Name, "give all its faces a material", "object %s has no material on some faces", n.Name)
		return bad
	}
	name := p.scene.Materials[place]
	said := p.params.Material(name)
	if said == nil {
		p.once("said\x00"+name, finding.Error, p.params.File, 1, n.Name, fmt.Sprintf(`add <Material Name="%s" Link="..."/> to Materials`, name),
			"object %s has the material %s, which is not described", n.Name, name)
		return bad
	}
	if p.Crystal {
		return p.crystalUse(n, place, said)
	}
	link := library.Find(said.Link)
	if p.Game == nadeo.ManiaPlanet4 {
		link = p.maniaPlanetMaterial(said, n.Mesh)
	} else if link == nil {
		p.unknownLink(said)
	}
	if link == nil {
		return bad
	}
	out := use{asked: true}
	for _, name := range link.UVLayers {
		layer := n.Mesh.UVLayer(name)
		if layer == nil && len(link.UVLayers) == 1 && len(n.Mesh.UVLayers) == 1 && !strings.EqualFold(filepath.Ext(p.Mesh), ".fbx") {
			layer = &n.Mesh.UVLayers[0] // glTF layers have no names: take the first
		}
		if layer == nil {
			p.once(n.Name+"\x00"+name, finding.Error, p.Mesh, 0, n.Name, "add a UV layer with the name "+name+" and export again",
				"object %s has no UV layer %s, which the material %s needs (uv layer not found; it has %s)", n.Name, name, link.Name, layerNames(n.Mesh))
			return bad
		}
		out.layers = append(out.layers, layer)
	}
	if _, ok := p.uses[place]; !ok {
		p.take(place, p.solidMaterial(said, link))
	}
	out.index = p.uses[place]
	return out
}

// take adds a material of the scene to the solid.
func (p *pieces) take(place int, m static.Material) {
	p.uses[place] = len(p.order)
	p.kinds[place] = uint16(m.Surface)
	p.order = append(p.order, place)
	p.made.Solid.Materials = append(p.made.Solid.Materials, m)
}

func layerNames(m *model.Mesh) string {
	var names []string
	for i := range m.UVLayers {
		names = append(names, m.UVLayers[i].Name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// unlinked notes a material for which no material of the game is known.
func (p *pieces) unlinked(name string) {
	if !slices.Contains(p.Unlinked, name) {
		p.Unlinked = append(p.Unlinked, name)
	}
}

// nearLink suggests what to write instead of an unknown Link.
func (p *pieces) nearLink(said *itemxml.Material) string {
	if near := library.Near(said.Link); len(near) > 0 {
		return "write " + strings.Join(near, " or ")
	}
	return "write the name of a material of the game"
}

func (p *pieces) unknownLink(said *itemxml.Material) {
	p.unlinked(said.Name)
	suggestion := p.nearLink(said)
	if said.Link == "" {
		p.once("link\x00"+said.Name, finding.Error, p.params.File, said.Line, said.Name, `write Link="PlatformTech" or another one; `+suggestion,
			"the material %s has no Link", said.Name)
		return
	}
	p.once("link\x00"+said.Name, finding.Error, p.params.File, said.Line, said.Name, suggestion,
		"the material %s has the Link %s, which the game's library does not have", said.Name, said.Link)
}

// solidMaterial makes the material for the item's file.
func (p *pieces) solidMaterial(said *itemxml.Material, link *library.Material) static.Material {
	m := static.Material{Name: said.Name, Link: link.Name, Model: said.Model, BaseTexture: said.BaseTexture, UVLayers: len(link.UVLayers), Lightmap: slices.Index(link.UVLayers, model.Lightmap)}
	surface := said.PhysicsID
	if surface == "" {
		surface = link.Surface
	}
	m.Surface, _ = library.Surface(surface)
	m.Gameplay, _ = library.Gameplay(said.GameplayID)
	// If the name of the material's file differs from the material's name, the item
	// stores the whole path, such as Stadium\Media\Modifier\NoBrake\Sign.
	if link.Library != p.params.Collection || !strings.HasSuffix(link.Path, `\`+link.Name) {
		m.Whole, m.Link = true, link.Full()
	}
	if said.Color != nil {
		if link.Color {
			m.Color = said.Color
		} else {
			p.once("color\x00"+said.Name, finding.Warning, p.params.File, said.Line, said.Name, "take Color out, or use a material Custom...",
				"the material %s takes no Color: it is left out", link.Name)
		}
	}
	return m
}

// triangles cuts the polygons of an object into triangles.
type triangles struct {
	mesh   *model.Mesh
	normal func(model.Vec3) model.Vec3
	points []gbx.Vec3
	mirror bool
	face   []gbx.Vec3
	order  []int
	out    []static.Vertex
	corner []int32         // index of the position of each corner in out
	placed *static.Surface // the surface that has all positions of the object already
	first  int32           // index there of the object's first position
}

func newTriangles(n *model.Node, scale float64) *triangles {
	t := &triangles{mesh: n.Mesh, normal: n.World.Normal, mirror: n.World.Mirrors()}
	for _, at := range n.Mesh.Positions {
		t.points = append(t.points, short(n.World.Point(at).Times(scale)))
	}
	return t
}

// cut returns the corners of a polygon's triangles. They are valid until the next call.
func (t *triangles) cut(poly model.Polygon, layers []*model.UVLayer) []static.Vertex {
	t.face, t.out, t.corner = t.face[:0], t.out[:0], t.corner[:0]
	for _, c := range t.mesh.CornersOf(poly) {
		t.face = append(t.face, t.points[c])
	}
	if len(t.face) < 3 {
		return nil
	}
	t.order = mesh.Triangulate(t.order[:0], t.face)
	if t.mirror {
		for i := 0; i+2 < len(t.order); i += 3 {
			t.order[i+1], t.order[i+2] = t.order[i+2], t.order[i+1]
		}
	}
	for i, k := range t.order {
		v := static.Vertex{Position: t.face[k]}
		corner := int(poly.First) + k
		t.corner = append(t.corner, t.mesh.Corners[corner])
		if t.mesh.Normals != nil {
			v.Normal = short(t.normal(t.mesh.Normals[corner]))
		} else {
			v.Normal = flatNormal(t.face, t.order[i-i%3:i-i%3+3])
		}
		for l, layer := range layers {
			v.UVs[l] = gbx.Vec2{X: float32(layer.UVs[corner][0]), Y: float32(layer.UVs[corner][1])}
		}
		t.out = append(t.out, v)
	}
	return t.out
}

func flatNormal(face []gbx.Vec3, tri []int) gbx.Vec3 {
	at := func(i int) model.Vec3 {
		p := face[tri[i]]
		return model.Vec3{float64(p.X), float64(p.Y), float64(p.Z)}
	}
	return short(at(1).Sub(at(0)).Cross(at(2).Sub(at(0))).Unit())
}

// collide adds the triangles of the last cut to a surface.
func (t *triangles) collide(to *static.Surface, kind uint16) {
	if t.placed != to {
		t.placed, t.first = to, int32(len(to.Points))
		to.Points = append(to.Points, t.points...)
	}
	for i := 0; i+2 < len(t.corner); i += 3 {
		to.Triangles = append(to.Triangles, [3]int32{t.first + t.corner[i], t.first + t.corner[i+1], t.first + t.corner[i+2]})
		to.Kinds = append(to.Kinds, kind)
	}
}
