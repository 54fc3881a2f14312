package gbxarchive_test

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/nadeotest/mapsample"
	"pakbox/nadeo/nadeotest/runsample"
)

// TestGameOfAFile: the game of a file without a header is derived from versions.
func TestGameOfAFile(t *testing.T) {
	const old, now = "ManiaPlanet", "Trackmania (2020)"
	for _, test := range []struct {
		body gbx.Chunk
		want string
	}{
		{gbx.Chunk{ID: 0x2E002019, Body: &gamedata.Chunk2E002019{Version: 12}}, old}, {gbx.Chunk{ID: 0x2E002019, Body: &gamedata.Chunk2E002019{Version: 13}}, now},
		{gbx.Chunk{ID: 0x090BB000, Body: &plug.Chunk090BB000{Version: 29}}, old}, {gbx.Chunk{ID: 0x090BB000, Body: &plug.Chunk090BB000{Version: 30}}, now},
		{gbx.Chunk{ID: 0x0900C003, Body: &plug.Chunk0900C003{Version: 2}}, old}, {gbx.Chunk{ID: 0x0900C003, Body: &plug.Chunk0900C003{Version: 3}}, now},
		{gbx.Chunk{ID: 0x090FD000, Body: &plug.Chunk090FD000{Version: 9}}, old}, {gbx.Chunk{ID: 0x090FD000, Body: &plug.Chunk090FD000{Version: 10}}, now},
		{gbx.Chunk{ID: 0x0309200F, Body: &game.Chunk0309200F{}}, ""},
	} {
		class := test.body.ID &^ 0xFFF
		if got := gbxarchive.GameOf(gbx.New(&gbx.Node{Class: class, Chunks: []gbx.Chunk{test.body}}, engine.Registry())); got != test.want {
			t.Errorf("%s: %q, want %q", test.body.ID, got, test.want)
		}
	}
	if got := gbxarchive.GameOf(runsample.Straight(5000).Ghost()); got != "TrackMania Forever" {
		t.Errorf("a ghost of %q", got)
	}
	if got := gbxarchive.GameOf(mapsample.New(t).File); got != now {
		t.Errorf("a map of %q", got)
	}
}
