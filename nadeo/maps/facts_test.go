package maps

import (
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/nadeotest/roomtest"
)

// Every place that holds a map's name holds the new one after Rename, and the
// saved file does not contradict itself.
func TestRenameEverywhere(t *testing.T) {
	t.Parallel()
	maps, of12 := 0, 0
	roomtest.Each(t, roomtest.MapFolders, func(c roomtest.File) {
		m, err := Of(c.File)
		if err != nil {
			t.Errorf("%s: %v", c.Path, err)
			return
		}
		maps++
		const name = `A <new> "name" & more`
		if err := m.Rename(name); err != nil {
			t.Error(err)
		}
		m.SetMedals(Medals{1, 2, 3, 4})
		for _, p := range mapName.Places {
			if v, ok := p.Get(m.site()); ok && v != name {
				t.Errorf("%s: %s still has %q", c.Path, p.Name(), v)
			}
		}
		if b, ok := gbx.Find[*game.Chunk03043012](c.File.Body); ok {
			of12++
			if h, ok := gbx.FindHeader[*game.Header03043003](&c.File.Header); !ok || h.MapName != name || b.MapName != name {
				t.Errorf("%s: header %+v, body %q", c.Path, h, b.MapName)
			}
		}
		data, err := c.File.Encode()
		if err != nil {
			t.Errorf("%s: %v", c.Path, err)
			return
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", c.Path, err)
			return
		}
		for _, s := range Contradictions(f) {
			if strings.Contains(s, "name is") && !strings.Contains(s, "nick") || strings.Contains(s, "time") {
				t.Errorf(`%s: s = %s; want (s without "name is" or s with "nick"), s without "time"`, c.Path, s)
			}
		}
	})
	if maps < 200 || of12 < 2 {
		t.Errorf("%d maps, %d with chunk 03043012", maps, of12)
	}
}

// The games write all places of a fact alike: of the maps of the corpus three
// contradict themselves, which other programs have written.
func TestContradictionsOfRealMaps(t *testing.T) {
	t.Parallel()
	var found []string
	roomtest.Each(t, roomtest.MapFolders, func(c roomtest.File) {
		for _, s := range Contradictions(c.File) {
			found = append(found, c.Path[strings.LastIndexByte(c.Path, '/')+1:]+": "+s[:strings.Index(s, " is ")])
		}
	})
	slices.Sort(found)
	want := []string{
		"6ce0bbb91fcd.Map.Gbx: the author's login", "6ce0bbb91fcd.Map.Gbx: the author's nickname", "6ce0bbb91fcd.Map.Gbx: the author's zone",
		"6ce0bbb91fcd.Map.Gbx: the map's UID", "6ce0bbb91fcd.Map.Gbx: the map's name",
		"cfc5cda7a4ca.Map.Gbx: the map's name", "f312f7fc7fb1.Challenge.Gbx: the map's name",
	}
	if !slices.Equal(found, want) {
		t.Errorf("got  %q\nwant %q", found, want)
	}
}
