package campaigns

import (
	"encoding/xml"
	"strings"
	"testing"

	"pakbox/nadeo"
)

// A playlist is what the server of each game reads: XML with its mode and, in order, the
// maps.
func TestPlaylist(t *testing.T) {
	type played struct {
		File  string `xml:"file"`
		Ident string `xml:"ident"`
	}
	for _, test := range []struct {
		game   nadeo.Generation
		mode   string
		script string
	}{
		{nadeo.Forever, "1", ""},
		{nadeo.ManiaPlanet4, "0", "TimeAttack.Script.txt"},
		{nadeo.Trackmania2020, "0", "Trackmania/TM_TimeAttack_Online.Script.txt"},
	} {
		p := Playlist{Game: test.game, Maps: []PlayedMap{{"A/b & <c>.Map.Gbx", "u\"1"}, {"d.Map.Gbx", "u2"}}}
		var got struct {
			XMLName    xml.Name `xml:"playlist"`
			Mode       string   `xml:"gameinfos>game_mode"`
			Script     string   `xml:"gameinfos>script_name"`
			Limit      string   `xml:"gameinfos>timeattack_limit"`
			Start      string   `xml:"startindex"`
			Maps       []played `xml:"map"`
			Challenges []played `xml:"challenge"`
		}
		text := p.Text()
		if err := xml.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %v\n%s", test.game, err, text)
		}
		list, none := got.Maps, got.Challenges
		if test.game == nadeo.Forever {
			list, none = none, list
		}
		if got.Mode != test.mode || got.Script != test.script || got.Start != "0" || (got.Limit == "300000") != (test.game == nadeo.Forever) {
			t.Errorf(`%s: got = %+v; want got.Mode = %v, got.Script = %v, got.Start = "0", got.Limit is "300000" exactly if test.game is nadeo.Forever`, test.game, got, test.mode, test.script)
		}
		if len(list) != 2 || len(none) != 0 || list[0] != (played{`A\b & <c>.Map.Gbx`, `u"1`}) || list[1] != (played{"d.Map.Gbx", "u2"}) {
			t.Errorf("%s: list = %+v, none = %+v; want list of length 2, empty none, list[0] = played{`A\\b & <c>.Map.Gbx`, `u\"1`}, list[1] = played{\"d.Map.Gbx\", \"u2\"}", test.game, list, none)
		}
		if !strings.HasPrefix(text, "<?xml ") || !strings.HasSuffix(text, "</playlist>\n") {
			t.Errorf("%s: text = %q; want text beginning with \"<?xml \", text ending in \"</playlist>\\n\"", test.game, text)
		}
	}
}
