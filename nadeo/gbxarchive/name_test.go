package gbxarchive

import (
	"fmt"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/campaigns"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/roomtest"
	"pakbox/nadeo/runs"
)

// Each game keeps a thing in a chunk of its own. It is found in every one of
// them, and where it is in none, nothing is.
func TestEveryChunkThatSaysSo(t *testing.T) {
	named := func(s string) gbx.Ident { return gbx.Ident{ID: gbx.NewID(s), Collection: gbx.NoID, Author: gbx.NoID} }
	ghost := func(b ...gbx.Body) *runs.Ghost { return &runs.Ghost{Node: roomtest.Node(0x03092000, b...)} }
	clip := func(b ...gbx.Body) *clips.Clip { return &clips.Clip{Node: roomtest.Node(0x03079000, b...)} }
	track := []gbx.Ref{gbx.NewRef(roomtest.Node(0x03078000, &game.Chunk03078001{Name: "t"}))}
	tracks := func(b gbx.Body) string {
		var names []string
		for _, t := range clip(b).Tracks() {
			names = append(names, t.Name)
		}
		return strings.Join(names, " ")
	}
	campaign := func(b ...gbx.Body) string {
		c, err := campaigns.Of(roomtest.NodeFile(0x03090000, b...))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(c.Name, c.Groups)
	}
	group := func(b gbx.Body) gbx.Body {
		return &game.Chunk03090000{ChallengeGroups: []gbx.Ref{{}, gbx.NewRef(roomtest.Node(0x0308F000, &game.Chunk0308F002{Name: "g"}, b))}}
	}
	infos := []game.CGameCtnChallengeGroupMapInfo{{Map: named("m"), FilePath: "p"}}
	name := func(b gbx.Body) string {
		s, ok := NameOf(roomtest.NodeFile(0x2E008000, b))
		return fmt.Sprint(s, " ", ok)
	}
	madeMap := func(b ...gbx.Body) *maps.Map { return &maps.Map{File: roomtest.NodeFile(0x03043000, b...)} }
	for _, c := range []struct{ what, got, want string }{
		{"car", ghost(&game.Chunk03092000{PlayerModel: named("a")}).Car().ID.String(), "a"},
		{"car", ghost(&game.Chunk03092018{PlayerModel: named("a")}).Car().ID.String(), "a"},
		{"car", ghost(&game.Chunk0309200D{PlayerModel: named("a")}).Car().ID.String(), "a"},
		{"car", ghost(&game.Chunk03092006{PlayerModel: named("a")}).Car().ID.String(), "a"},
		{"car", ghost(&game.Chunk03092003{PlayerModel: named("a")}).Car().ID.String(), "a"},
		{"car", ghost().Car().ID.String(), ""},
		{"nickname", ghost(&game.Chunk0309200D{GhostNickname: "n"}).Player().Nick, "n"},
		{"nickname", ghost(&game.Chunk03092006{GhostNickname: "n"}).Player().Nick, "n"},
		{"nickname", ghost(&game.Chunk03092003{GhostNickname: "n"}).Player().Nick, "n"},
		{"checkpoints", fmt.Sprint(ghost(&game.Chunk0309202B{WaypointTimes: []game.CGameCtnGhostWaypointTime{{Time: 7}, {Time: 9}}}).Checkpoints()), "[0:00.007 0:00.009]"},
		{"clip", clip(&game.Chunk0307900D{Name: "c"}).Name(), "c"},
		{"clip", clip(&game.Chunk03079005{Name: "c"}).Name(), "c"},
		{"clip", clip(&game.Chunk03079003{Name: "c"}).Name(), "c"},
		{"clip", clip(&game.Chunk03079002{Name: "c"}).Name(), "c"},
		{"clip", clip(&game.Chunk03079001{Name: "c"}).Name(), "c"},
		{"tracks", tracks(&game.Chunk0307900D{Tracks: track}), "t"},
		{"tracks", tracks(&game.Chunk03079003{Tracks: track}), "t"},
		{"tracks", tracks(&game.Chunk03079002{Tracks: track}), "t"},
		{"tracks", tracks(&game.Chunk03079001{Tracks: track}), "t"},
		{"tracks", tracks(&game.Chunk03079000{Tracks: track}), "t"},
		{"campaign", campaign(&game.Chunk0309000F{Name: "n"}), "n[]"},
		{"campaign", campaign(&game.Chunk03090004{Name: "n"}), "n[]"},
		{"campaign", campaign(&game.Chunk03090003{Name: "n"}), "n[]"},
		{"maps", campaign(group(&game.Chunk0308F00B{MapInfos: infos})), "[{g [{{m  } p}]}]"},
		{"maps", campaign(group(&game.Chunk0308F00A{MapInfos: infos})), "[{g [{{m  } p}]}]"},
		{"maps", campaign(group(&game.Chunk0308F006{MapInfos: infos})), "[{g [{{m  } p}]}]"},
		{"decoration", madeMap(&game.Chunk03043013{Decoration: named("d")}).Decoration().ID.String(), "d"},
		{"decoration", madeMap(&game.Chunk0304300F{Decoration: named("d")}).Decoration().ID.String(), "d"},
		{"size", fmt.Sprint(madeMap(&game.Chunk03043013{Size: gbx.Int3{X: 1, Y: 2, Z: 3}}).Size()), "{1 2 3}"},
		{"size", fmt.Sprint(madeMap(&game.Chunk0304300F{Size: gbx.Int3{X: 1, Y: 2, Z: 3}}).Size()), "{1 2 3}"},
		{"comments", madeMap(&game.Chunk0304302D{Comments: "c"}).Comments(), "c"},
		{"name", name(&gamedata.Chunk2E008000{Name: "n"}), "n true"},
		{"name", name(&gamedata.Chunk2E015000{Name: "n", NameID: gbx.NewID("i")}), "n true"},
		{"name", name(&gamedata.Chunk2E015000{NameID: gbx.NewID("i")}), "i true"},
		{"name", name(&plug.Chunk090FD000{MaterialName: gbx.NewID("m")}), "m true"},
		{"name", name(&game.Chunk0304302D{}), " false"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
}
