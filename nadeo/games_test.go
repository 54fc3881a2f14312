package nadeo_test

import (
	"fmt"
	"strings"
	"testing"

	"pakbox/nadeo"
)

// TestGamesByVersion checks which game a version of a program belongs to.
func TestGamesByVersion(t *testing.T) {
	for _, test := range []struct{ version, build, title, want string }{
		{"3.3.0", "2013-12-31", "", "ManiaPlanet 2"}, {"3.3.0", "2014-01-01", "", "ManiaPlanet 3"}, {"3.3.0", "2016-12-31", "", "ManiaPlanet 3"}, {"3.3.0", "2017-01-01", "", "ManiaPlanet 4"},
		{"3.3.0", "2019-11-19_18_50", "TMStadium@nadeo", "ManiaPlanet 4"}, {"3.3.0", "2020-01-01", "", "Trackmania (2020)"}, {"3.3.0", "", "", "Trackmania (2020)"},
		{"3.3.0", "2016-01-01", "TMTurbo@nadeolabs", "TrackMania Turbo"}, {"3.1.0", "", "", "ManiaPlanet"}, {"2.11.26", "", "", "TrackMania Forever"},
		{"0.2.0.0", "", "", "TrackMania United"}, {"0.1.9.6", "", "", "TrackMania United"}, {"0.1.8.7", "", "", "TrackMania United"}, {"0.1.8.0", "", "", "TrackMania Nations ESWC"},
		{"0.1.7.9", "", "", "TrackMania Nations ESWC"}, {"0.1.6.0", "", "", "TrackMania Sunrise eXtreme"}, {"0.1.4.8", "", "", "TrackMania Sunrise or Original"}, {"1.0", "", "", ""}, {"", "", "", ""},
	} {
		if got := (nadeo.Origin{Version: test.version, Build: test.build, Title: test.title}).Game(); got != test.want {
			t.Errorf("%v: got = %q; want %q", test, got, test.want)
		}
	}
}

// TestSpans: a name taken apart at its codes.
func TestSpans(t *testing.T) {
	var got []string
	for _, s := range nadeo.Spans("$f80Red $oBold$o $iit$i $wwide$w$nnarrow$z plain $l[http://x]link$l $$") {
		got = append(got, fmt.Sprintf("%q%s%s", s.Text, s.Color, strings.Trim(strings.ReplaceAll(fmt.Sprint([]bool{s.Bold, s.Italic, s.Wide, s.Narrow}), "false", "-"), "[]")))
	}
	want := `"Red "#ff8800- - - -|"Bold"#ff8800true - - -|" "#ff8800- - - -|"it"#ff8800- true - -|" "#ff8800- - - -|"wide"#ff8800- - true -|"narrow"#ff8800- - - true|" plain "- - - -|"link"- - - -|" $"- - - -`
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("%s, want\n%s", text, want)
	}
	if list := nadeo.Spans(""); list == nil || len(list) != 0 {
		t.Errorf("list = %v; want list other than nil, empty list", list)
	}
}
