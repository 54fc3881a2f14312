package maps_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
)

// parsed returns the map in some bytes, false if it is not one that can be changed.
func parsed(t *testing.T, data []byte) (*maps.Map, []byte, bool) {
	t.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil, nil, false
	}
	m, err := maps.Of(f)
	if err != nil {
		return nil, nil, false
	}
	before, err := f.Encode()
	return m, before, err == nil
}

// settableText is the value of a fact in the form that Set takes.
func settableText(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "", false
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v], true
	}
	return fmt.Sprint(v), true
}

// Setting a fact to the value that it has must keep every byte of every map.
func TestSetOwnValue(t *testing.T) {
	n := 0
	for path, data := range corpus.GBX(t) {
		m, before, ok := parsed(t, data)
		if !ok {
			continue
		}
		for _, v := range maps.Facts.Of(m) {
			text, has := settableText(v.Value)
			if !has || !v.Settable || maps.Facts.Conflict(m, v.Name) != "" {
				continue
			}
			if err := maps.Facts.Set(m, v.Name, text); err != nil {
				t.Errorf("%s: %s=%s: %v", path, v.Name, text, err)
				continue
			}
			after, err := m.File.Encode()
			if err != nil || !bytes.Equal(before, after) {
				t.Errorf("%s: %s=%s changed the file (%v)", path, v.Name, text, err)
				break
			}
			n++
		}
	}
	t.Logf("%d facts", n)
}

// other returns another value for a fact.
func other(m *maps.Map, name string) string {
	switch name {
	case "mood":
		for _, mood := range []string{"Sunset", "Day"} {
			if mood != m.Mood() {
				return mood
			}
		}
	case "uid":
		return maps.NewUID()
	case "title_id":
		return "Some_Title@player"
	case "map_type":
		return `Folder\Type`
	case "mode":
		return "Puzzle"
	case "kind":
		return "Campaign"
	case "mod", "music":
		return `Skins\Any\Ünï & Co.zip`
	case "mod_url", "music_url":
		return "https://example.org/a.zip?x=1&y=2"
	case "vehicle":
		if m.Vehicle() == "CarSnow" || m.Vehicle() == "StadiumCar" {
			return ""
		}
		if strings.HasPrefix(string(m.Generation()), "Trackmania (") {
			return "CarSnow"
		}
		return "StadiumCar"
	case "is_lap_race", "simple_editor", "gamepad_editor", "ghost_blocks":
		f, _ := maps.Facts.Of(m).Get(name)
		if f.Value == true {
			return "no"
		}
		return "yes"
	case "medals.author", "medals.gold", "medals.silver", "medals.bronze", "author_score", "cost", "physics", "laps":
		return "123456"
	}
	return "$f00Ünï <&> \"text\""
}

// A new value must be in all places, and survive saving. Other values stay.
func TestSetNewValue(t *testing.T) {
	set, seen := map[string]int{}, map[string]int{}
	for path, data := range corpus.GBX(t) {
		m, _, ok := parsed(t, data)
		if !ok {
			continue
		}
		sort := fmt.Sprint(m.Generation(), m.Collection(), m.Title())
		if seen[sort]++; seen[sort] > 2 {
			continue
		}
		for _, name := range maps.Facts.Settable() {
			m, _, _ := parsed(t, data)
			if name == "decoration" || len(maps.Contradictions(m.File)) > 0 {
				continue
			}
			value := other(m, name)
			err := maps.Facts.Set(m, name, value)
			if err != nil {
				continue // this game does not store it, or knows no such value
			}
			saved, err := m.File.Encode()
			if err != nil {
				t.Fatal(path, name, err)
			}
			again, _, ok := parsed(t, saved)
			if !ok {
				t.Fatalf("%s: with %s=%s the map cannot be read", path, name, value)
			}
			got, _ := maps.Facts.Of(again).Get(name)
			if text, _ := settableText(got.Value); strings.TrimPrefix(text, "\ufeff") != value {
				t.Errorf("%s: %s=%s reads as %q", path, name, value, text)
			}
			if list := maps.Contradictions(again.File); len(list) > 0 {
				t.Errorf("%s: after %s=%s %s", path, name, value, list[0])
			}
			set[name]++
		}
	}
	for _, name := range maps.Facts.Settable() {
		if set[name] == 0 && name != "decoration" {
			t.Errorf("%s was set on no map", name)
		}
	}
	t.Log(set)
}
