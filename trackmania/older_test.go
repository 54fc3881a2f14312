package trackmania

import (
	"fmt"

	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
)

// nodeOf is a node of some chunks.
func nodeOf(class classid.ID, bodies ...gbx.Body) *gbx.Node {
	n := &gbx.Node{Class: class}
	for _, b := range bodies {
		n.Chunks = append(n.Chunks, gbx.Chunk{Body: b})
	}
	return n
}

func fileOf(class classid.ID, bodies ...gbx.Body) *gbx.File {
	return &gbx.File{Header: gbx.Header{Class: class}, Body: nodeOf(class, bodies...)}
}

// Each game keeps a thing in a chunk of its own. It is found in every one of
// them, and where it is in none, nothing is.
func TestEveryChunkThatSaysSo(t *testing.T) {
	named := func(s string) gbx.Ident { return gbx.Ident{ID: gbx.NewID(s), Collection: gbx.NoID, Author: gbx.NoID} }
	ghost := func(b ...gbx.Body) *Ghost { return &Ghost{Node: nodeOf(classGhost, b...)} }
	clip := func(b ...gbx.Body) *Clip { return &Clip{nodeOf(classClip, b...)} }
	track := []gbx.Ref{gbx.NewRef(nodeOf(classTrack, &game.Chunk03078001{Name: "t"}))}
	tracks := func(b gbx.Body) string {
		var names []string
		for _, t := range clip(b).Tracks() {
			names = append(names, t.Name)
		}
		return strings.Join(names, " ")
	}
	campaign := func(b ...gbx.Body) string {
		c, err := CampaignOf(fileOf(classCampaign, b...))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(c.Name, c.Groups)
	}
	group := func(b gbx.Body) gbx.Body {
		return &game.Chunk03090000{ChallengeGroups: []gbx.Ref{{}, gbx.NewRef(nodeOf(classGroup, &game.Chunk0308F002{Name: "g"}, b))}}
	}
	maps := []game.CGameCtnChallengeGroupMapInfo{{Map: named("m"), FilePath: "p"}}
	name := func(b gbx.Body) string {
		s, ok := NameOf(fileOf(0x2E008000, b))
		return fmt.Sprint(s, " ", ok)
	}
	skin := func(b gbx.Body) gbx.Ref { return gbx.NewRef(nodeOf(classSkin, b)) }
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
		{"maps", campaign(group(&game.Chunk0308F00B{MapInfos: maps})), "[{g [{{m  } p}]}]"},
		{"maps", campaign(group(&game.Chunk0308F00A{MapInfos: maps})), "[{g [{{m  } p}]}]"},
		{"maps", campaign(group(&game.Chunk0308F006{MapInfos: maps})), "[{g [{{m  } p}]}]"},
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
		{"skin", skinOf(skin(&game.Chunk03059002{PackDesc: gbx.FileRef{Path: "s"}})), "s"},
		{"skin", skinOf(skin(&game.Chunk03059001{PackDesc: gbx.FileRef{Path: "s"}})), "s"},
		{"skin", skinOf(gbx.Ref{}), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
}

// The clips of a map, with where they are triggered, from every form of the
// list. The first game stored one cell for each.
func TestClipsOfEveryForm(t *testing.T) {
	one := func(name string) gbx.Ref { return gbx.NewRef(nodeOf(classClip, &game.Chunk03079001{Name: name})) }
	clips := []gbx.Ref{one("x"), {}, one("z")}
	at := []game.CGameCtnMediaClipGroupTrigger{
		{Coord: gbx.Int3{X: 7}, Coords: []gbx.Int3{{X: 1}, {Y: 2}}, Condition: 3, ConditionValue: 0.5}, {}, {Coord: gbx.Int3{Z: 9}, Coords: []gbx.Int3{{Z: 3}}},
	}
	group := func(b gbx.Body) gbx.Ref { return gbx.NewRef(nodeOf(classClipGroup, b)) }
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

// A replay's own record, beside its ghosts, is read as a ghost's is.
func TestTelemetryOfReplay(t *testing.T) {
	g := hardGhost(t, "33d796707f22bda8.Ghost.Gbx")
	c, _ := gbx.Find[*game.Chunk03092000](g.Node)
	want, err := g.Telemetry()
	if err != nil {
		t.Fatal(err)
	}
	r := &Replay{fileOf(classReplay, &game.Chunk03093024{RecordData: c.RecordData})}
	got, err := r.Telemetry()
	if err != nil || len(got) != len(want) || fmt.Sprint(got[0].Samples[:5]) != fmt.Sprint(want[0].Samples[:5]) || len(got[0].Samples) != len(want[0].Samples) {
		t.Errorf("%d lines, want %d (%v)", len(got), len(want), err)
	}
	for _, bare := range []*Replay{{fileOf(classReplay)}, {fileOf(classReplay, &game.Chunk03093024{})}} {
		if got, err := bare.Telemetry(); got != nil || err != nil {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// The runs of a file are found whatever the file is.
func TestGhostsOfEveryFile(t *testing.T) {
	ghost := gbx.NewRef(nodeOf(classGhost, &game.Chunk03092005{RaceTime: 1234}))
	media := gbx.NewRef(nodeOf(0x030E5000, &game.Chunk030E5001{GhostModel: ghost}))
	clip := nodeOf(classClip, &game.Chunk03079001{Tracks: []gbx.Ref{gbx.NewRef(nodeOf(classTrack, &game.Chunk03078001{Blocks: []gbx.Ref{media, {}}}))}})
	for what, f := range map[string]*gbx.File{
		"ghost":  {Header: gbx.Header{Class: classGhost}, Body: ghost.Node},
		"replay": fileOf(classReplay, &game.Chunk03093014{Ghosts: []gbx.Ref{ghost}}),
		"clip":   {Header: gbx.Header{Class: classClip}, Body: clip},
		"map":    fileOf(classMap, &game.Chunk03043049{ClipIntro: gbx.NewRef(clip)}),
	} {
		list := GhostsOf(f)
		if len(list) != 1 || list[0].Time() != 1234 {
			t.Errorf("%s: %d ghosts", what, len(list))
		}
	}
	if list := GhostsOf(fileOf(classMacroblock)); list != nil {
		t.Errorf("a macroblock has %d ghosts", len(list))
	}
}

// What an item says about itself.
func TestItemModelSays(t *testing.T) {
	node := func(b ...gbx.Body) gbx.Ref { return gbx.NewRef(nodeOf(0x2E007000, b...)) }
	made := &gamedata.Chunk2E002019{
		VisModel: node(
			&gamedata.Chunk2E007001{Mesh: "mesh", SolidRef: "solid", ParticleModelAlive: "alive", SmashParticleRef: "smash", VisEntFx: "fx", SoundRefSpawn: "spawn", SoundRefUnspawn: "unspawn", SoundRefGrab: "grab"},
			&gamedata.Chunk2E007002{SoundRefSpawn: "spawn", SoundRefUnspawn: "unspawn 2", SoundRefGrab: "grab", SoundRefSmashed: "smashed", SoundRefPermanent: "permanent"},
		),
		PhyModel: node(&gamedata.Chunk2E006001{MoveShape: "move", HitShape: "hit", TriggerShape: "trigger", Solid: "solid", ActionModel: "action"}),
	}
	item := func(b ...gbx.Body) *ItemModel { return &ItemModel{Collector{fileOf(classItemModel, b...)}} }
	if got, want := strings.Join(item(made).Files(), ","), "mesh,solid,alive,smash,fx,spawn,unspawn,grab,unspawn 2,smashed,permanent,move,hit,trigger,action"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	if got := item(made).Model(); got != "CGameObjectVisModel" {
		t.Errorf("is made of %s", got)
	}
	bare := item(&gamedata.Chunk2E002019{})
	if bare.Model() != "" || len(bare.Files()) != 0 || item().Model() != "" || item().Files() == nil || len(item().Files()) != 0 || item().Description() != "" {
		t.Error("an item of nothing names files")
	}
	if w := item().Waypoint(); w != gamedata.CGameItemModelWaypointTypeNone {
		t.Errorf("waypoint %v", w)
	}
	const flag = gamedata.CGameItemPlacementParamPlacementFlagsYawOnly
	for bit, want := range map[gamedata.CGameItemPlacementParamPlacementFlags]string{
		0: "false false false false", flag: "true false false false",
		gamedata.CGameItemPlacementParamPlacementFlagsNotOnObject: "false true false false", gamedata.CGameItemPlacementParamPlacementFlagsAutoRotation: "false false true false",
		gamedata.CGameItemPlacementParamPlacementFlagsSwitchPivotManually: "false false false true",
	} {
		params := gbx.NewRef(nodeOf(0x2E020000,
			&gamedata.Chunk2E020000{Flags: bit, GridSnapHStep: 1, GridSnapVStep: 2, GridSnapHOffset: 3, GridSnapVOffset: 4, FlyVStep: 5, FlyVOffset: 6, PivotSnapDistance: 7},
			&gamedata.Chunk2E020001{PivotPositions: []gbx.Vec3{{X: 8}}},
			&gamedata.Chunk2E020004{MagnetLocs: []gamedata.CGameItemPlacementParamMagnetLoc{{Position: gbx.Vec3{Y: 9}}, {Position: gbx.Vec3{Z: 10}}}},
		))
		p, ok := item(&gamedata.Chunk2E00201C{DefaultPlacement: params}).Placement()
		if got := fmt.Sprint(p.YawOnly, p.NotOnObject, p.AutoRotation, p.SwitchPivotManually); got != want || !ok {
			t.Errorf("flags %x: %s, want %s", uint32(bit), got, want)
		}
		p.YawOnly, p.NotOnObject, p.AutoRotation, p.SwitchPivotManually = false, false, false, false
		if got := fmt.Sprint(p); got != "{false false false false {1 2} {3 4} 5 6 7 [{8 0 0}] [{0 9 0} {0 0 10}]}" {
			t.Error(got)
		}
	}
	if _, ok := item(&gamedata.Chunk2E00201C{}).Placement(); ok {
		t.Error("an item without a placement has one")
	}
	if c, ok := CollectorOf(fileOf(classItemModel, &gamedata.Chunk2E00100B{Model: gbx.Ident{ID: gbx.NewID("n"), Author: gbx.NewID("a"), Collection: gbx.NoID}})); !ok || c.Name() != "n" || c.Author() != "a" {
		t.Error("a collector is not known by its ident")
	}
	if _, ok := CollectorOf(fileOf(classMap)); ok {
		t.Error("a map is taken for a collector")
	}
	for icon, want := range map[*gamedata.Header2E001004]bool{{}: false, {Pixels: make([]byte, 1)}: true, {Webp: make([]byte, 1)}: true} {
		f := fileOf(classItemModel)
		f.Header.Chunks = []gbx.HeaderChunk{{Body: icon}}
		if c := (&Collector{f}); c.HasIcon() != want {
			t.Errorf("icon %+v", icon)
		}
	}
}

// TMUnlimiter keeps all blocks of a map itself; triggers and blocks that are
// embedded without a name are none.
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
			t.Errorf("%T: %s", chunk, s)
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

// What a replay says where it says it in another place, or not at all.
func TestReplaySays(t *testing.T) {
	saved := &Replay{fileOf(classReplay)}
	saved.File.Header.Chunks = []gbx.HeaderChunk{{Body: &game.Header03093002{AuthorLogin: "ada", AuthorNick: "Ada"}}}
	if p := saved.Player(); p.Login != "ada" || p.Nick != "Ada" {
		t.Errorf("%+v", p)
	}
	timed := &Replay{fileOf(classReplay)}
	timed.File.Header.Chunks = []gbx.HeaderChunk{{Body: &game.Header03093001{XML: `<header type="replay" exever="2.11.26"><times best="0"/></header>`}}}
	if timed.Time() != gbx.NoTime || saved.Time() != gbx.NoTime || saved.MapFile() != nil || saved.Ghosts() != nil {
		t.Error("a replay of nothing says something")
	}
	if o := OriginOf(&timed.File.Header); o.Version != "2.11.26" {
		t.Errorf("%+v", o)
	}
	if got := ghostWith(&game.Chunk0309200A{StuntScore: 42}).StuntScore(); got != 42 {
		t.Errorf("%d points", got)
	}
	for id, want := range map[gbx.ID]any{gbx.NoID: nil, gbx.NewID("Stadium"): "Stadium"} {
		if got := IDValue(id); got != want {
			t.Errorf("%v is %v", id, got)
		}
	}
	info := (&Collector{fileOf(classItemModel, &gamedata.Chunk2E001002{Model: gbx.Ident{ID: gbx.NewID("n"), Collection: gbx.NewID("Stadium"), Author: gbx.NewID("ada")}}, &gamedata.Chunk2E002015{ItemType: gamedata.CGameItemModelItemTypePickUp})}).Info()
	if info.Name != "n" || info.Collection != "Stadium" || info.AuthorLogin != "ada" || info.ItemType == nil || *info.ItemType != gamedata.CGameItemModelItemTypePickUp.String() {
		t.Errorf("%+v", info)
	}
	if known(gbx.NoTime) != nil || *known(7) != 7 || counted(-1) != nil || *counted(0) != 0 {
		t.Error("what is not known is told")
	}
}
