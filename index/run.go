package index

import (
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/runs"
)

// replay adds the rows of a replay and its runs, and of the map inside it.
func (w *walker) replay(f *file, r *runs.Replay, a *gbxarchive.Archive, depth int) {
	list := r.Ghosts()
	row := replaysTable.rowOf(f)
	replaysTable.fill(row, runs.ReplayFacts.Columns(r))
	replaysTable.set(row, "ghost_count", len(list))
	for i, e := range a.Entries() {
		if e.Name == "map.Map.Gbx" {
			key, err := w.nested(a, i, f, depth)
			if err != nil {
				f.miss(fault.InEntry(err, e.Name))
			}
			replaysTable.set(row, "map_file", key)
		}
	}
	w.rows.AddRow(replaysTable, row)
	if w.Check {
		w.verdicts(f, nil, r.Check())
	}
	for i, g := range list {
		w.ghost(f, i, g)
	}
	if c := r.Clip(); c != nil {
		w.clip(f, 0, "replay", c)
	}
}

// ghost adds the row of a run.
func (w *walker) ghost(f *file, ordinal int, g *runs.Ghost) {
	row := ghostsTable.rowOf(f)
	ghostsTable.set(row, "ghost", ordinal)
	ghostsTable.fill(row, runs.GhostFacts.Columns(g))
	w.rows.AddRow(ghostsTable, row)
	for i, t := range g.Checkpoints() {
		w.rows.add(checkpointsTable, f.key, ordinal, i, fact.Known(int64(t), t != gbx.NoTime))
	}
	if n := g.InputCount(); n > 0 {
		w.inputs(f, ordinal, n, g)
	}
	if w.Check {
		w.verdicts(f, ordinal, g.Check())
	}
}

func (w *walker) verdicts(f *file, ghost any, list []runs.Verdict) {
	for _, v := range list {
		w.rows.add(checkVerdictsTable, f.key, ghost, v.Question(), string(v.State), v.Message)
	}
}

// inputs adds statistics of the inputs of a run.
func (w *walker) inputs(f *file, ordinal, count int, g *runs.Ghost) {
	list, err := g.Inputs()
	row := inputsSummaryTable.rowOf(f)
	for name, n := range countInputs(list) {
		inputsSummaryTable.set(row, name, n)
	}
	inputsSummaryTable.set(row, "ghost", ordinal)
	inputsSummaryTable.set(row, "input_count", count)
	inputsSummaryTable.set(row, "damaged", err != nil)
	if len(list) > 0 {
		inputsSummaryTable.set(row, "first_time", int64(list[0].Time))
		inputsSummaryTable.set(row, "last_time", int64(list[len(list)-1].Time))
	}
	turns := spikes(list)
	inputsSummaryTable.set(row, "spikes", turns)
	if t := g.Time(); t != gbx.NoTime && t > 0 {
		inputsSummaryTable.set(row, "spikes_per_second", float64(turns)*1000/float64(t))
	}
	if marked, known := g.TMInterfaceMark(); known {
		inputsSummaryTable.set(row, "tminterface", marked)
	}
	w.rows.AddRow(inputsSummaryTable, row)
}

// inputColumns are the columns that count inputs, by the name of the input.
var inputColumns = map[string]string{
	"Accelerate": "accelerate", "Brake": "brake", "SteerLeft": "steer_keys", "SteerRight": "steer_keys", "Steer": "steer_analog",
	"Respawn": "respawn", "SecondaryRespawn": "respawn", "Horn": "horn",
}

// countInputs counts key presses and moves of the wheel, by column.
func countInputs(list []runs.Input) map[string]int64 {
	counts := map[string]int64{}
	for _, in := range list {
		if column := inputColumns[in.Name]; column != "" && (in.Value != 0 || in.Name == "Steer") {
			counts[column]++
		}
	}
	return counts
}

// spikes counts how often the wheel changed direction: values of analog steering that are
// larger, or smaller, than both neighbours.
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
