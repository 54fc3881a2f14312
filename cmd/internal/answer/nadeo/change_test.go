package nadeo

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

func encoded(t *testing.T, m *maps.Map) []byte {
	t.Helper()
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// third has the words of the third file.
func third(word string) (string, bool) { return "3", word == "n" }

func TestRenameMap(t *testing.T) {
	for template, want := range map[string]string{
		"New":            "New",
		"{name} 2":       mapsample.Name + " 2", // with its colour codes
		"{{x}} {author}": "{x}} Ada",
		"{block_count}":  "6",
		"Round {n}":      "Round 3",
	} {
		t.Run(template, func(t *testing.T) {
			m := mapsample.New(t)
			made, err := RenameMap(m, template, third)
			if err != nil {
				t.Fatalf("%s: %v", template, err)
			}
			if m.Name() != want {
				t.Errorf("%s: %q, want %q", template, m.Name(), want)
			}
			text, err := json.Marshal(made)
			if err != nil {
				t.Fatal(err)
			}
			var entry struct {
				Old  string `json:"old_name"`
				Name string `json:"name"`
			}
			if err := json.Unmarshal(text, &entry); err != nil || entry.Old != mapsample.Name || entry.Name != want {
				t.Errorf("%s: text = %s err = %v; want no error, entry.Old = mapsample.Name, entry.Name = %v", template, text, err, want)
			}
		})
	}
	for template, why := range map[string]string{"{colour}": "{colour}", "a\x00b": "control character", "\xff": "UTF-8"} {
		m := mapsample.New(t)
		_, err := RenameMap(m, template, third)
		var usage *fault.Error
		if !errors.As(err, &usage) || usage.Kind != fault.Usage || len(fault.Hints(usage)) != 1 || !strings.Contains(err.Error(), why) || m.Name() != mapsample.Name {
			t.Errorf("%q: %v, and the name is %q", template, err, m.Name())
		}
	}
}

func TestSetMedals(t *testing.T) {
	for _, c := range []struct {
		texts [4]string
		want  maps.Medals
	}{
		{[4]string{}, maps.Medals{Author: 36217, Gold: 43000, Silver: 48000, Bronze: 60000}},
		{[4]string{"0:30.000", "", "", "none"}, maps.Medals{Author: 30000, Gold: 43000, Silver: 48000, Bronze: gbx.NoTime}},
		{[4]string{"", "+6%", "+20%", "+0%"}, maps.Medals{Author: 36217, Gold: 39000, Silver: 44000, Bronze: 37000}},              // whole seconds, rounded up
		{[4]string{"0:10", "+10%", "+10000%", "+50.5%"}, maps.Medals{Author: 10000, Gold: 11000, Silver: 1010000, Bronze: 16000}}, // of the new author time
	} {
		m := mapsample.New(t)
		if err := SetMedals(m, c.texts); err != nil || m.Medals() != c.want {
			t.Errorf("%q: %v %v, want %v", c.texts, m.Medals(), err, c.want)
		}
	}
}

func TestNoMedals(t *testing.T) {
	for _, c := range []struct {
		points bool
		texts  [4]string
		why    string
	}{
		{false, [4]string{"", "+10001%"}, `--gold: "+10001%" is not a part of a time`},
		{false, [4]string{"", "+-1%"}, `--gold: "+-1%" is not a part of a time`},
		{false, [4]string{"", "", "+NaN%"}, `--silver: "+NaN%" is not a part of a time`},
		{false, [4]string{"", "6%"}, `--gold: "6%" is not a part of a time`},
		{false, [4]string{"+6%"}, `--author: "+6%" is not a time`}, // of what?
		{false, [4]string{"none", "+6%"}, "--gold: the map has no author time"},
		{false, [4]string{"1:00", "", "fast"}, `--silver: "fast" is not a time`},
		{false, [4]string{"", "", "", "55"}, "--bronze: 55 is 0:00.055, because"}, // milliseconds are not meant
		{true, [4]string{"1:00"}, `--author: "1:00" is not a number`},
		{true, [4]string{"", "+6%"}, `--gold: "+6%" is not a number`},
	} {
		m := mapsample.New(t)
		if c.points {
			scoreInPoints(t, m)
		}
		before := m.Medals()
		err := SetMedals(m, c.texts)
		if !errors.Is(err, fault.Usage) || !strings.HasPrefix(err.Error(), c.why) {
			t.Errorf("%q: %v, want %s", c.texts, err, c.why)
		}
		if m.Medals() != before {
			t.Errorf("%q: an error, and yet the medals are %v", c.texts, m.Medals())
		}
	}
}

func scoreInPoints(t *testing.T, m *maps.Map) {
	t.Helper()
	const stunts = `TrackMania\TM_Stunt`
	h, _ := gbx.FindHeader[*game.Header03043003](&m.File.Header)
	c, _ := gbx.Find[*game.Chunk03043011](m.File.Body)
	p, ok := gbx.Find[*game.Chunk0305B00E](c.ChallengeParameters.Node)
	if !ok {
		t.Fatal("the sample has no type")
	}
	h.MapType, p.MapType = stunts, stunts
	if m.Scoring().Author != maps.Points {
		t.Fatalf("the sample is of type %s", m.Type())
	}
}

// In a mode with points the medals are numbers, small ones too.
func TestMedalsOfPoints(t *testing.T) {
	m := mapsample.New(t)
	scoreInPoints(t, m)
	err := SetMedals(m, [4]string{"", "55", "0", "none"})
	if got := m.Medals(); err != nil || got.Gold != 55 || got.Silver != 0 || got.Bronze != gbx.NoTime {
		t.Errorf("got = %v err = %v; want no error, got.Gold = 55, got.Silver = 0, got.Bronze = gbx.NoTime", got, err)
	}
}

func TestGBXChanges(t *testing.T) {
	m := mapsample.New(t)
	before := encoded(t, m)
	if changes, err := GBXChanges(before, before); err != nil || len(changes) != 0 {
		t.Errorf("changes = %v err = %v; want no error, empty changes", changes, err)
	}
	if err := m.Rename("New"); err != nil {
		t.Fatal(err)
	}
	changes, err := GBXChanges(before, encoded(t, m))
	if err != nil || len(changes) == 0 {
		t.Fatalf("changes = %v err = %v; want no error, changes not empty", changes, err)
	}
	for _, c := range changes {
		if c.Old == c.New || c.Path == "" {
			t.Errorf(`c = %+v; want c.Old other than %v, c.Path not empty`, c, c.New)
		}
	}
	cut := bytes.Clone(before[:30])
	for _, both := range [][2][]byte{{cut, before}, {before, cut}} {
		if _, err := GBXChanges(both[0], both[1]); err == nil {
			t.Error("a file that is cut off has no error")
		}
		if _, err := LayoutChanges(both[0], both[1]); err == nil {
			t.Error("a file that is cut off has no error")
		}
	}
}
