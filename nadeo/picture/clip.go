package picture

// clipPolygon returns the part of a polygon near the canvas. It cuts the polygon at each
// of the four edges in turn (Sutherland and Hodgman 1974).
func (c *Canvas) clipPolygon(corners []point) []point {
	inside := true
	for _, p := range corners {
		inside = inside && c.near(p)
	}
	if inside {
		return corners
	}
	for _, e := range c.edges() {
		var kept []point
		for i, b := range corners {
			a := corners[(i+len(corners)-1)%len(corners)]
			da, db := e(a), e(b)
			if da < 0 != (db < 0) {
				kept = append(kept, between(a, b, da/(da-db)))
			}
			if db >= 0 {
				kept = append(kept, b)
			}
		}
		corners = kept
	}
	return corners
}

// clipLine returns the part of a line near the canvas.
func (c *Canvas) clipLine(a, b point) (point, point, bool) {
	if !a.finite() || !b.finite() {
		return a, b, false
	}
	for _, e := range c.edges() {
		da, db := e(a), e(b)
		switch {
		case da < 0 && db < 0:
			return a, b, false
		case da < 0:
			a = between(a, b, da/(da-db))
		case db < 0:
			b = between(a, b, da/(da-db))
		}
	}
	return a, b, c.near(a) && c.near(b)
}

// edges returns four functions that measure how far a point is inside each edge,
// including the margin.
func (c *Canvas) edges() [4]func(point) float64 {
	return [4]func(point) float64{
		func(p point) float64 { return p.x + margin },
		func(p point) float64 { return p.y + margin },
		func(p point) float64 { return float64(c.Width) + margin - p.x },
		func(p point) float64 { return float64(c.Height) + margin - p.y },
	}
}

func between(a, b point, f float64) point {
	return point{a.x + (b.x-a.x)*f, a.y + (b.y-a.y)*f}
}
