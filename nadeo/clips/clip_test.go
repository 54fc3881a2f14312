package clips_test

import (
	"fmt"
	"testing"

	"pakbox/gbx/classid"
	media "pakbox/nadeo/clips"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/roomtest"
	"pakbox/nadeo/runs"
)

// checkClip compares a clip with what the other implementation read of it.
func checkClip(check func(what string, got, want any), c *media.Clip, o map[string]any) {
	tracks := c.Tracks()
	blocks, byClass := 0, map[string]any{}
	for _, t := range tracks {
		blocks += len(t.Blocks)
		for i := range t.Blocks {
			class, _ := classid.Lookup(t.Blocks[i].Node.Class)
			n, _ := byClass[class.Name].(float64)
			byClass[class.Name] = n + 1
		}
	}
	check("name", c.Name(), o["name"])
	check("tracks", len(tracks), o["tracks"])
	check("blocks", blocks, o["blocks"])
	check("kinds", byClass, o["by_class"])
	check("ghosts", len(runs.GhostsOfClip(c)), o["ghosts"])
	if names, ok := o["track_names"].([]any); ok && len(names) == len(tracks) {
		for i, t := range tracks {
			check(fmt.Sprint("name of track ", i), t.Name, names[i])
		}
	}
}

func TestClipsAgainstOracle(t *testing.T) {
	compared, clips := 0, 0
	roomtest.Each(t, []string{"03079000"}, func(c roomtest.File) {
		o, _ := c.Oracle["clip"].(map[string]any)
		clip, err := media.ClipOf(c.File)
		if err != nil || o == nil {
			t.Fatalf("%s: err = %v; want no error, o other than nil", c.Path, err)
		}
		clips++
		checkClip(func(what string, got, want any) { roomtest.Same(t, c.Path, what, got, want, &compared) }, clip, o)
		if l := clip.Length(); l <= 0 || l > 3600 {
			t.Errorf("%s: %g seconds", c.Path, l)
		}
	})
	if clips == 0 || compared < 10 {
		t.Errorf("%d values of %d clips compared", compared, clips)
	}
}

// The clips of maps: intros one by one, those with triggers by their sums.
func TestMapClipsAgainstOracle(t *testing.T) {
	compared := 0
	timeless := map[string]int{}
	roomtest.Each(t, roomtest.MapFolders, func(c roomtest.File) {
		o, _ := c.Oracle["map"].(map[string]any)
		clips, _ := o["clips"].(map[string]any)
		if clips == nil || c.Oracle["ok"] != true {
			return
		}
		m, _ := maps.Of(c.File)
		check := func(what string, got, want any) { roomtest.Same(t, c.Path, what, got, want, &compared) }
		for key, use := range map[string]string{"intro": "intro", "podium": "podium", "ambiance": "ambiance", "global": "global", "ingame": "in game", "endrace": "end of race"} {
			var mine []maps.Clip
			for _, k := range m.Clips() {
				if k.Use == use {
					mine = append(mine, k)
				}
			}
			want, _ := clips[key].(map[string]any)
			switch {
			case want == nil:
				check(use, len(mine), 0)
			case want["clips"] == nil:
				check(use, len(mine), 1)
				checkClip(func(what string, got, want any) { check(use+": "+what, got, want) }, &mine[0].Clip, want)
			default:
				checkGroup(check, mine, want)
			}
			for i := range mine {
				for _, track := range mine[i].Tracks() {
					for _, b := range track.Blocks {
						if b.Start > b.End || b.End > 1e7 {
							t.Errorf("%s: %s from %g to %g", c.Path, b.Kind, b.Start, b.End)
						}
						if b.End == 0 {
							timeless[b.Kind]++
						}
					}
				}
			}
		}
	})
	if compared < 500 {
		t.Errorf("only %d values compared", compared)
	}
	if len(timeless) > 0 {
		t.Logf("blocks that end at 0: %v", timeless)
	}
}

func checkGroup(check func(what string, got, want any), mine []maps.Clip, want map[string]any) {
	tracks, blocks, coords := 0, 0, 0
	var names []any
	for i := range mine {
		names = append(names, mine[i].Name())
		for _, t := range mine[i].Tracks() {
			tracks++
			blocks += len(t.Blocks)
		}
		if mine[i].Trigger != nil {
			coords += len(mine[i].Trigger.Coords)
		}
	}
	check("clips of the group", len(mine), want["clips"])
	check("their tracks", tracks, want["tracks"])
	check("their blocks", blocks, want["blocks"])
	check("places of triggers", coords, want["trigger_coords"])
	check("their names", names, want["names"])
}
