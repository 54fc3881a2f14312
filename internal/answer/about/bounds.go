package about

import (
	"math"

	"pakbox/gbx/mesh"
)

// Bounds is the box around a mesh or a scene, in metres.
type Bounds struct {
	Min [3]float32 `json:"min"`
	Max [3]float32 `json:"max"`
}

// BoundsOf converts a box for JSON. It returns nil for an empty or infinite box.
func BoundsOf(b mesh.Bounds) *Bounds {
	out := &Bounds{[3]float32{b.Min.X, b.Min.Y, b.Min.Z}, [3]float32{b.Max.X, b.Max.Y, b.Max.Z}}
	for _, v := range append(out.Min[:], out.Max[:]...) {
		if math.IsInf(float64(v), 0) || math.IsNaN(float64(v)) {
			return nil // empty or infinite
		}
	}
	return out
}
