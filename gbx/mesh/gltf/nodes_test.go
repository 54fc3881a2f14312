package gltf

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

// TestNodes: nodes are written as encoding/json writes them, and refused as it refuses them.
func TestNodes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() float32 {
		switch r.IntN(8) {
		case 0:
			return float32(r.IntN(2000001) - 1000000)
		case 1:
			return math.Float32frombits(r.Uint32()) // any, infinite ones too
		case 2:
			return 0
		case 3:
			return float32(math.Copysign(0, -1))
		case 4:
			return float32(r.NormFloat64()) * 1e-7
		case 5:
			return float32(r.NormFloat64()) * 1e22
		}
		return float32(r.NormFloat64())
	}
	names := []string{"", "Block #12", "a\"b", "<é>", "\x01", "\xff", "~ ^"}
	refused := 0
	for range 20000 {
		var n node
		n.Name = names[r.IntN(len(names))]
		if r.IntN(2) == 0 {
			mesh := r.IntN(100)
			n.Mesh = &mesh
		}
		for range r.IntN(4) {
			n.Children = append(n.Children, r.IntN(100))
		}
		if r.IntN(2) == 0 {
			n.Translation = &[3]float32{number(), number(), number()}
		}
		if r.IntN(2) == 0 {
			n.Rotation = &[4]float32{number(), number(), number(), number()}
		}
		if r.IntN(4) == 0 {
			n.Scale = &[3]float32{number(), number(), number()}
		}
		n.Extras.Level = max(0, r.IntN(20)-18)
		want, wantErr := json.Marshal(&n)
		got, err := n.append(nil)
		if (err != nil) != (wantErr != nil) || err == nil && string(got) != string(want) {
			t.Fatalf("%s, %v; encoding/json: %s, %v", got, err, want, wantErr)
		}
		if err != nil {
			refused++
		}
	}
	if refused == 0 {
		t.Error("no node was refused")
	}
}
