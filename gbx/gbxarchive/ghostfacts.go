package gbxarchive

import (
	"fmt"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// ghost is what people look for in a ghost.
type ghost struct {
	RaceTime    *int64  `json:"race_time"`
	Respawns    *int64  `json:"respawns"`
	Checkpoints []int64 `json:"checkpoints"`
	Login       string  `json:"login"`
	Nick        string  `json:"nick"`
	SampleCount int     `json:"sample_count"`
	InputCount  int     `json:"input_count"`
}

// ghostOf reads the facts of a ghost from its chunks. Later games repeat in
// newer chunks what older ones hold; whichever is there serves.
func ghostOf(n *gbx.Node) *ghost {
	g := &ghost{Checkpoints: []int64{}}
	if n == nil {
		return g
	}
	for i := range n.Chunks {
		switch c := n.Chunks[i].Body.(type) {
		case *game.Chunk03092005:
			g.RaceTime = known(c.RaceTime)
		case *game.Chunk03092008:
			if c.Respawns >= 0 {
				r := int64(c.Respawns)
				g.Respawns = &r
			}
		case *game.Chunk0309200B:
			for _, cp := range c.Checkpoints {
				g.Checkpoints = append(g.Checkpoints, int64(cp.Time))
			}
		case *game.Chunk0309200F:
			g.Login = c.GhostLogin
		default:
			g.names(c)
			g.recorded(c)
		}
	}
	return g
}

func (g *ghost) names(c gbx.Body) {
	switch c := c.(type) {
	case *game.Chunk03092000:
		g.Nick = c.GhostNickname
	case *game.Chunk03092003:
		g.Nick = c.GhostNickname
	case *game.Chunk03092006:
		g.Nick = c.GhostNickname
	case *game.Chunk0309200D:
		g.Nick = c.GhostNickname
	case *game.Chunk03092017:
		g.Nick = c.GhostNickname
	}
}

// recorded counts samples and inputs.
func (g *ghost) recorded(c gbx.Body) {
	switch c := c.(type) {
	case *game.Chunk0303F003:
		g.SampleCount = len(c.SampleOffsets)
	case *game.Chunk0303F005:
		g.samples(c)
	case *game.Chunk0303F006:
		g.samples(&c.Chunk0303F005)
	case *game.Chunk03092011:
		g.InputCount = len(c.Events.Entries)
	case *game.Chunk03092019:
		g.InputCount = len(c.Events.Entries)
	case *game.Chunk03092025:
		g.InputCount = len(c.Events.Entries)
	case *game.Chunk0309201D:
		for i := range c.PlayerInputs {
			ticks, _ := c.PlayerInputs[i].Decode() // what was read before an error counts
			g.InputCount += len(ticks)
		}
	}
}

func (g *ghost) samples(c *game.Chunk0303F005) {
	if s, err := c.Samples.Content(); err == nil {
		g.SampleCount = int(s.SampleCount)
	}
}

func addGhost(f *facts, g *ghost) {
	f.text("nick", "Driver", g.Nick)
	f.add("login", "Login", g.Login, "")
	if g.RaceTime == nil {
		f.time("race_time", "Time", gbx.NoTime)
	} else {
		f.time("race_time", "Time", gbx.Time(*g.RaceTime))
	}
	f.add("respawns", "", g.Respawns, "")
	f.add("checkpoints", "Checkpoints", g.Checkpoints, fmt.Sprint(len(g.Checkpoints)))
	f.add("sample_count", "Samples", g.SampleCount, "")
	f.add("input_count", "Inputs", g.InputCount, "")
}

func (a *Archive) replayFacts(f *facts) {
	if h, ok := gbx.FindHeader[*game.Header03093000](&a.file.Header); ok && h.Version >= 2 && h.Version != 0xFFFFFFFF {
		f.time("time", "Time", h.Time)
		f.text("nick", "Driver", h.PlayerNickname)
		f.add("login", "Login", h.PlayerLogin, "")
		f.add("map_uid", "Map UID", h.MapInfo.ID.String(), "")
	}
	ghosts := []*ghost{}
	for _, ref := range a.ghosts() {
		ghosts = append(ghosts, ghostOf(ref.Node))
	}
	f.add("ghosts", "Ghosts", ghosts, fmt.Sprint(len(ghosts)))
}

func (a *Archive) ghosts() []gbx.Ref {
	if c, ok := gbx.Find[*game.Chunk03093014](a.file.Body); ok {
		return c.Ghosts
	}
	if c, ok := gbx.Find[*game.Chunk03093004](a.file.Body); ok {
		return c.Ghosts
	}
	return nil
}
