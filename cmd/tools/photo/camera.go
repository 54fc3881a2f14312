package main

import (
	"bytes"
	"hash/crc32"
	"image"
	_ "image/png" // the form in which photographs are asked for
	"math"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	trackmaps "pakbox/nadeo/maps"
)

// side is the edge in pixels of a photograph and of its drawing.
const side = 256

type vector [3]float64

func (a vector) dot(b vector) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vector) minus(b vector) vector {
	return vector{a[0] - b[0], a[1] - b[1], a[2] - b[2]}
}

func (a vector) cross(b vector) vector {
	return vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func vectorOf(v gbx.Vec3) vector { return vector{float64(v.X), float64(v.Y), float64(v.Z)} }

// camera is where a photograph was taken, and the tangent of half its field of view.
type camera struct {
	at, right, up, ahead vector
	tangent              float64
}

// cameraOf returns the camera of a map's thumbnail, false if the map stores none.
func cameraOf(f *gbx.File) (camera, bool) {
	if c, ok := gbx.Find[*game.Chunk03043036](f.Body); ok && c.ThumbnailFov > 0 {
		return newCamera(turned(c.ThumbnailPitchYawRoll), c.ThumbnailPosition, c.ThumbnailFov)
	}
	if c, ok := gbx.Find[*game.Chunk03043028](f.Body); ok && c.ArchiveGmCamVal != 0 && c.ThumbnailFov > 0 {
		r := c.ThumbnailRotation
		return newCamera([3]vector{vectorOf(r.X), vectorOf(r.Y), vectorOf(r.Z)}, c.ThumbnailPosition, c.ThumbnailFov)
	}
	return camera{}, false
}

// newCamera makes a camera of the rows of a rotation, whose columns are its axes.
func newCamera(rows [3]vector, at gbx.Vec3, degrees float32) (camera, bool) {
	column := func(i int) vector { return vector{rows[0][i], rows[1][i], rows[2][i]} }
	x, y, z := column(0), column(1), column(2)
	ok := math.Abs(x.dot(y.cross(z))-1) < 0.05 && !math.IsNaN(float64(at.X+at.Y+at.Z))
	return camera{vectorOf(at), vector{-x[0], -x[1], -x[2]}, y, z, math.Tan(float64(degrees) * math.Pi / 360)}, ok
}

// turned returns the rows of the rotation by a yaw, then a pitch, then a roll.
func turned(angles gbx.Vec3) [3]vector {
	sp, cp := math.Sincos(float64(angles.X))
	sy, cy := math.Sincos(float64(angles.Y))
	sr, cr := math.Sincos(float64(angles.Z))
	return [3]vector{
		{cy*cr + sy*sp*sr, -cy*sr + sy*sp*cr, sy * cp},
		{cp * sr, cp * cr, -sp},
		{-sy*cr + cy*sp*sr, sy*sr + cy*sp*cr, cy * cp},
	}
}

// photograph is the picture that the game took: red, green and blue of each pixel.
type photograph struct {
	colours     [side * side]vector
	environment string
	mood        string
}

// photographOf returns the thumbnail of a map, false if there is none or if it shows nothing.
func photographOf(m *trackmaps.Map) (*photograph, bool) {
	data, err := m.Thumbnail(trackmaps.ThumbnailForm{Size: side, Format: "png"})
	if err != nil || len(data) == 0 {
		return nil, false
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, false
	}
	p := &photograph{environment: m.Collection(), mood: m.Mood()}
	size := picture.Bounds()
	var sum, squares float64
	for i := range p.colours {
		r, g, b, _ := picture.At(size.Min.X+i%side*size.Dx()/side, size.Min.Y+i/side*size.Dy()/side).RGBA()
		p.colours[i] = vector{float64(r >> 8), float64(g >> 8), float64(b >> 8)}
		for _, v := range p.colours[i] {
			sum, squares = sum+v, squares+v*v
		}
	}
	const n, least = 3 * side * side, 8 // a picture of one colour shows nothing
	return p, squares/n-sum/n*sum/n > least*least
}

// partOf puts a map into one of the parts.
func partOf(uid string) int { return int(crc32.ChecksumIEEE([]byte(uid)) % parts) }
