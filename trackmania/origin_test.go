package trackmania

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

func TestGame(t *testing.T) {
	for o, want := range map[Origin]string{
		{"3.3.0", "2016-11-07_16_15", "TMTurbo@nadeolabs"}: "TrackMania Turbo",
		{"3.3.0", "2016-03-23_18_29", "TMStadium"}:         "ManiaPlanet 3",
		{"3.3.0", "2019-11-19_18_50", "TMValley"}:          "ManiaPlanet 4",
		{"3.3.0", "2026-02-02_17_51", "TMStadium"}:         "Trackmania (2020)",
		{Version: "0.1.8.0"}:                               "TrackMania Nations ESWC",
		{Version: "0.1.8.7"}:                               "TrackMania United", // platform maps in Bay and Island
		{Version: "9.9"}:                                   "",
	} {
		if got := o.Game(); got != want {
			t.Errorf("%v is of %q, want %q", o, got, want)
		}
	}
}

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
