package runs

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

func TestGhostGame(t *testing.T) {
	for program, want := range map[string]string{
		"Trackmania date=2025-07-04_14_15 git=127252 GameVersion=3.3.0": "Trackmania (2020)",
		"TmForever.2.11.26 ":                     "TrackMania Forever",
		"TmForeverCompPatch.2.11.26(1.5).da57ee": "TrackMania Forever",
		"TmUnited.0.2.1.0":                       "TrackMania United",
		"TrackmaniaTurbo.3.3.0":                  "TrackMania Turbo",
		"TmSunrise":                              "",
	} {
		g := &Ghost{Node: &gbx.Node{Chunks: []gbx.Chunk{{Body: &game.Chunk0309202D{ExeVersion: program}}}}}
		if got := g.Origin().Game(); got != want {
			t.Errorf("%s is of %q, want %q", program, got, want)
		}
	}
}
