package shapes

import (
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

// Places of recorded cars that rode on walls, in the frames of the blocks, and where their
// roofs pointed.
func TestWalls(t *testing.T) {
	for _, c := range []struct {
		name     string
		place    gbx.Vec3
		upX, upZ float32
	}{
		{"StadiumPlatformWallBorder", gbx.Vec3{X: 31.6, Y: 6.6, Z: 1.6}, 0, 1},
		{"StadiumPlatformWallBorder", gbx.Vec3{X: 2.4, Y: 4.8, Z: 1.4}, 0, 1},
		{"StadiumPlatformWallPub2", gbx.Vec3{X: 3.1, Y: 15.3, Z: 1.5}, 0, 1},
		{"StadiumPlatformGTCurve2Wall2", gbx.Vec3{X: 8.3, Y: 3.1, Z: 1.9}, -0.1, 1},
		{"StadiumPlatformGTCurve2Wall2", gbx.Vec3{X: 45.8, Y: 10.4, Z: 21.3}, -0.7, 0.7},
		{"StadiumPlatformGTCurve2Wall4", gbx.Vec3{X: 62.2, Y: 2.5, Z: 56.3}, -1, 0.1},
		{"StadiumPlatformGTCurve3Wall4", gbx.Vec3{X: 59.1, Y: 9.6, Z: 22.1}, -0.6, 0.8},
		{"StadiumPlatformGTCurve3Wall4", gbx.Vec3{X: 94.4, Y: 2, Z: 89.8}, -1, 0.1},
	} {
		const wheels = 0.3 // metres from the place of a car to the road
		on := false
		for _, s := range Of(Key{Kind: blocks.Find("Stadium", c.name)}, cell) {
			d := minus(c.place, s.Top)
			inside := max(dot(d, s.Along), -dot(d, s.Along)) <= float32(s.Long/2)+0.1 && max(dot(d, s.Right), -dot(d, s.Right)) <= float32(s.Wide/2)+0.1
			height, roof := dot(d, s.Normal)-wheels, s.Normal.X*c.upX+s.Normal.Z*c.upZ
			on = on || inside && roof > 0.95 && height > -0.5 && height < 0.5
		}
		if !on {
			t.Errorf("no wall of %s where a car drove at %v", c.name, c.place)
		}
	}
}
