package runs

import (
	"fmt"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/nadeo"
	"pakbox/nadeo/items"
	"pakbox/nadeo/nadeotest/roomtest"
)

// A replay's own record, beside its ghosts, is read as a ghost's is.
func TestTelemetryOfReplay(t *testing.T) {
	g := hardGhost(t, "33d796707f22bda8.Ghost.Gbx")
	c, _ := gbx.Find[*game.Chunk03092000](g.Node)
	want, err := g.Telemetry()
	if err != nil {
		t.Fatal(err)
	}
	r := &Replay{roomtest.NodeFile(classReplay, &game.Chunk03093024{RecordData: c.RecordData})}
	got, err := r.Telemetry()
	if err != nil || len(got) != len(want) || fmt.Sprint(got[0].Samples[:5]) != fmt.Sprint(want[0].Samples[:5]) || len(got[0].Samples) != len(want[0].Samples) {
		t.Errorf("%d lines, want %d (%v)", len(got), len(want), err)
	}
	for _, bare := range []*Replay{{roomtest.NodeFile(classReplay)}, {roomtest.NodeFile(classReplay, &game.Chunk03093024{})}} {
		if got, err := bare.Telemetry(); got != nil || err != nil {
			t.Errorf("got = %v, err = %v; want got = nil, no error", got, err)
		}
	}
}

// The runs of a file are found whatever the file is.
func TestGhostsOfEveryFile(t *testing.T) {
	ghost := gbx.NewRef(roomtest.Node(classGhost, &game.Chunk03092005{RaceTime: 1234}))
	media := gbx.NewRef(roomtest.Node(0x030E5000, &game.Chunk030E5001{GhostModel: ghost}))
	clip := roomtest.Node(0x03079000, &game.Chunk03079001{Tracks: []gbx.Ref{gbx.NewRef(roomtest.Node(0x03078000, &game.Chunk03078001{Blocks: []gbx.Ref{media, {}}}))}})
	for what, f := range map[string]*gbx.File{
		"ghost":  {Header: gbx.Header{Class: classGhost}, Body: ghost.Node},
		"replay": roomtest.NodeFile(classReplay, &game.Chunk03093014{Ghosts: []gbx.Ref{ghost}}),
		"clip":   {Header: gbx.Header{Class: 0x03079000}, Body: clip},
		"map":    roomtest.NodeFile(0x03043000, &game.Chunk03043049{ClipIntro: gbx.NewRef(clip)}),
	} {
		list := GhostsOf(f)
		if len(list) != 1 || list[0].Time() != 1234 {
			t.Errorf("%s: %d ghosts", what, len(list))
		}
	}
	if list := GhostsOf(roomtest.NodeFile(0x0310D000)); list != nil {
		t.Errorf("a macroblock has %d ghosts", len(list))
	}
}

// Facts that a replay stores in another chunk, or lacks.
func TestReplaySays(t *testing.T) {
	saved := &Replay{roomtest.NodeFile(classReplay)}
	saved.File.Header.Chunks = []gbx.HeaderChunk{{Body: &game.Header03093002{AuthorLogin: "ada", AuthorNick: "Ada"}}}
	if p := saved.Player(); p.Login != "ada" || p.Nick != "Ada" {
		t.Errorf(`p = %+v; want p.Login = "ada", p.Nick = "Ada"`, p)
	}
	timed := &Replay{roomtest.NodeFile(classReplay)}
	timed.File.Header.Chunks = []gbx.HeaderChunk{{Body: &game.Header03093001{XML: `<header type="replay" exever="2.11.26"><times best="0"/></header>`}}}
	if timed.Time() != gbx.NoTime || saved.Time() != gbx.NoTime || saved.MapFile() != nil || saved.Ghosts() != nil {
		t.Error("an empty replay has a time, map or ghosts, want none")
	}
	if o := nadeo.OriginOf(&timed.File.Header); o.Version != "2.11.26" {
		t.Errorf(`o = %+v; want o.Version = "2.11.26"`, o)
	}
	if got := ghostWith(&game.Chunk0309200A{StuntScore: 42}).StuntScore(); got != 42 {
		t.Errorf("%d points", got)
	}
	for id, want := range map[gbx.ID]any{gbx.NoID: nil, gbx.NewID("Stadium"): "Stadium"} {
		if got := nadeo.IDValue(id); got != want {
			t.Errorf("%v is %v", id, got)
		}
	}
	record := items.FactsOf(roomtest.NodeFile(0x2E002000, &gamedata.Chunk2E001002{Model: gbx.Ident{ID: gbx.NewID("n"), Collection: gbx.NewID("Stadium"), Author: gbx.NewID("ada")}}, &gamedata.Chunk2E002015{ItemType: gamedata.CGameItemModelItemTypePickUp}))
	for name, want := range map[string]any{"name": "n", "collection": "Stadium", "author_login": "ada", "item_type": gamedata.CGameItemModelItemTypePickUp.String()} {
		if v, _ := record.Get(name); v.Value != want {
			t.Errorf("%s is %v", name, v.Value)
		}
	}
}
