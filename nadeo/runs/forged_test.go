package runs

import (
	"maps"
	"slices"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// forgery makes another run of one that a game recorded; false if it cannot.
type forgery func(g, other *Ghost, lines []Line) ([]Line, bool)

// declare changes the time and the checkpoints that a ghost declares.
func declare(g *Ghost, change func(gbx.Time) gbx.Time) {
	set := func(t *gbx.Time) {
		if *t != gbx.NoTime {
			*t = change(*t)
		}
	}
	if c, ok := gbx.Find[*game.Chunk03092005](g.Node); ok {
		set(&c.RaceTime)
	}
	if c, ok := gbx.Find[*game.Chunk0309202B](g.Node); ok {
		set(&c.RaceTime)
		for i := range c.WaypointTimes {
			set(&c.WaypointTimes[i].Time)
		}
	}
	if c, ok := gbx.Find[*game.Chunk0309200B](g.Node); ok {
		for i := range c.Checkpoints {
			set(&c.Checkpoints[i].Time)
		}
	}
}

// stretched is a run whose samples and declared times take a part of what they took.
func stretched(part float64) forgery {
	return func(g, _ *Ghost, lines []Line) ([]Line, bool) {
		shorter := func(t gbx.Time) gbx.Time { return gbx.Time(float64(t) * part) }
		declare(g, shorter)
		for i := range lines {
			for k := range lines[i].Samples {
				lines[i].Samples[k].Time = shorter(lines[i].Samples[k].Time)
			}
			lines[i].Period = usualStep(lines[i].Samples)
		}
		return lines, true
	}
}

var forgeries = map[string]forgery{
	"inputs of another run": func(g, other *Ghost, lines []Line) ([]Line, bool) {
		inputs, _ := other.Inputs()
		own, _ := g.Inputs()
		list, _ := steering(inputs)
		before, _ := steering(own)
		if len(list) < fewSteers || len(before) < fewSteers || len(g.ticks()) == 0 != (len(other.ticks()) == 0) {
			return nil, false
		}
		g.inputs.value = inputs
		return lines, true
	},
	"two seconds cut out": func(g, _ *Ghost, lines []Line) ([]Line, bool) {
		const gone gbx.Time = 2000
		from := g.Time() / 2
		after := func(t gbx.Time) gbx.Time {
			if t >= from+gone {
				return t - gone
			}
			return t
		}
		declare(g, after)
		for i := range lines {
			lines[i].Samples = slices.DeleteFunc(lines[i].Samples, func(s Sample) bool { return s.Time >= from && s.Time < from+gone })
			for k := range lines[i].Samples {
				lines[i].Samples[k].Time = after(lines[i].Samples[k].Time)
			}
		}
		return lines, from > 2*gone && len(lines[0].Samples) > 0
	},
	"10 % faster": stretched(0.9),
	"3 % faster":  stretched(0.97),
	"0.1 s less declared": func(g, _ *Ghost, lines []Line) ([]Line, bool) {
		end := g.Time()
		declare(g, func(t gbx.Time) gbx.Time {
			if t == end {
				return t - 100
			}
			return t
		})
		return lines, true
	},
}

// Runs that were taken apart and put together wrongly are found. Each is made of a
// run that no test suspects.
func TestForgedRuns(t *testing.T) {
	t.Parallel()
	type found struct {
		made, suspect int
		by            map[string]int
	}
	for name, forge := range forgeries {
		results := map[string]*found{}
		others := map[bool]*Ghost{}
		ghosts(t, func(path string, i int, g *Ghost) {
			lines, err := g.lines(judged)
			if err != nil || len(lines) == 0 || g.Time() == gbx.NoTime || oddRuns[hashOf(path)] != "" || g.InputCount() == 0 {
				return
			}
			now := len(g.ticks()) > 0
			other := others[now]
			others[now] = g
			lines = slices.DeleteFunc(lines, func(l Line) bool { return l.Other })
			if other == nil {
				return
			}
			forged, ok := forge(g, other, lines)
			if !ok {
				return
			}
			game := "before Trackmania (2020)"
			if now {
				game = "Trackmania (2020)"
			}
			r := results[game]
			if r == nil {
				r = &found{by: map[string]int{}}
				results[game] = r
			}
			r.made++
			suspect := false
			for _, v := range g.judge(forged, nil) {
				if v.State == Suspect && v.Rule != "tminterface" {
					suspect = true
					r.by[v.Rule]++
				}
			}
			if suspect {
				r.suspect++
			}
		})
		for game, r := range results {
			t.Logf("%s, %s: %d of %d, by %v", name, game, r.suspect, r.made, r.by)
			if r.made < 15 || float64(r.suspect) < 0.9*float64(r.made) {
				t.Errorf("%s, %s: %d of %d found, by %v", name, game, r.suspect, r.made, slices.Sorted(maps.Keys(r.by)))
			}
		}
	}
}
