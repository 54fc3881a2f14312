package shapes

import (
	"strings"

	"pakbox/gbx"
)

// maxBulk limits the cells of a block that are drawn one by one.
const maxBulk = 4096

// Bulk makes the mesh of a block by the cells that it takes, for cells of this size: of
// buildings, sculptures and everything else that nobody drives on. Plants are slimmer than
// their cells. It returns nil if the cells are unknown, and in environments whose heights are
// too uncertain: there, photographs agree less with it than with slabs.
func Bulk(k Key, cell gbx.Vec3) []Face {
	if !strings.HasPrefix(k.Kind.Environment, "Stadium") {
		return nil
	}
	c := k.Kind.Cells(k.Ground)
	if !c.Known() || c.Size.X*c.Size.Y*c.Size.Z > maxBulk || c.Size.X*c.Size.Y*c.Size.Z <= 0 {
		return nil
	}
	slim := float32(0)
	if c.Size.X == 1 && c.Size.Z == 1 && isPlant(k.Kind.Name) {
		slim = 0.35
	}
	var out []Face
	for p := range c.List() {
		lo := gbx.Vec3{X: float32(p.X) * cell.X, Y: float32(p.Y) * cell.Y, Z: float32(p.Z) * cell.Z}
		hi := plus(lo, cell)
		lo.X, lo.Z, hi.X, hi.Z = lo.X+slim*cell.X, lo.Z+slim*cell.Z, hi.X-slim*cell.X, hi.Z-slim*cell.Z
		for axis := range 3 {
			for side := range int32(2) {
				n := [3]int32{p.X, p.Y, p.Z}
				n[axis] += 2*side - 1
				if !c.Has(n[0], n[1], n[2]) {
					out = append(out, sideOf(lo, hi, axis, side == 1))
				}
			}
		}
	}
	return out
}

// isPlant reports whether a name is that of a tree or a cactus.
func isPlant(name string) bool {
	for _, word := range []string{"Tree", "Cactus", "Palm", "Saguaro"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// sideOf is one side of a box, seen from outside.
func sideOf(lo, hi gbx.Vec3, axis int, far bool) Face {
	low, high := [3]float32{lo.X, lo.Y, lo.Z}, [3]float32{hi.X, hi.Y, hi.Z}
	u, v := (axis+1)%3, (axis+2)%3
	at := func(a, b bool) gbx.Vec3 {
		p := low
		if far {
			p[axis] = high[axis]
		}
		if a {
			p[u] = high[u]
		}
		if b {
			p[v] = high[v]
		}
		return gbx.Vec3{X: p[0], Y: p[1], Z: p[2]}
	}
	f := Face{Corners: [4]gbx.Vec3{at(false, false), at(true, false), at(true, true), at(false, true)}}
	if !far {
		f.Corners[1], f.Corners[3] = f.Corners[3], f.Corners[1]
	}
	if axis != 1 || !far {
		f.Part = Flank
	}
	return f
}
