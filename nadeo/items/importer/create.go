package importer

import (
	"context"
	"fmt"
	"image"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/gbx/mesh/model"
	"pakbox/internal/lib/regular"
	"pakbox/nadeo/items/itemxml"
	"pakbox/nadeo/items/library"
)

// Part describes a new item for people without XML files.
type Part struct {
	Mesh         string   // the file of the mesh
	Lods         []string // files of the coarser levels of detail
	Name, Author string
	Description  string
	Collection   string // environment; Stadium if empty
	// Materials gives, for materials of the mesh, the Link, PhysicsID and GameplayID in
	// the game. AnyMaterial stands for all materials that are not listed, and for faces
	// without one. Without it, a material that is not listed gets the game's material of the
	// same name.
	Materials map[string]itemxml.Material
	Waypoint  string // "" for none
	Trigger   string // object in the mesh that serves as the trigger
	Pivots    [][3]float64
	GridSnap  itemxml.Steps
	FlyStep   float64
	Icon      image.Image // nil: draw one from the mesh
}

// AnyMaterial is the name in [Part.Materials] for all that are not listed.
const AnyMaterial = "*"

// Create makes an item from a mesh.
func Create(ctx context.Context, p Part, o Options) (*Result, error) {
	w := &work{Options: o, Result: Result{Mesh: p.Mesh, MadeFor: o.game()}}
	collection := p.Collection
	if collection == "" {
		collection = "Stadium"
	}
	w.item = &itemxml.Item{
		File: p.Mesh, Type: "StaticObject", Collection: collection, AuthorName: p.Author, Waypoint: p.Waypoint, Pivots: p.Pivots,
		GridSnap: p.GridSnap, Levitation: itemxml.Steps{VStep: p.FlyStep}, PivotSnap: -1,
	}
	w.params = &itemxml.MeshParams{File: p.Mesh, MeshType: "Static", Collection: collection, Scale: 1}
	if err := w.readLevels(p); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.checkSize()
	w.chooseMaterials(p)
	w.takeLights()
	w.nameLayers()
	w.addLayers()
	w.addWaypoint(p)
	made := w.assemble()
	made.Name, made.Description = p.Name, p.Description
	w.checkNames(made.Name, made.Description)
	var err error
	if made.Icon = p.Icon; made.Icon == nil {
		if made.Icon, err = drawIcon(ctx, &made.Solid); err != nil {
			return nil, err
		}
	}
	if !w.Failed() {
		w.make(made)
	}
	return &w.Result, nil
}

// readLevels reads the mesh, and the coarser meshes as its levels of detail.
func (w *work) readLevels(p Part) error {
	for i, path := range append([]string{p.Mesh}, p.Lods...) {
		data, err := regular.Read(path, maxInput)
		if err != nil {
			return err
		}
		s, err := readScene(path, data)
		if err != nil {
			return fault.InFile(err, path)
		}
		if i == 0 {
			w.scene = s
			if info, err := os.Stat(path); err == nil && w.Time.IsZero() {
				w.Time = info.ModTime()
			}
		}
		for n := range s.Nodes {
			if node := &s.Nodes[n]; len(p.Lods) > 0 && node.Mesh != nil && !begins(node.Name, prefixTrigger) {
				node.Name += fmt.Sprintf("_Lod%d", i)
			}
		}
		if i > 0 {
			join(w.scene, s)
		}
	}
	return nil
}

// join adds the nodes of one scene to another.
func join(to, from *model.Scene) {
	at := make([]int32, len(from.Materials))
	for i, name := range from.Materials {
		k := slices.Index(to.Materials, name)
		if k < 0 {
			k = len(to.Materials)
			to.Materials, to.Links = append(to.Materials, name), append(to.Links, linkOf(from, i))
		}
		at[i] = int32(k)
	}
	first := len(to.Nodes)
	done := map[*model.Mesh]bool{}
	for _, n := range from.Nodes {
		if n.Parent >= 0 {
			n.Parent += first
		}
		if n.Mesh != nil && !done[n.Mesh] {
			done[n.Mesh] = true
			for i := range n.Mesh.Polygons {
				if m := &n.Mesh.Polygons[i].Material; *m >= 0 {
					*m = at[*m]
				}
			}
		}
		to.Nodes = append(to.Nodes, n)
	}
}

// linkOf returns the game's material that the mesh file notes for one of its materials.
func linkOf(s *model.Scene, i int) string {
	if i < len(s.Links) {
		return s.Links[i]
	}
	return ""
}

// chooseMaterials describes all materials of the mesh.
func (w *work) chooseMaterials(p Part) {
	every, forAll := p.Materials[AnyMaterial]
	if forAll {
		w.coverFaces()
	}
	for _, name := range slices.Sorted(maps.Keys(p.Materials)) {
		if name != AnyMaterial && !slices.ContainsFunc(w.scene.Materials, func(own string) bool { return own == name || withoutCount(own) == name }) {
			w.say(finding.Error, p.Mesh, 0, name, "write one of "+strings.Join(w.scene.Materials, ", "), "the mesh has no material %s", name)
		}
	}
	for i, name := range w.scene.Materials {
		m, listed := p.Materials[name]
		if !listed {
			m, listed = p.Materials[withoutCount(name)]
		}
		if !listed && forAll {
			m = every
		}
		m.Name = name
		if m.Link == "" {
			if m.Link = linkOf(w.scene, i); m.Link == "" || !w.Crystal && library.Find(m.Link) == nil {
				m.Link = name
			}
			if library.Find(m.Link) == nil && library.Find(withoutCount(m.Link)) != nil {
				m.Link = withoutCount(m.Link)
			}
		}
		w.params.Materials = append(w.params.Materials, m)
	}
}

// count is what Blender adds to the names of copies.
var count = regexp.MustCompile(`\.\d{3,}$`)

// withoutCount returns PlatformTech for PlatformTech.001.
func withoutCount(name string) string { return count.ReplaceAllString(name, "") }

// coverFaces gives the faces without a material one, which AnyMaterial then describes.
func (w *work) coverFaces() {
	added := -1
	for i := range w.scene.Nodes {
		n := &w.scene.Nodes[i]
		if n.Mesh == nil || begins(n.Name, prefixTrigger) {
			continue
		}
		for k := range n.Mesh.Polygons {
			face := &n.Mesh.Polygons[k]
			if int(face.Material) >= 0 && int(face.Material) < len(w.scene.Materials) {
				continue
			}
			if added < 0 {
				added = len(w.scene.Materials)
				w.scene.Materials, w.scene.Links = append(w.scene.Materials, "NoMaterial"), append(w.scene.Links, "")
			}
			face.Material = int32(added)
		}
	}
}

// Sizes in metres between which meshes of items lie. A block is 32 m wide.
const (
	smallest = 0.1
	largest  = 1000
)

// checkSize notes a mesh whose size suggests another unit than metres.
func (w *work) checkSize() {
	box := w.boundingBox()
	low, high := box.Positions[0], box.Positions[len(box.Positions)-1]
	size := 0.0
	for k := range low {
		size = max(size, high[k]-low[k])
	}
	switch {
	case math.IsInf(size, 0) || math.IsNaN(size):
	case size > largest:
		w.say(finding.Note, w.Mesh, 0, "", "export it in metres if it was exported in centimetres", "the mesh is %.0f m wide, and a block is 32 m wide", size)
	case size > 0 && size < smallest:
		w.say(finding.Note, w.Mesh, 0, "", "export it in metres if it was exported in another unit", "the mesh is only %.3g m wide, and a block is 32 m wide", size)
	}
}

// takeLights describes the lights by the values in the mesh file.
func (w *work) takeLights() {
	for i := range w.scene.Nodes {
		n := &w.scene.Nodes[i]
		if n.Light == nil {
			continue
		}
		l := itemxml.Light{Name: n.Name, Type: "Point", Color: n.Light.Color, Intensity: n.Light.Intensity, Distance: 64, SpotInnerAngle: 40, SpotOuterAngle: 60}
		if n.Light.Kind == model.SpotLight {
			l.Type, l.SpotInnerAngle, l.SpotOuterAngle = "Spot", n.Light.Inner, n.Light.Outer
		}
		w.params.Lights = append(w.params.Lights, l)
	}
}

// nameLayers gives layers of texture coordinates their standard names, by their order:
// other programs name them differently, such as Blender's UVMap.
func (w *work) nameLayers() {
	for i := range w.scene.Nodes {
		n := &w.scene.Nodes[i]
		if n.Mesh == nil || begins(n.Name, prefixTrigger) {
			continue
		}
		for _, name := range model.LayerNames {
			other := slices.IndexFunc(n.Mesh.UVLayers, func(l model.UVLayer) bool {
				return !slices.ContainsFunc(model.LayerNames, func(known string) bool { return strings.EqualFold(known, l.Name) })
			})
			if n.Mesh.UVLayer(name) == nil && other >= 0 {
				layer := &n.Mesh.UVLayers[other]
				w.say(finding.Note, w.Mesh, 0, n.Name, "", "object %s: its UV layer %s is taken as %s", n.Name, layer.Name, name)
				layer.Name = name
			}
		}
	}
}

// addLayers makes the layers of texture coordinates that the mesh lacks.
func (w *work) addLayers() {
	var meshes []*model.Mesh
	faces, lacks := 0, false
	for i := range w.scene.Nodes {
		n := &w.scene.Nodes[i]
		if n.Mesh == nil || begins(n.Name, prefixTrigger) || slices.Contains(meshes, n.Mesh) {
			continue
		}
		if begins(n.Name, prefixNotVisible) && n.Mesh.UVLayer(model.Lightmap) == nil { // an invisible object needs no lightmap
			n.Mesh.UVLayers = append(n.Mesh.UVLayers, model.UVLayer{Name: model.Lightmap, UVs: make([]model.Vec2, len(n.Mesh.Corners))})
		}
		meshes = append(meshes, n.Mesh)
		faces += len(n.Mesh.Polygons)
		lacks = lacks || n.Mesh.UVLayer(model.Lightmap) == nil
		if n.Mesh.UVLayer(model.BaseMaterial) == nil {
			n.Mesh.UVLayers = append(n.Mesh.UVLayers, model.UVLayer{Name: model.BaseMaterial, UVs: projected(n)})
			w.say(finding.Note, w.Mesh, 0, n.Name, "", "object %s has no texture coordinates: the texture lies on it from outside, 8 m wide", n.Name)
		}
	}
	if !lacks || faces == 0 {
		return
	}
	side := int(math.Ceil(math.Sqrt(float64(faces))))
	face := 0
	for _, m := range meshes {
		m.UVLayers = slices.DeleteFunc(m.UVLayers, func(l model.UVLayer) bool { return strings.EqualFold(l.Name, model.Lightmap) })
		uvs := make([]model.Vec2, len(m.Corners))
		for _, poly := range m.Polygons {
			x, y := (float64(face%side)+0.5)/float64(side), (float64(face/side)+0.5)/float64(side)
			for k := range poly.Count {
				sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(poly.Count))
				uvs[poly.First+k] = model.Vec2{x + 0.45*cos/float64(side), y + 0.45*sin/float64(side)}
			}
			face++
		}
		m.UVLayers = append(m.UVLayers, model.UVLayer{Name: model.Lightmap, UVs: uvs})
	}
	w.say(finding.Note, w.Mesh, 0, "", "", "the mesh has no places in the lightmap: each face gets its own, which costs light at the edges")
}

// projected makes texture coordinates by projection along the main axis of each face.
func projected(n *model.Node) []model.Vec2 {
	const width = 8 // metres for one repetition of the texture
	m := n.Mesh
	out := make([]model.Vec2, len(m.Corners))
	for _, poly := range m.Polygons {
		corners := m.CornersOf(poly)
		if len(corners) < 3 {
			continue
		}
		at := func(i int) model.Vec3 { return n.World.Point(m.Positions[corners[i]]) }
		look := at(1).Sub(at(0)).Cross(at(2).Sub(at(0)))
		for k := range corners {
			p := at(k)
			uv := model.Vec2{p[0], -p[2]}
			if x, y, z := math.Abs(look[0]), math.Abs(look[1]), math.Abs(look[2]); x > y && x >= z {
				uv = model.Vec2{-p[2], p[1]}
			} else if z > y {
				uv = model.Vec2{p[0], p[1]}
			}
			out[int(poly.First)+k] = model.Vec2{uv[0] / width, uv[1] / width}
		}
	}
	return out
}

// addWaypoint adds the parts that a waypoint needs and the mesh lacks: the place where
// cars start, and a trigger as large as the mesh.
func (w *work) addWaypoint(p Part) {
	sockets, triggers, named := 0, 0, false
	for i := range w.scene.Nodes {
		n := &w.scene.Nodes[i]
		if p.Trigger != "" && strings.EqualFold(strings.TrimSuffix(n.Name, "_Lod0"), p.Trigger) {
			named = true
			n.Name = prefixTrigger + n.Name
		}
		if begins(n.Name, socketStart) {
			sockets++
		}
		if begins(n.Name, prefixTrigger) && n.Mesh != nil {
			triggers++
		}
	}
	if p.Trigger != "" && !named {
		w.say(finding.Error, w.Mesh, 0, p.Trigger, "write the name of an object of the mesh", "the mesh has no object %s", p.Trigger)
	}
	if p.Waypoint == "" {
		return
	}
	if sockets == 0 {
		const above = 0.01 // metres above the road
		at := model.Identity
		at.T = model.Vec3{0, above, 0}
		w.scene.Nodes = append(w.scene.Nodes, model.Node{Name: socketStart, Parent: -1, World: at})
		w.say(finding.Note, w.Mesh, 0, socketStart, "", "the mesh has no object %s: cars start at its origin and look along z", socketStart)
	}
	if triggers == 0 && p.Waypoint != "Start" {
		w.scene.Nodes = append(w.scene.Nodes, model.Node{Name: prefixTrigger + "box", Parent: -1, World: model.Identity, Mesh: w.boundingBox()})
		w.say(finding.Note, w.Mesh, 0, prefixTrigger, "", "the mesh has no trigger: a box around all of it fires the waypoint")
	}
}

// boundingBox makes a box around the scene.
func (w *work) boundingBox() *model.Mesh {
	lo, hi := model.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}, model.Vec3{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for i := range w.scene.Nodes {
		n := &w.scene.Nodes[i]
		if n.Mesh == nil {
			continue
		}
		for _, p := range n.Mesh.Positions {
			p = n.World.Point(p)
			for k := range p {
				lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
			}
		}
	}
	m := &model.Mesh{}
	for i := range 8 {
		var p model.Vec3
		for k := range p {
			if p[k] = lo[k]; i>>k&1 == 1 {
				p[k] = hi[k]
			}
		}
		m.Positions = append(m.Positions, p)
	}
	for _, face := range [][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		m.Polygons = append(m.Polygons, model.Polygon{First: int32(len(m.Corners)), Count: 4, Material: -1})
		m.Corners = append(m.Corners, face[:]...)
	}
	return m
}
