package maps

import (
	"fmt"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	media "pakbox/nadeo/clips"
	"pakbox/nadeo/nadeotest/roomtest"
)

// The skin of a block, in the chunks of two games.
func TestSkinOf(t *testing.T) {
	skin := func(b gbx.Body) string { return skinOf(gbx.NewRef(roomtest.Node(classSkin, b))) }
	file := gbx.FileRef{Path: "s"}
	if a, b, none := skin(&game.Chunk03059002{PackDesc: file}), skin(&game.Chunk03059001{PackDesc: file}), skinOf(gbx.Ref{}); a != "s" || b != "s" || none != "" {
		t.Errorf("skins %q, %q, %q", a, b, none)
	}
}

// The clips of a map, with where they are triggered, from every form of the
// list. The first game stored one cell for each.
func TestClipsOfEveryForm(t *testing.T) {
	one := func(name string) gbx.Ref {
		return gbx.NewRef(roomtest.Node(media.ClassClip, &game.Chunk03079001{Name: name}))
	}
	clips := []gbx.Ref{one("x"), {}, one("z")}
	at := []game.CGameCtnMediaClipGroupTrigger{
		{Coord: gbx.Int3{X: 7}, Coords: []gbx.Int3{{X: 1}, {Y: 2}}, Condition: 3, ConditionValue: 0.5}, {}, {Coord: gbx.Int3{Z: 9}, Coords: []gbx.Int3{{Z: 3}}},
	}
	group := func(b gbx.Body) gbx.Ref { return gbx.NewRef(roomtest.Node(0x0307A000, b)) }
	const later = "x at [{1 0 0} {0 2 0}] if 3 0.5, z at [{0 0 3}] if 0 0"
	for _, c := range []struct {
		list gbx.Body
		want string
	}{
		{&game.Chunk0307A003{Clips: clips, Triggers: at}, later},
		{&game.Chunk0307A002{Clips: clips, Triggers: at}, later},
		{&game.Chunk0307A001{Clips: clips, Triggers: at}, later},
		{&game.Chunk0307A000{Clips: clips, Triggers: at}, "x at [{7 0 0}] if 3 0.5, z at [{0 0 9}] if 0 0"},
		{&game.Chunk0307A003{Clips: clips, Triggers: at[:2]}, "x at [{1 0 0} {0 2 0}] if 3 0.5, z"},
	} {
		for _, m := range []*Map{
			madeMap(&game.Chunk03043020{ClipIntro: one("i"), ClipGroupInGame: group(c.list), ClipGroupEndRace: group(&game.Chunk0307A003{Clips: clips[:1]})}),
			madeMap(&game.Chunk03043021{ClipIntro: one("i"), ClipGroupInGame: group(c.list), ClipGroupEndRace: group(&game.Chunk0307A003{Clips: clips[:1]})}),
			madeMap(&game.Chunk03043049{ClipIntro: one("i"), ClipGroupInGame: group(c.list), ClipGroupEndRace: group(&game.Chunk0307A003{Clips: clips[:1]})}),
		} {
			byUse := map[string][]string{}
			for _, clip := range m.Clips() {
				s := clip.Name()
				if at := clip.Trigger; at != nil {
					s += fmt.Sprintf(" at %v if %d %g", at.Coords, at.Condition, at.ConditionValue)
				}
				byUse[clip.Use] = append(byUse[clip.Use], s)
			}
			if got := strings.Join(byUse[ClipInGame], ", "); got != c.want || fmt.Sprint(byUse[ClipIntro], byUse[ClipEndRace]) != "[i] [x]" {
				t.Errorf("%T: %s, want %s; %v", c.list, got, c.want, byUse)
			}
		}
	}
	if at[0].Coords[0] != (gbx.Int3{X: 1}) {
		t.Error("the file's own list was changed")
	}
}

// TMUnlimiter keeps all blocks of a map itself. Triggers and embedded blocks without
// a name do not count as blocks.
func TestUnlimiterBlocks(t *testing.T) {
	u := game.CGameCtnChallengeUnlimiter{
		OldBlocks: []game.CGameCtnChallengeUnlimiterOldBlock{{Name: gbx.NewID("Old"), Direction: 2, Flags: 5, Coord: gbx.Byte3{X: 1, Y: 2, Z: 3}}},
		Blocks: []game.CGameCtnChallengeUnlimiterBlock{
			{Kind: unlimiterGame, Name: gbx.NewID("Own"), Direction: 1, Flags: 7, Coord: gbx.Int3{X: -4, Y: 5, Z: 6}}, {Kind: 1, Name: gbx.NewID("Trigger")},
			{Kind: unlimiterExternal, Name: gbx.NewID("Other")}, {Kind: 3, Name: gbx.NewID("Nameless")},
		},
	}
	for _, chunk := range []gbx.Body{&game.Chunk3F001002{Unlimiter: u}, &game.Chunk3F001003{Unlimiter: u}} {
		m := madeMap(&game.Chunk0304301F{}, chunk)
		var got []string
		for b := range m.EachBlock() {
			got = append(got, fmt.Sprint(b.Name, b.Direction, b.Flags, b.Coord, b.Color))
		}
		if s := strings.Join(got, ", "); s != "Old2 5 {1 2 3} -1, Own1 7 {-4 5 6} -1, Other0 0 {0 0 0} -1" {
			t.Errorf(`%T: s = %s; want "Old2 5 {1 2 3} -1, Own1 7 {-4 5 6} -1, Other0 0 {0 0 0} -1"`, chunk, s)
		}
		for stop := range 3 {
			n := 0
			for range m.EachBlock() {
				if n == stop {
					break
				}
				n++
			}
			if n != stop {
				t.Errorf("went on to %d, not %d", n, stop)
			}
		}
	}
}
