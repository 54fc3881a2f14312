package gbxarchive

import (
	"fmt"

	"pakbox/gbx"
	"pakbox/trackmania"
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

func ghostOf(g *trackmania.Ghost) *ghost {
	p := g.Player()
	out := &ghost{RaceTime: known(g.Time()), Checkpoints: []int64{}, Login: p.Login, Nick: p.Nick, SampleCount: g.SampleCount(), InputCount: g.InputCount()}
	if n := int64(g.Respawns()); n >= 0 {
		out.Respawns = &n
	}
	for _, t := range g.Checkpoints() {
		out.Checkpoints = append(out.Checkpoints, int64(t))
	}
	return out
}

func (a *Archive) ghostFacts(f *facts) {
	run, err := trackmania.GhostOf(a.file)
	if err != nil {
		return // the class was looked at before
	}
	g := ghostOf(run)
	f.text("nick", "Driver", g.Nick)
	f.login("login", "Login", g.Login)
	f.time("race_time", "Time", run.Time())
	f.add("respawns", "", g.Respawns, "")
	f.add("checkpoints", "Checkpoints", g.Checkpoints, fmt.Sprint(len(g.Checkpoints)))
	f.add("sample_count", "Samples", g.SampleCount, "")
	f.add("input_count", "Inputs", g.InputCount, "")
}

func (a *Archive) replayFacts(f *facts) {
	r, err := trackmania.ReplayOf(a.file)
	if err != nil {
		return // the class was looked at before
	}
	if p, m := r.Player(), r.MapIdent(); r.Time() != gbx.NoTime || p.Login != "" || !m.ID.IsEmpty() {
		f.time("time", "Time", r.Time())
		f.text("nick", "Driver", p.Nick)
		f.login("login", "Login", p.Login)
		f.add("map_uid", "Map UID", m.ID.String(), "")
	}
	ghosts := []*ghost{}
	for _, g := range r.Ghosts() {
		ghosts = append(ghosts, ghostOf(g))
	}
	f.add("ghosts", "Ghosts", ghosts, fmt.Sprint(len(ghosts)))
}
