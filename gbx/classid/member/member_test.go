package member_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx/classid"
	"pakbox/gbx/classid/member"
)

// The embedded table is the one that people read: as many classes, members and
// enumerations, and the ones that are looked up have the values of its lines.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("members.txt")
	if err != nil {
		t.Fatal(err)
	}
	var classes, members, enums int
	for line := range strings.Lines(string(text)) {
		switch line[0] {
		case '#':
		case ' ':
			members++
		case '=':
			enums++
		default:
			classes++
		}
	}
	if classes < 1465 || members != 16322 || enums != 346 {
		t.Errorf("%d classes, %d members, %d enumerations in members.txt", classes, members, enums)
	}
	for _, c := range classid.All() {
		if c.ID.Latest() != c.ID {
			continue
		}
		if n := len(member.Of(c.ID)) + len(member.Enums(c.ID)); n > 0 {
			classes--
		}
		members -= len(member.Of(c.ID))
		enums -= len(member.Enums(c.ID))
		for _, m := range member.Of(c.ID) {
			if m.Class != c.ID || m.Name == "" || m.Type == "" || m.Index < -1 {
				t.Errorf(`%s: m = %+v; want m.Class = %v, m.Name not empty, m.Type not empty, m.Index at least -1`, c.Name, m, c.ID)
			}
		}
	}
	if classes != 0 || members != 0 || enums != 0 {
		t.Errorf("%d classes, %d members, %d enumerations are in the text and not in the program", classes, members, enums)
	}
}

// A member that only ManiaPlanet has is found, and has no number.
func TestManiaPlanetMember(t *testing.T) {
	p, err := member.Resolve("CFuncClouds.SolidFids")
	if err != nil || p.Last().Index != -1 || p.Last().Elem() != "CPlugSolid" {
		t.Errorf(`p = %+v, err = %v; want no error, p.Last().Index = -1, p.Last().Elem() = "CPlugSolid"`, p, err)
	}
}

func TestMembers(t *testing.T) {
	label, _ := classid.ByName("CControlLabel")
	own := member.Of(label.ID)
	if len(own) != 6 || own[4] != (member.Member{Class: 0x07006000, Index: 4, Name: "ImageAlpha", Type: "float 0..1"}) {
		t.Errorf("members of CControlLabel: %+v", own)
	}
	all := member.All(label.ID)
	if last := all[len(all)-1]; last != (member.Member{Class: 0x01001000, Index: 1, Name: "Id", Type: "MwId", Const: true}) || !slices.Equal(all[:6], own) {
		t.Errorf("%d members, the last %+v", len(all), last)
	}
	// A number that does not follow the one before.
	for _, m := range member.Of(0x13001000) {
		if m.Name == "IsPadModuleExclusive" && m.Index != 25 {
			t.Errorf(`m = %+v; want m.Name other than "IsPadModuleExclusive" or m.Index = 25`, m)
		}
	}
	player, err := member.Resolve("CGameNetPlayerInfo.PlayerType")
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := player.Last().Enum(); !ok || e.Name != "EPlayerType" || !slices.Equal(e.Values, []string{"Human", "Fake", "Net", "Replay"}) {
		t.Errorf("enumeration of PlayerType: %+v", e)
	}
}

func TestResolve(t *testing.T) {
	for path, want := range map[string]struct {
		full  string
		class classid.ID
		index int
		typ   string
	}{
		"Challenge.MapInfo.Name":                          {"CGameCtnReplayRecord.Challenge.MapInfo.Name", 0x03037000, 0, "wstring"},
		"CGameCtnApp.RootMap.MapInfo.Name":                {"CGameCtnApp.RootMap.MapInfo.Name", 0x03037000, 0, "wstring"},
		"cgamectnapp.rootmap.mapinfo":                     {"CGameCtnApp.RootMap.MapInfo", 0x03043000, 1, "CGameCtnChallengeInfo@"},
		"CControlLabel.IdName":                            {"CControlLabel.IdName", 0x01001000, 0, "string"}, // inherited
		"CGameCtnApp.OfficialCampaigns[2].MapGroups":      {"CGameCtnApp.OfficialCampaigns[2].MapGroups", 0x03090000, -1, ""},
		"CGameCtnApp.OfficialCampaigns":                   {"CGameCtnApp.OfficialCampaigns", 0x030d3000, 21, "MwFastBuffer<CGameCtnCampaign@>"},
		"CGameApp.ShowMenu":                               {"CGameApp.ShowMenu", 0x03005000, 8, "void (CGameMenu@ Menu)"},
		"24003000 is not a name, so this one has a class": {},
	} {
		p, err := member.Resolve(path)
		if want.full == "" {
			if err == nil {
				t.Errorf("%s: p = %v; want an error", path, p)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		m := p.Last()
		if p.String() != want.full || m.Class != want.class || want.index >= 0 && (m.Index != want.index || m.Type != want.typ) {
			t.Errorf("%s: %s is %+v", path, p, m)
		}
	}
}

// The error for each mistake suggests a similar name.
func TestResolveErrors(t *testing.T) {
	for path, want := range map[string]struct{ why, near string }{
		"CGameCtnApp.RotMap.MapInfo":                {"CGameCtnApp has no member RotMap", "RootMap"},
		"CGameCtnApp.RootMap.Info":                  {"CGameCtnChallenge has no member Info", "MapInfo"},
		"CGameCtnApp.OfficialCampaigns.Name":        {"OfficialCampaigns is a list, MwFastBuffer<CGameCtnCampaign@>; choose an element, OfficialCampaigns[0]", ""},
		"CGameCtnApp.RootMap[1].MapInfo":            {"RootMap is CGameCtnChallenge@, which has no elements", ""},
		"CGameCtnApp.Money.Length":                  {"Money is wstring, which has no members", ""},
		"CGameApp.Start.Result":                     {"Start is a method, void (); a path ends there", ""},
		"CGameCtnApp":                               {"a class alone is not a path; name one of its members", ""},
		"CGameCtnApp..RootMap":                      {"a name is missing; names are separated by single dots", ""},
		"":                                          {"a name is missing; names are separated by single dots", ""},
		"CGameCtnApp.OfficialCampaigns[x]":          {`"OfficialCampaigns[x]" is not written as an element is, Name[0]`, ""},
		"CGameCtnApp.OfficialCampaigns[99999999999": {`"OfficialCampaigns[99999999999" is not written as an element is, Name[0]`, ""},
		"Challenge":                                 {"4 classes have such a member, and they do not lead to the same; begin with the class", "CGameCtnReplayRecord.Challenge"},
		"Challenge.MapInfo.Nam":                     {"CGameCtnChallengeInfo has no member Nam", "Name"},
		"Chalenge.MapInfo":                          {"no class and no member is called Chalenge", "Challenge"},
		"CGameCtnChalenge.MapInfo":                  {"no class and no member is called CGameCtnChalenge", "CGameCtnChallenge"},
	} {
		p, err := member.Resolve(path)
		var e *member.PathError
		if !errors.As(err, &e) || e.Why != want.why || e.Path != path || want.near != "" && !slices.Contains(e.Near, want.near) {
			t.Errorf("%s: %v, %+v, want %+v", path, p, err, want)
		}
	}
}

// FuzzResolve: what resolves has a full path, which resolves to the same.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"Challenge.MapInfo.Name", "CGameCtnApp.OfficialCampaigns[2].MapGroups[0]", "a.b", "[", "CMwNod.[0]", ".", "Id[00]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if len(path) > 200 {
			return
		}
		p, err := member.Resolve(path)
		if err != nil {
			var e *member.PathError
			if !errors.As(err, &e) || e.Why == "" || len(e.Near) > 5 {
				t.Fatalf(`%q: err = %v; want err of the type of e, e.Why not empty, len(e.Near) at most 5`, path, err)
			}
			return
		}
		again, err := member.Resolve(p.String())
		if err != nil || again.Last() != p.Last() || again.Start != p.Start {
			t.Fatalf("%q is %s, which is %v, %v", path, p, again, err)
		}
	})
}
