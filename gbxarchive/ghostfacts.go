package gbxarchive

import (
	"fmt"

	"pakbox/gbx"
	"pakbox/trackmania/runs"
)

func (a *Archive) ghostFacts(f *facts) {
	g, err := runs.GhostOf(a.file)
	if err != nil {
		return // the class was looked at before
	}
	i := g.Info()
	f.text("nick", "Driver", i.Nick)
	f.login("login", "Login", i.Login)
	f.time("race_time", "Time", g.Time())
	f.add("respawns", "", count(i.Respawns), "")
	f.add("checkpoints", "Checkpoints", i.Checkpoints, fmt.Sprint(g.CheckpointCount()))
	f.add("sample_count", "Samples", i.SampleCount, "")
	f.add("input_count", "Inputs", i.InputCount, "")
}

func (a *Archive) replayFacts(f *facts) {
	r, err := runs.ReplayOf(a.file)
	if err != nil {
		return // the class was looked at before
	}
	i := r.Info()
	says := i.Login != "" || i.MapUID != ""
	if says || r.Time() != gbx.NoTime {
		f.time("time", "Time", r.Time())
	} else {
		f.add("time", "", nil, "")
	}
	f.text("nick", "Driver", i.Nick)
	f.login("login", "Login", i.Login)
	f.add("map_uid", "Map UID", i.MapUID, "")
	f.add("ghosts", "Ghosts", i.Ghosts, fmt.Sprint(len(i.Ghosts)))
}
