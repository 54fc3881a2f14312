// Package mapmesh makes one scene of a whole map: blocks and items with their own meshes
// if these are available, otherwise with the slabs of their shapes, then the ground and
// the driven lines.
//
// A mesh that stands at many places is in the scene once, with a node for each place. A
// node has the name of its block or item, and its number on the map.
package mapmesh

import (
	"context"
	"fmt"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
)

// Options are the additional sources for a scene.
type Options struct {
	Game  mesh.Library // source of models that the map does not embed; nil for none
	Lines []Line
	// Surroundings adds the ground beyond the map, and the stands of the Stadium.
	Surroundings bool
}

// Line is the line that a car drove.
type Line struct {
	Name   string
	Points []gbx.Vec3
}

// Result is the scene, and figures about its content.
type Result struct {
	Scene *mesh.Scene
	// Blocks and Items are their numbers on the map.
	Blocks, Items int
	Boxes         Share // slabs and boxes in place of missing meshes
	Embedded      Share // embedded meshes
	Game          Share // meshes from the game's files
	// Empty is the number of blocks and items whose mesh has no visible part.
	Empty int
	// Hidden is the number of blocks that only the game's files could show: pillars, and
	// clips that join blocks.
	Hidden        int
	Lines, Points int
	// Tracks are two corners of a box around the tracks and what stands beside them. They
	// are equal on a map without tracks.
	Tracks [2]gbx.Vec3
	// Bounds is a box around the map with its lines, without its surroundings.
	Bounds mesh.Bounds
	// Stored is the number of triangles in the scene's meshes. Each mesh counts once,
	// however often it is placed.
	Stored int
}

// Drawn returns the number of visible triangles. A mesh counts once for each place.
func (r *Result) Drawn() int { return r.Boxes.Triangles + r.Embedded.Triangles + r.Game.Triangles }

// Share counts the meshes from one source.
type Share struct {
	Models    int // different models
	Things    int // blocks and items
	Triangles int // counted once for each place
}

func (s *Share) add(triangles int) {
	s.Things++
	s.Triangles += triangles
}

// maxThings limits a scene. Real maps have fewer than a hundred thousand blocks and
// items.
const maxThings = 1 << 20

// Of makes the scene of a map.
func Of(ctx context.Context, m *maps.Map, o Options) (*Result, error) {
	if n := m.BlockCount() + m.ItemCount(); n > maxThings {
		return nil, fault.New(fault.Limit, "%d blocks and items; a scene takes %d", n, maxThings)
	}
	b := &builder{
		layout: scene.Of(m), m: m, out: &Result{Scene: &mesh.Scene{}}, models: newModels(m, o.Game),
		boxes: map[string]*mesh.Mesh{}, pieces: map[piece]*mesh.Mesh{}, shapes: map[shapeKey]*mesh.Mesh{}, materials: map[mesh.Material]int{},
	}
	if err := b.blocks(ctx); err != nil {
		return nil, err
	}
	if err := b.items(ctx); err != nil {
		return nil, err
	}
	b.out.Tracks = b.layout.Around()
	b.ground()
	b.lines(o.Lines)
	b.out.Bounds = b.out.Scene.Bounds()
	if o.Surroundings {
		b.surroundings()
	}
	b.out.Embedded.Models, b.out.Game.Models = b.models.used[embedded], b.models.used[game]
	b.out.Boxes.Models = len(b.boxes) + len(b.pieces) + len(b.shapes)
	return b.out, nil
}

// builder collects the parts of the scene.
type builder struct {
	layout    *scene.Scene
	m         *maps.Map
	out       *Result
	models    *models
	boxes     map[string]*mesh.Mesh // by the meaning of their colour
	pieces    map[piece]*mesh.Mesh  // the slabs of blocks
	shapes    map[shapeKey]*mesh.Mesh
	merged    int // number of boxes in pieces, and of faces in shapes
	materials map[mesh.Material]int
}

// group adds a parent node with this name for the nodes.
func (b *builder) group(name string, nodes []*mesh.Node) {
	if len(nodes) > 0 {
		b.out.Scene.Nodes = append(b.out.Scene.Nodes, &mesh.Node{Name: name, Transform: mesh.Identity, Children: nodes})
	}
}

func (b *builder) blocks(ctx context.Context) error {
	var nodes []*mesh.Node
	slabs := b.layout.Blocks
	for i, block := range b.m.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.out.Blocks++
		n := 0 // number of slabs of this block; they follow each other in the list
		for n < len(slabs) && slabs[n].Index == i {
			n++
		}
		own := slabs[:n]
		slabs = slabs[n:]
		name := nodeName(scene.WayOf(block.Waypoint, block.Name), strings.TrimSuffix(block.Name, "_CustomBlock"), i)
		node, done := b.blockModel(&block, name)
		switch {
		case node != nil:
			nodes = append(nodes, node)
		case done:
		case len(own) == 0:
			b.out.Hidden++
		default:
			nodes = append(nodes, b.shaped(own, &block, name))
		}
	}
	b.group("Blocks", nodes)
	return nil
}

// blockModel makes the node of a block with its own mesh. It returns nil and true if the
// mesh has no visible part, nil and false if no mesh is available.
func (b *builder) blockModel(block *maps.Block, name string) (*mesh.Node, bool) {
	k := b.models.block(block)
	if k == nil {
		return nil, false
	}
	if k.mesh == nil {
		b.out.Empty++
		return nil, true
	}
	p, ok := b.placeBlock(k, block)
	if !ok {
		return nil, false
	}
	return b.model(k, &p, name), true
}

// placeBlock returns the place of the mesh of a block. It returns false if the file's
// position is not a finite number.
func (b *builder) placeBlock(k *model, block *maps.Block) (scene.Instance, bool) {
	size, known := b.m.BlockSize(block)
	if !known {
		size = b.cellsOf(k)
	}
	return b.layout.PlaceBlock(block, size)
}

// cellsOf returns how many cells a mesh takes. The mesh of a block begins at the corner
// of its first cell. An overhang of less than a metre does not count.
func (b *builder) cellsOf(k *model) gbx.Int3 {
	const overhang = 1 // metre
	cells := func(reach, cell float32) int32 {
		n := int32(1)
		for ; n < 64 && float32(n)*cell < reach-overhang; n++ {
		}
		return n
	}
	return gbx.Int3{X: cells(k.box.Max.X, b.layout.Cell.X), Y: 1, Z: cells(k.box.Max.Z, b.layout.Cell.Z)}
}

func (b *builder) items(ctx context.Context) error {
	var nodes []*mesh.Node
	boxes := b.layout.Items
	for i, it := range b.m.Items() {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.out.Items++
		var box *scene.Thing
		if len(boxes) > 0 && boxes[0].Index == i {
			box, boxes = &boxes[0], boxes[1:]
		}
		id := it.Model.ID.String()
		name := nodeName(scene.ItemWay(it.Waypoint, id), id, i)
		k := b.models.item(&it)
		p, ok := scene.PlaceItem(i, &it)
		switch {
		case k != nil && k.mesh == nil:
			b.out.Empty++
		case k != nil && ok && usual(it.Scale):
			nodes = append(nodes, b.model(k, &p, name))
		case box != nil:
			nodes = append(nodes, b.slabs([]scene.Thing{*box}, name, 0))
		}
	}
	b.group("Items", nodes)
	return nil
}

// usual reports whether a scale is neither too small nor too large to draw.
func usual(scale float32) bool { return scale > 1e-4 && scale < 1e4 }

// nodeName makes the name of a node, such as "Checkpoint RoadTechCheckpoint #12".
func nodeName(way scene.Way, name string, index int) string {
	prefix := ""
	switch way {
	case scene.Start:
		prefix = "Start "
	case scene.Checkpoint:
		prefix = "Checkpoint "
	case scene.Finish:
		prefix = "Finish "
	case scene.Lap:
		prefix = "Start and finish "
	}
	return fmt.Sprintf("%s%s #%d", prefix, name, index)
}

// model makes the node of a mesh at a place.
func (b *builder) model(k *model, p *scene.Instance, name string) *mesh.Node {
	if !k.merged {
		k.merged = true
		for i := range k.mesh.Parts {
			if part := &k.mesh.Parts[i]; part.Material >= 0 {
				part.Material = b.material(k.materials[part.Material])
			}
		}
		b.out.Stored += k.mesh.Triangles()
	}
	share := &b.out.Embedded
	if k.from == game {
		share = &b.out.Game
	}
	share.add(k.mesh.Triangles())
	m := p.Matrix()
	return &mesh.Node{Name: name, Mesh: k.mesh, Transform: mesh.Transform{
		Mat3: gbx.Mat3{X: gbx.Vec3{X: m[0], Y: m[1], Z: m[2]}, Y: gbx.Vec3{X: m[4], Y: m[5], Z: m[6]}, Z: gbx.Vec3{X: m[8], Y: m[9], Z: m[10]}},
		T:    gbx.Vec3{X: m[12], Y: m[13], Z: m[14]},
	}}
}

// material returns the index of a material in the scene, and adds it if it is new.
func (b *builder) material(m mesh.Material) int {
	i, ok := b.materials[m]
	if !ok {
		i = len(b.out.Scene.Materials)
		b.materials[m] = i
		b.out.Scene.Materials = append(b.out.Scene.Materials, m)
	}
	return i
}
