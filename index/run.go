package index

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbxarchive"
	"pakbox/trackmania/runs"
)

// replay adds a replay with its runs, and enters the map inside it.
func (w *walker) replay(f *File, r *runs.Replay, a *gbxarchive.Archive, depth int) {
	info, ghosts := r.Info(), r.Ghosts()
	row := Replay{File: f.File, GhostCount: int64(len(ghosts))}
	fillFrom(&row, info)
	for i, e := range a.Entries() {
		if e.Name == "map.Map.Gbx" {
			key, err := w.nested(a, i, f, depth)
			if err != nil {
				f.miss(fault.InEntry(err, e.Name))
			}
			row.MapFile = key
		}
	}
	w.rows.Replays = append(w.rows.Replays, row)
	if w.Check {
		w.verdicts(f, nil, r.Check())
	}
	for i, g := range ghosts {
		w.ghost(f, int64(i), g, info.Ghosts[i])
	}
}

// ghost adds a run.
func (w *walker) ghost(f *File, ordinal int64, g *runs.Ghost, info *runs.GhostInfo) {
	row := Ghost{File: f.File, Ghost: ordinal}
	fillFrom(&row, info)
	for i, t := range row.Checkpoints {
		w.rows.Checkpoints = append(w.rows.Checkpoints, Checkpoint{File: f.File, Ghost: ordinal, Checkpoint: int64(i), Time: t})
	}
	w.rows.Ghosts = append(w.rows.Ghosts, row)
	if row.InputCount > 0 {
		w.inputs(&row, g)
	}
	if w.Check {
		w.verdicts(f, &ordinal, g.Check())
	}
}

func (w *walker) verdicts(f *File, ghost *int64, list []runs.Verdict) {
	for _, v := range list {
		w.rows.CheckVerdicts = append(w.rows.CheckVerdicts, CheckVerdict{File: f.File, Ghost: ghost, Question: v.Question(), State: string(v.State), Detail: v.Message})
	}
}

// inputs adds what the player did, in numbers.
func (w *walker) inputs(ghost *Ghost, g *runs.Ghost) {
	list, err := g.Inputs()
	row := InputsSummary{File: ghost.File, Ghost: ghost.Ghost, InputCount: ghost.InputCount, Damaged: err != nil}
	for _, in := range list {
		row.count(in)
	}
	if len(list) > 0 {
		first, last := int64(list[0].Time), int64(list[len(list)-1].Time)
		row.First, row.Last = &first, &last
	}
	row.Spikes = spikes(list)
	if t := g.Time(); t != gbx.NoTime && t > 0 {
		rate := float64(row.Spikes) * 1000 / float64(t)
		row.SpikesPerSecond = &rate
	}
	if marked, known := g.TMInterfaceMark(); known {
		row.TMInterface = &marked
	}
	w.rows.InputsSummary = append(w.rows.InputsSummary, row)
}

// count counts one input.
func (r *InputsSummary) count(in runs.Input) {
	pressed := int64(0)
	if in.Value != 0 {
		pressed = 1
	}
	switch in.Name {
	case "Accelerate":
		r.Accelerate += pressed
	case "Brake":
		r.Brake += pressed
	case "SteerLeft", "SteerRight":
		r.SteerKeys += pressed
	case "Steer":
		r.SteerAnalog++
	case "Respawn", "SecondaryRespawn":
		r.Respawn += pressed
	case "Horn":
		r.Horn += pressed
	}
}

// spikes counts how often the wheel turned back: the values of analog steering
// that lie above, or below, both of their neighbours.
func spikes(list []runs.Input) (n int64) {
	var last, way int32
	for _, in := range list {
		if in.Name != "Steer" || !in.Analog {
			continue
		}
		now := int32(0)
		switch {
		case in.Value > last:
			now = 1
		case in.Value < last:
			now = -1
		}
		if now != 0 {
			if way == -now {
				n++
			}
			way = now
		}
		last = in.Value
	}
	return n
}
