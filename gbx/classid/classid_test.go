package classid_test

import (
	"reflect"
	"slices"
	"testing"

	"pakbox/gbx/classid"
)

// Numbers of several eras and the latest one of the same class.
func TestLatest(t *testing.T) {
	for old, latest := range map[classid.ID]classid.ID{
		0x24003000: 0x03043000, // CGameCtnChallenge
		0x2400301F: 0x0304301F,
		0x2403F000: 0x03093000, // CGameCtnReplayRecord, twice renumbered
		0x2407E014: 0x03093014,
		0x2401B005: 0x03092005, // CGameCtnGhost
		0x0301A00B: 0x2E00100B, // CGameCtnCollector
		0x2400A00B: 0x2E00100B,
		0x0301C019: 0x2E002019, // CGameItemModel
		0x2403E000: 0x2E002000,
		0x0307B000: 0x03078000, // CGameCtnMediaTrack
		0x24061000: 0x03078000,
		0x24062000: 0x03078000,
		0x2404A000: 0x0308C000,
		0x240B5000: 0x0308C000,
		0x09063000: 0x09026000,
		0x09068000: 0x09026000,
		0x08050000: 0x090E5000,
		0x0A06A000: 0x090E5000,
		0x0900D002: 0x0900F002,
		0x0313C000: 0x11001000,
		0x2E035000: 0x09189000,
		0x240D4000: 0x030F3000,
		// already the latest, and unknown
		0x03043040: 0x03043040,
		0x3F001000: 0x3F001000,
		0xFFFFFFFF: 0xFFFFFFFF,
		// a community patch writes its own chunk under an old number
		0x0304F001: 0x0304F001,
	} {
		if got := old.Latest(); got != latest {
			t.Errorf("%v is %v, want %v", old, got, latest)
		}
	}
}

// The way back: every older number leads to the latest one and is listed
// there, and mapping twice changes nothing.
func TestOlder(t *testing.T) {
	pairs := 0
	for n := range 1 << 20 {
		id := classid.ID(n << 12)
		latest := id.Latest()
		if latest.Latest() != latest {
			t.Errorf("%v leads to %v, which leads on to %v", id, latest, latest.Latest())
		}
		if latest == id {
			continue
		}
		pairs++
		found := false
		for _, o := range latest.Older() {
			found = found || o == id
		}
		if !found {
			t.Errorf("%v leads to %v, which does not list it", id, latest)
		}
	}
	if pairs < 186 {
		t.Errorf("%d older numbers, want at least 186", pairs)
	}
	if o := classid.ID(0x03093000).Older(); len(o) != 2 || o[0] != 0x2403F000 || o[1] != 0x2407E000 {
		t.Errorf("older numbers of CGameCtnReplayRecord: %v", o)
	}
}

func TestParts(t *testing.T) {
	id := classid.ID(0x2E00201F)
	if id.Class() != 0x2E002000 || id.Chunk() != 0x1F || id.Engine() != 0x2E || id.String() != "2E00201F" {
		t.Errorf("%v: class %v, chunk %x, engine %x", id, id.Class(), id.Chunk(), id.Engine())
	}
}

func TestLookup(t *testing.T) {
	for _, id := range []classid.ID{0x03043000, 0x24003000, 0x2400301F} {
		if c, ok := classid.Lookup(id); !ok || c.Name != "CGameCtnChallenge" || c.ID != 0x03043000 {
			t.Errorf(`%v: c = %+v; want ok = true, c.Name = "CGameCtnChallenge", c.ID = 0x03043000`, id, c)
		}
	}
	if c, ok := classid.ByName("cgamectnchallenge"); !ok || c.ID != 0x03043000 {
		t.Errorf("by name: %+v", c)
	}
	for _, none := range []classid.ID{0, 0x01000000, 0x01002000, 0x7F000000, 0xFFFFF000} {
		if c, ok := classid.Lookup(none); ok {
			t.Errorf("Lookup(%v) = %+v, want none", none, c)
		}
	}
	all := classid.All()
	if len(all) < 3442 {
		t.Errorf("%d classes", len(all))
	}
	for i, c := range all {
		if i > 0 && all[i-1].ID >= c.ID {
			t.Errorf("%v after %v", c.ID, all[i-1].ID)
		}
		if got, ok := classid.LookupExact(c.ID); !ok || !reflect.DeepEqual(got, c) {
			t.Errorf("%v is found as %+v, want %+v", c.ID, got, c)
		}
		if got, ok := classid.ByName(c.Name); !ok || c.ID.Latest() == c.ID && got.ID.Latest() != got.ID {
			t.Errorf("%s is %+v", c.Name, got)
		}
	}
}

// A number that is no longer used still has its old name; the class that has it now
// is found by it as before.
func TestGivenUp(t *testing.T) {
	old, ok := classid.LookupExact(0x03004000)
	if !ok || old.Name != "CGameProcess" || old.Parent != "CMwCmdContainer" {
		t.Errorf(`old = %+v; want ok = true, old.Name = "CGameProcess", old.Parent = "CMwCmdContainer"`, old)
	}
	if c, _ := classid.Lookup(0x03004000); c.Name != "CGameActionModel" {
		t.Errorf("03004000 is %+v today", c)
	}
	if c, _ := classid.ByName("CGameCtnCollector"); c.ID != 0x2e001000 {
		t.Errorf("CGameCtnCollector is %v", c.ID)
	}
}

func TestParents(t *testing.T) {
	base, _ := classid.ByName("CControlBase")
	for game, want := range map[classid.Game]string{
		classid.TM2020: "CSceneMobil", classid.ManiaPlanet4: "CSceneToy", classid.ManiaPlanet2: "CSceneToy", classid.Earlier: "",
	} {
		if got, ok := base.ParentIn(game); got != want || ok != (want != "") {
			t.Errorf("%s of CControlBase: %q", game, got)
		}
	}
	if base.Parent != "CSceneMobil" {
		t.Errorf("parent of CControlBase: %s", base.Parent)
	}
	var line []string
	label, _ := classid.ByName("CControlLabel")
	for _, c := range label.Ancestors() {
		line = append(line, c.Name)
	}
	if want := []string{"CControlText", "CControlBase", "CSceneMobil", "CSceneObject", "CMwNod"}; !slices.Equal(line, want) {
		t.Errorf("ancestors of CControlLabel: %v", line)
	}
	known, games := 0, 0
	for _, c := range classid.All() {
		if n := len(c.Ancestors()); n > 12 {
			t.Errorf("%s has %d ancestors", c.Name, n)
		}
		if c.Parent == "" {
			continue
		}
		known++
		for _, g := range classid.Games {
			parent, ok := c.ParentIn(g)
			if !ok {
				continue
			}
			games++
			if _, ok := classid.ByName(parent); !ok {
				t.Errorf("%s: its parent %s in %s is not known", c.Name, parent, g)
			}
		}
	}
	if known < 2498 || games < 4600 {
		t.Errorf("%d classes have parents, in %d games", known, games)
	}
	text, _ := classid.ByName("CControlText")
	found := false
	for _, c := range text.Children() {
		found = found || c.ID == label.ID
	}
	if !found {
		t.Errorf("CControlLabel is not below CControlText: %v", text.Children())
	}
}

// Names that are not quite right lead to those that are.
func TestLike(t *testing.T) {
	for typed, want := range map[string]string{
		"CGameCtnGhosts":   "CGameCtnGhost",
		"cgamectnchalenge": "CGameCtnChallenge",
		"Ghost":            "CQmGhost",
		"CtnReplayRecord":  "CGameCtnReplayRecord",
	} {
		if got := classid.Similar(typed, 3); len(got) == 0 || got[0] != want {
			t.Errorf("%s may be %v, want %s first", typed, got, want)
		}
	}
	if got := classid.Similar("qqqqqqqqqqqqqqqqqqqq", 3); len(got) != 0 {
		t.Errorf("nonsense may be %v", got)
	}
	if c, ok := classid.LookupExact(0x01027000); !ok || c.Parent != "" || c.Extension != "" || !slices.Equal(c.Former, []string{"CMwParamRefBuffer"}) {
		t.Errorf(`c = %+v; want ok = true, c.Parent = "", c.Extension = "", c.Former equal to []string{"CMwParamRefBuffer"}`, c)
	}
	for _, former := range []string{"CMotionParticleType", "CHmsPackLightMapMood", "CMwParamRefBuffer"} {
		if c, ok := classid.ByName(former); !ok || c.Name == former {
			t.Errorf("%s leads to %+v", former, c)
		}
	}
}
