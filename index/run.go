package index

import (
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbxarchive"
	"pakbox/trackmania"
)

// replay adds a replay with its runs, and enters the map inside it.
func (w *walker) replay(f *file, r *trackmania.Replay, a *gbxarchive.Archive, depth int) {
	runs := r.Ghosts()
	row := replays.rowOf(f)
	replays.fill(row, gbxarchive.ReplayFacts.Columns(r))
	replays.set(row, "ghost_count", len(runs))
	for i, e := range a.Entries() {
		if e.Name == "map.Map.Gbx" {
			key, err := w.nested(a, i, f, depth)
			if err != nil {
				f.miss(fault.InEntry(err, e.Name))
			}
			replays.set(row, "map_file", key)
		}
	}
	w.rows.AddRow(replays, row)
	if w.Check {
		w.verdicts(f, nil, r.Check())
	}
	for i, g := range runs {
		w.ghost(f, i, g)
	}
}

// ghost adds a run.
func (w *walker) ghost(f *file, ordinal int, g *trackmania.Ghost) {
	row := ghosts.rowOf(f)
	ghosts.set(row, "ghost", ordinal)
	ghosts.fill(row, gbxarchive.GhostFacts.Columns(g))
	w.rows.AddRow(ghosts, row)
	for i, t := range g.Checkpoints() {
		w.rows.add(checkpoints, f.key, ordinal, i, fact.Known(int64(t), t != gbx.NoTime))
	}
	if n := g.InputCount(); n > 0 {
		w.inputs(f, ordinal, n, g)
	}
	if w.Check {
		w.verdicts(f, ordinal, g.Check())
	}
}

func (w *walker) verdicts(f *file, ghost any, list []trackmania.Verdict) {
	for _, v := range list {
		w.rows.add(checkVerdicts, f.key, ghost, v.Question(), string(v.State), v.Message)
	}
}

// inputs adds the inputs of a run, in numbers.
func (w *walker) inputs(f *file, ordinal, count int, g *trackmania.Ghost) {
	list, err := g.Inputs()
	row := inputsSummary.rowOf(f)
	for name, n := range countInputs(list) {
		inputsSummary.set(row, name, n)
	}
	inputsSummary.set(row, "ghost", ordinal)
	inputsSummary.set(row, "input_count", count)
	inputsSummary.set(row, "damaged", err != nil)
	if len(list) > 0 {
		inputsSummary.set(row, "first_time", int64(list[0].Time))
		inputsSummary.set(row, "last_time", int64(list[len(list)-1].Time))
	}
	turns := spikes(list)
	inputsSummary.set(row, "spikes", turns)
	if t := g.Time(); t != gbx.NoTime && t > 0 {
		inputsSummary.set(row, "spikes_per_second", float64(turns)*1000/float64(t))
	}
	if marked, known := g.TMInterfaceMark(); known {
		inputsSummary.set(row, "tminterface", marked)
	}
	w.rows.AddRow(inputsSummary, row)
}

// inputColumns are the columns that count inputs, by the names of the inputs.
var inputColumns = map[string]string{
	"Accelerate": "accelerate", "Brake": "brake", "SteerLeft": "steer_keys", "SteerRight": "steer_keys", "Steer": "steer_analog",
	"Respawn": "respawn", "SecondaryRespawn": "respawn", "Horn": "horn",
}

// countInputs counts inputs by column: presses of keys, and moves of the wheel.
func countInputs(list []trackmania.Input) map[string]int64 {
	counts := map[string]int64{}
	for _, in := range list {
		if column := inputColumns[in.Name]; column != "" && (in.Value != 0 || in.Name == "Steer") {
			counts[column]++
		}
	}
	return counts
}

// spikes counts the times that the wheel turned back: values of analog steering
// above, or below, both of their neighbours.
func spikes(list []trackmania.Input) (n int64) {
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
