package runs

import (
	"context"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/disk"
	"pakbox/nadeo/internal/places"
)

const classGhost classid.ID = 0x03092000

// Ghost is a recorded run.
type Ghost struct {
	Node *gbx.Node
	// replay is the file around the ghost. Before TMUnited the inputs are in the replay
	// and not in the ghost.
	replay *Replay
	// first marks the ghost to which the replay's own inputs belong.
	first bool

	inputs     lazily[[]Input]
	inputCount lazily[int]
	packed     lazily[*game.Chunk0303F005Samples]
	record     lazily[*plug.CPlugEntRecordDataRecords]
}

// GhostOf returns the ghost in a file.
func GhostOf(f *gbx.File) (*Ghost, error) {
	if f.Class.Latest() != classGhost {
		return nil, fault.New(fault.NotFormat, "the file is not a ghost")
	}
	return &Ghost{Node: f.Body}, nil
}

func (g *Ghost) site() places.Site { return places.Site{Node: g.Node} }

// Time returns the race time; gbx.NoTime if the race was not finished.
func (g *Ghost) Time() gbx.Time { return ghostTime.Read(g.site()) }

// Respawns returns how often the player went back to a checkpoint; -1 if the ghost does
// not say.
func (g *Ghost) Respawns() int { return max(-1, int(ghostRespawns.Read(g.site()))) }

// respawned returns the least number of respawns: the declared number, or the number in
// the inputs if it is larger.
func (g *Ghost) respawned() int {
	n := 0
	inputs, _ := g.Inputs() // the inputs before an error
	for _, in := range inputs {
		if (in.Name == "Respawn" || in.Name == "SecondaryRespawn") && in.Value != 0 {
			n++
		}
	}
	return max(n, g.Respawns())
}

// StuntScore returns the points of a run in Stunts mode.
func (g *Ghost) StuntScore() int { return int(ghostPoints.Read(g.site())) }

// Checkpoints returns the times of the checkpoints and, last, of the finish; gbx.NoTime
// for a checkpoint that was not passed. TrackMania 1.0 omits the finish.
func (g *Ghost) Checkpoints() []gbx.Time {
	list, _ := g.checkpoints()
	return list
}

// checkpoints is Checkpoints, and reports whether the list may lack the finish.
func (g *Ghost) checkpoints() (out []gbx.Time, noFinish bool) {
	if c, ok := gbx.Find[*game.Chunk0309200B](g.Node); ok {
		for _, p := range c.Checkpoints {
			out = append(out, p.Time)
		}
		return out, false
	}
	if c, ok := gbx.Find[*game.Chunk0309202B](g.Node); ok {
		for _, p := range c.WaypointTimes {
			out = append(out, p.Time)
		}
		return out, false
	}
	if c, ok := gbx.Find[*game.Chunk03092004](g.Node); ok {
		for _, p := range c.Checkpoints {
			out = append(out, p.Time)
		}
	}
	return out, true
}

// CheckpointCount returns how many checkpoints were passed, without the finish.
func (g *Ghost) CheckpointCount() int {
	n := 0
	for _, t := range g.Checkpoints() {
		if t != gbx.NoTime && !g.IsFinish(t) {
			n++
		}
	}
	return n
}

// IsFinish reports whether one of the Checkpoints' times is that of the finish.
func (g *Ghost) IsFinish(t gbx.Time) bool { return t != gbx.NoTime && t == g.Time() }

// Player returns the driver.
func (g *Ghost) Player() nadeo.Player {
	return nadeo.Player{Login: ghostLogin.Read(g.site()), Nick: ghostNick.Read(g.site()), Zone: ghostZone.Read(g.site())}
}

// Car returns the vehicle: its name, environment and author.
func (g *Ghost) Car() gbx.Ident { return ghostCar.Read(g.site()) }

// MapUID returns the UID of the map, if the ghost or else its replay states it.
func (g *Ghost) MapUID() string {
	if uid := ghostMap.Read(g.site()).String(); uid != "" || g.replay == nil {
		return uid
	}
	return g.replay.MapIdent().ID.String()
}

// Program returns the version of the game in which the run was driven.
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

// OpenGhost reads a ghost from a path.
func OpenGhost(ctx context.Context, path string) (*Ghost, error) {
	return disk.Open(ctx, path, GhostOf)
}

// Origin returns the game in which the run was driven.
func (g *Ghost) Origin() nadeo.Origin { return nadeo.OriginOfProgram(g.Program()) }
