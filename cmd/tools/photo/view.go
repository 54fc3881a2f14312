package main

import (
	"math"

	"pakbox/gbx/mesh"
)

// view is a drawing: of each pixel the distance ahead, 0 for the sky, the material, and the
// direction of the surface.
type view struct {
	depth     [side * side]float64
	material  [side * side]int // 0 for the sky, else one more than the index of the material
	normal    [side * side]vector
	materials []mesh.Material
}

// near is how far in metres the nearest things are drawn.
const near = 0.5

// draw draws a scene.
func (c *camera) draw(scene *mesh.Scene) *view {
	v := &view{materials: scene.Materials}
	scene.Visit(func(n *mesh.Node, at mesh.Transform) {
		if n.Mesh == nil {
			return
		}
		for _, part := range n.Mesh.Parts {
			if part.Line {
				continue
			}
			for i := 0; i+2 < len(part.Indices); i += 3 {
				var t [3]vector
				for k := range t {
					t[k] = vectorOf(at.Point(part.Positions[part.Indices[i+k]]))
				}
				c.triangle(v, t, part.Material+1)
			}
		}
	})
	return v
}

// triangle draws a triangle where nothing nearer is.
func (c *camera) triangle(v *view, t [3]vector, material int) {
	normal := t[1].minus(t[0]).cross(t[2].minus(t[0]))
	if length := math.Sqrt(normal.dot(normal)); length > 0 {
		normal = vector{normal[0] / length, normal[1] / length, normal[2] / length}
	}
	var seen [3]vector
	for i, p := range t {
		p = p.minus(c.at)
		seen[i] = vector{p.dot(c.right), p.dot(c.up), p.dot(c.ahead)}
	}
	var corners [][3]float64 // x and y in pixels, and 1 by the distance
	for i, a := range seen {
		b := seen[(i+1)%3]
		if a[2] >= near {
			corners = append(corners, c.project(a))
		}
		if (a[2] >= near) != (b[2] >= near) {
			s := (near - a[2]) / (b[2] - a[2])
			corners = append(corners, c.project(vector{a[0] + s*(b[0]-a[0]), a[1] + s*(b[1]-a[1]), near}))
		}
	}
	for i := 1; i+1 < len(corners); i++ {
		v.fill(corners[0], corners[i], corners[i+1], normal, material)
	}
}

func (c *camera) project(p vector) [3]float64 {
	scale := side / 2 / c.tangent / p[2]
	return [3]float64{side/2 + p[0]*scale, side/2 - p[1]*scale, 1 / p[2]}
}

// fill draws a projected triangle.
func (v *view) fill(a, b, c [3]float64, normal vector, material int) {
	area := (b[0]-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(b[1]-a[1])
	if math.Abs(area) < 1e-9 {
		return
	}
	clamp := func(f float64) int { return int(min(max(f, 0), side)) }
	x0, x1 := clamp(min(a[0], b[0], c[0])-1), clamp(max(a[0], b[0], c[0])+1)
	y0, y1 := clamp(min(a[1], b[1], c[1])-1), clamp(max(a[1], b[1], c[1])+1)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			px, py := float64(x)+0.5, float64(y)+0.5
			u := ((b[0]-px)*(c[1]-py) - (c[0]-px)*(b[1]-py)) / area
			w := ((c[0]-px)*(a[1]-py) - (a[0]-px)*(c[1]-py)) / area
			if u < 0 || w < 0 || u+w > 1 {
				continue
			}
			z, i := 1/(u*a[2]+w*b[2]+(1-u-w)*c[2]), y*side+x
			if v.depth[i] == 0 || z < v.depth[i] {
				v.depth[i], v.material[i], v.normal[i] = z, material, normal
			}
		}
	}
}
