package trackmania

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"testing"

	"pakbox/gbx/classid"
)

// checkClip compares a clip with what the other implementation read of it.
func checkClip(check func(what string, got, want any), c *Clip, o map[string]any) {
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
	check("ghosts", len(GhostsOfClip(c)), o["ghosts"])
	if names, ok := o["track_names"].([]any); ok && len(names) == len(tracks) {
		for i, t := range tracks {
			check(fmt.Sprint("name of track ", i), t.Name, names[i])
		}
	}
}

func TestClipsAgainstOracle(t *testing.T) {
	compared, clips := 0, 0
	eachFile(t, []string{"03079000"}, func(c corpusFile) {
		o, _ := c.oracle["clip"].(map[string]any)
		clip, err := ClipOf(c.file)
		if err != nil || o == nil {
			t.Fatalf("%s: %v", c.path, err)
		}
		clips++
		checkClip(func(what string, got, want any) { same(t, c.path, what, got, want, &compared) }, clip, o)
		if l := clip.Length(); l <= 0 || l > 3600 {
			t.Errorf("%s: %g seconds", c.path, l)
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
	eachFile(t, mapFolders, func(c corpusFile) {
		o, _ := c.oracle["map"].(map[string]any)
		clips, _ := o["clips"].(map[string]any)
		if clips == nil || c.oracle["ok"] != true {
			return
		}
		m, _ := MapOf(c.file)
		check := func(what string, got, want any) { same(t, c.path, what, got, want, &compared) }
		for key, use := range map[string]string{"intro": "intro", "podium": "podium", "ambiance": "ambiance", "global": "global", "ingame": "in game", "endrace": "end of race"} {
			var mine []MapClip
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
							t.Errorf("%s: %s from %g to %g", c.path, b.Kind, b.Start, b.End)
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

func checkGroup(check func(what string, got, want any), mine []MapClip, want map[string]any) {
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

func TestMacroblocksAgainstOracle(t *testing.T) {
	compared, n := 0, 0
	eachFile(t, []string{"0310d000"}, func(c corpusFile) {
		o, _ := c.oracle["macroblock"].(map[string]any)
		m, err := MacroblockOf(c.file)
		if err != nil || o == nil {
			t.Fatalf("%s: %v", c.path, err)
		}
		n++
		check := func(what string, got, want any) { same(t, c.path, what, got, want, &compared) }
		blocks, items := m.Blocks(), m.Items()
		check("blocks", len(blocks), o["block_spawns"])
		check("items", len(items), o["object_spawns"])
		var names, models []string
		var sum [3]float64
		for _, b := range blocks {
			names = append(names, b.Name)
			if b.Direction < 0 || b.Direction > 3 || b.Name == "" {
				t.Errorf("%s: %+v", c.path, b)
			}
		}
		for _, it := range items {
			models = append(models, it.Model.ID.String())
			for i, v := range []float32{it.Position.X, it.Position.Y, it.Position.Z} {
				sum[i] += float64(v)
			}
		}
		distinct := func(list []string) int { sort.Strings(list); return len(slices.Compact(list)) }
		check("names of blocks", distinct(names), o["block_names"])
		check("models of items", distinct(models), o["object_models"])
		if want, ok := o["object_pos_sum"].([]any); ok {
			for i := range sum {
				if math.Abs(sum[i]-want[i].(float64)) > 0.01 {
					t.Errorf("%s: places sum up to %v, want %v", c.path, sum, want)
				}
				compared++
			}
		}
		collector, _ := c.oracle["collector"].(map[string]any)
		check("name", m.Name(), collector["name"])
		checkIdent(check, m.Ident(), collector)
	})
	if n < 10 || compared < 50 {
		t.Errorf("%d values of %d macroblocks compared", compared, n)
	}
}
