package trackmania

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Ghost is a recorded run.
type Ghost struct {
	Node *gbx.Node
	// replay is the file around the ghost; before TMUnited the inputs stand
	// there and not in the ghost.
	replay *Replay
	// first is set for the ghost that the replay's own inputs belong to.
	first bool
}

// GhostOf returns the ghost that a file is.
func GhostOf(f *gbx.File) (*Ghost, error) {
	if f.Class.Latest() != classGhost {
		return nil, fault.New(fault.NotFormat, "the file is no ghost")
	}
	return &Ghost{Node: f.Body}, nil
}

// Time returns the time the run took; gbx.NoTime if it was not finished.
func (g *Ghost) Time() gbx.Time {
	if c, ok := gbx.Find[*game.Chunk03092005](g.Node); ok && c.RaceTime != gbx.NoTime {
		return c.RaceTime
	}
	if c, ok := gbx.Find[*game.Chunk0309202B](g.Node); ok && c.RaceTime != gbx.NoTime {
		return c.RaceTime
	}
	if c, ok := gbx.Find[*game.Chunk0309201B](g.Node); ok && c.RaceTime != 0 {
		return c.RaceTime
	}
	return gbx.NoTime
}

// Respawns returns how often the player went back to a checkpoint; -1 if the
// ghost does not say.
func (g *Ghost) Respawns() int {
	if c, ok := gbx.Find[*game.Chunk03092008](g.Node); ok {
		return max(-1, int(c.Respawns))
	}
	if c, ok := gbx.Find[*game.Chunk0309202B](g.Node); ok {
		return max(-1, int(c.Respawns))
	}
	return -1
}

// StuntScore returns the points of a Stunts run.
func (g *Ghost) StuntScore() int {
	if c, ok := gbx.Find[*game.Chunk0309200A](g.Node); ok {
		return int(c.StuntScore)
	}
	return 0
}

// Checkpoints returns when the run passed each checkpoint and the finish.
func (g *Ghost) Checkpoints() []gbx.Time {
	var out []gbx.Time
	if c, ok := gbx.Find[*game.Chunk0309200B](g.Node); ok {
		for _, p := range c.Checkpoints {
			out = append(out, p.Time)
		}
		return out
	}
	if c, ok := gbx.Find[*game.Chunk0309202B](g.Node); ok {
		for _, p := range c.WaypointTimes {
			out = append(out, p.Time)
		}
		return out
	}
	if c, ok := gbx.Find[*game.Chunk03092004](g.Node); ok {
		for _, p := range c.Checkpoints {
			out = append(out, p.Time)
		}
	}
	return out
}

// Player returns who drove.
func (g *Ghost) Player() Player {
	var p Player
	if c, ok := gbx.Find[*game.Chunk0309200F](g.Node); ok {
		p.Login = c.GhostLogin
	}
	if c, ok := gbx.Find[*game.Chunk03092000](g.Node); ok {
		p.Nick, p.Zone = c.GhostNickname, c.GhostZone
	} else if c, ok := gbx.Find[*game.Chunk03092017](g.Node); ok {
		p.Nick = c.GhostNickname
	} else if c, ok := gbx.Find[*game.Chunk0309200D](g.Node); ok {
		p.Nick = c.GhostNickname
	} else if c, ok := gbx.Find[*game.Chunk03092006](g.Node); ok {
		p.Nick = c.GhostNickname
	} else if c, ok := gbx.Find[*game.Chunk03092003](g.Node); ok {
		p.Nick = c.GhostNickname
	}
	return p
}

// Car returns the vehicle: its name, environment and author.
func (g *Ghost) Car() gbx.Ident {
	if c, ok := gbx.Find[*game.Chunk03092000](g.Node); ok {
		return c.PlayerModel
	}
	if c, ok := gbx.Find[*game.Chunk03092018](g.Node); ok {
		return c.PlayerModel
	}
	if c, ok := gbx.Find[*game.Chunk0309200D](g.Node); ok {
		return c.PlayerModel
	}
	if c, ok := gbx.Find[*game.Chunk03092006](g.Node); ok {
		return c.PlayerModel
	}
	if c, ok := gbx.Find[*game.Chunk03092003](g.Node); ok {
		return c.PlayerModel
	}
	return noIdent
}

// MapUID returns the map the run was driven on, if the ghost says so.
func (g *Ghost) MapUID() string {
	if c, ok := gbx.Find[*game.Chunk03092010](g.Node); ok {
		return c.ChallengeUid.String()
	}
	return ""
}

// Program returns the version of the game that the run was driven in.
func (g *Ghost) Program() string {
	if c, ok := gbx.Find[*game.Chunk0309202D](g.Node); ok {
		return c.ExeVersion
	}
	if e := g.events(); e != nil {
		return e.ExeVersion
	}
	if g.replay == nil || !g.first {
		return ""
	}
	if c, ok := gbx.Find[*game.Chunk0309300F](g.replay.File.Body); ok {
		return c.ExeVersion
	}
	if c, ok := gbx.Find[*game.Chunk03093008](g.replay.File.Body); ok {
		return c.ExeVersion
	}
	return ""
}
