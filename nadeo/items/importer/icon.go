package importer

import (
	"context"
	"image"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/view"
	"pakbox/nadeo/items/library"
	"pakbox/nadeo/items/static"
)

// iconSide is the width and height of an icon.
const iconSide = 64

// drawIcon draws the finest level of a mesh on a transparent background.
func drawIcon(ctx context.Context, s *static.Solid) (image.Image, error) {
	scene := &mesh.Scene{}
	for _, m := range s.Materials {
		c := library.SurfaceColor(library.SurfaceName(m.Surface))
		if m.Color != nil {
			c = [4]uint8{m.Color[0], m.Color[1], m.Color[2], 255}
		}
		scene.Materials = append(scene.Materials, mesh.Material{Color: c})
	}
	drawn := &mesh.Mesh{}
	for i := range s.Parts {
		p := &s.Parts[i]
		if p.Levels&1 == 0 {
			continue
		}
		g := &mesh.Geometry{Positions: make([]gbx.Vec3, len(p.Corners)), Indices: make([]uint32, len(p.Corners))}
		for k := range p.Corners {
			g.Positions[k], g.Indices[k] = p.Corners[k].Position, uint32(k)
		}
		drawn.Parts = append(drawn.Parts, mesh.Part{Material: p.Material, Geometry: g})
	}
	scene.Nodes = []*mesh.Node{{Transform: mesh.Identity, Mesh: drawn}}
	return view.Draw(ctx, scene, view.Options{Size: image.Pt(iconSide, iconSide), Tilt: 30})
}
