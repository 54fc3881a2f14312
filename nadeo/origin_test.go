package nadeo

import (
	"testing"
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
