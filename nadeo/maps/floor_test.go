package maps

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Items that store their cell determine the height at which the grid begins.
func TestFloor(t *testing.T) {
	for file, want := range map[string]float64{
		"03043000/223b9d46373b.Map.Gbx": 5, "03043000/3b640027c6e0.Map.Gbx": 8, "03093000/7ec31d6b4cea.Replay.Gbx": 15,
		"03093000/6f6dce8c6dce.Gbx": 8, "03043000/ed61a14dcfed.Map.Gbx": 8, "03043000/b9370766056f.Map.Gbx": 5, "03043000/49db2d012eef.Map.Gbx": 15,
	} {
		if got := mapOf(t, mapBytes(t, file)).Floor(); got != want {
			t.Errorf("%s: %g, want %g", file, got, want)
		}
	}
}

// A map without items has the floor of its environment: row 0 of the five
// environments of Trackmania (2020) lies at the heights that the game shows.
func TestFloorOfEnvironments(t *testing.T) {
	for collection, height := range map[uint32]float64{26: -64, 28: -40, 15: -40, 16: -120, 29: -120} {
		m := madeMap(&game.Chunk0304301F{MapInfo: gbx.Ident{Collection: gbx.NumberID(collection)}}, &game.Chunk03043051{TitleID: gbx.NewID("TMStadium")})
		if got := -m.Floor() * float64(m.CellSize().Y); got != height {
			t.Errorf("%s: row 0 is at %g m, want %g", m.Collection(), got, height)
		}
	}
}
