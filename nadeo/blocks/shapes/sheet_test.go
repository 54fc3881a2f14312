package shapes

import (
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

// The upper side of every block without a loop or wall is seen from above, and that of its
// mirror image too.
func TestDecksFaceUp(t *testing.T) {
	decks := 0
	for _, environment := range blocks.Environments() {
		cell := gbx.Vec3{X: 32, Y: 8, Z: 32}
		for b := range blocks.All(environment) {
			if !b.Ground.Known() || b.Has("loop") || b.Has("wall") || b.Has("wallride") || b.Has("by") {
				continue
			}
			k := Key{Kind: b, Ground: true}
			s := newShape(k, cell)
			if s.wall() != nil || s.wallRide() != nil || s.loop() != nil {
				continue
			}
			for _, f := range Mesh(k, cell) {
				if f.Part != Deck {
					continue
				}
				decks++
				if n := f.Normal(); n.Y < -0.01 {
					t.Fatalf("%s %s: a deck at %v faces down: %v", environment, b.Name, f.Corners, n)
				}
			}
		}
	}
	if decks < 10000 {
		t.Errorf("%d decks; want at least 10000", decks)
	}
}
