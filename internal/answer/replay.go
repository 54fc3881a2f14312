package answer

import (
	"fmt"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/internal/lib/hint"
	"pakbox/trackmania/runs"
)

// RunsObject is what a file says about the runs in it, as JSON.
func RunsObject(name string, f *gbx.File, ghosts []*runs.Ghost) *Object {
	o := New("replay.info", name, "gbx")
	if r, err := runs.ReplayOf(f); err == nil {
		return o.AddFacts(runs.ReplayFacts.Of(r))
	}
	return o.Add("ghosts", runs.GhostRecords(ghosts))
}

// RunRows are the runs of a file as rows of a table. A replay without any is one
// row itself.
func RunRows(name string, f *gbx.File, ghosts []*runs.Ghost) (rows []fact.Record) {
	r, err := runs.ReplayOf(f)
	isReplay := err == nil
	for i, g := range ghosts {
		row := append(Envelope("replay.info", name, "gbx"), fact.Make("ghost", "", fact.Count, i, ""))
		row = append(row, runs.GhostFacts.Of(g)...)
		if isReplay {
			row = append(row, mapFactsOf(r)...)
		}
		rows = append(rows, row)
	}
	if isReplay && len(ghosts) == 0 {
		record := runs.ReplayFacts.Of(r)
		time, _ := record.Get("time")
		row := append(Envelope("replay.info", name, "gbx"), fact.Make("race_time", "", fact.Time, time.Value, ""))
		rows = append(rows, append(row, record...))
	}
	return rows
}

// mapFactsOf are the facts about the map that a replay states and its ghosts do not.
func mapFactsOf(r *runs.Replay) (record fact.Record) {
	for _, v := range runs.ReplayFacts.Of(r) {
		switch v.Name {
		case "map_name", "map_author", "collection", "map_size":
			record = append(record, v)
		}
	}
	return record
}

// Checked is what the checks of recorded runs found.
type Checked struct {
	Suspect bool // something contradicts itself
	Parts   []CheckedPart
}

// CheckedPart is what was found about a replay as a whole, or about a ghost.
type CheckedPart struct {
	Name     string // "replay", or "ghost 0"
	ghost    int    // its number; -1 for a replay
	Verdicts []runs.Verdict
}

// CheckRuns holds what the runs of a file declare against what was recorded.
func CheckRuns(f *gbx.File, ghosts []*runs.Ghost) *Checked {
	c := new(Checked)
	judge := func(name string, ghost int, verdicts []runs.Verdict) {
		for _, v := range verdicts {
			c.Suspect = c.Suspect || v.State == runs.Suspect
		}
		c.Parts = append(c.Parts, CheckedPart{name, ghost, verdicts})
	}
	if r, err := runs.ReplayOf(f); err == nil {
		judge("replay", -1, r.Check())
	}
	for i, g := range ghosts {
		judge(fmt.Sprintf("ghost %d", i), i, g.Check())
	}
	return c
}

// Object is the result as JSON.
func (c *Checked) Object(name string) *Object {
	o := New("replay.check", name, "gbx")
	list := []*Object{}
	for _, p := range c.Parts {
		verdicts := make([]*Object, len(p.Verdicts))
		for i, v := range p.Verdicts {
			verdicts[i] = new(Object).Add("question", v.Question()).Add("state", v.State).Add("detail", v.Message)
		}
		if p.ghost < 0 {
			o.Add("verdicts", verdicts)
		} else {
			list = append(list, new(Object).Add("ghost", p.ghost).Add("verdicts", verdicts))
		}
	}
	return o.Add("suspect", c.Suspect).Add("ghosts", list)
}

// Input is an input in JSON.
type Input struct {
	Time   int64  `json:"time"`
	Name   string `json:"name"`
	Value  int32  `json:"value"`
	Y      *int32 `json:"y,omitempty"` // of a mouse
	Analog bool   `json:"analog"`
}

// InputsOf are the inputs of a ghost as JSON has them, and whether they carry
// the mark of TMInterface.
func InputsOf(ghost int, g *runs.Ghost, inputs []runs.Input) *Object {
	o := new(Object).Add("ghost", ghost)
	if marked, known := g.TMInterfaceMark(); known {
		o.Add("tminterface", marked)
	}
	return o.Add("inputs", inputList(inputs))
}

func inputList(inputs []runs.Input) []Input {
	list := make([]Input, len(inputs))
	for i, in := range inputs {
		list[i] = Input{Time: int64(in.Time), Name: in.Name, Value: in.Value, Analog: in.Analog}
		if in.Name == runs.MouseInput {
			list[i].Y = &in.Y
		}
	}
	return list
}

// GhostChoice is a choice among the runs of a file: the number of one.
type GhostChoice int

// AllGhosts is the choice of all.
const AllGhosts GhostChoice = -1

// Each calls run with the ghosts that are chosen.
func (c GhostChoice) Each(ghosts []*runs.Ghost, run func(i int, g *runs.Ghost) error) error {
	if int(c) >= len(ghosts) && c != AllGhosts || c < AllGhosts {
		return hint.Usagef("there is no ghost %d: the file has %s, counted from 0", c, Count(len(ghosts), "ghost"))
	}
	for i, g := range ghosts {
		if c == AllGhosts || int(c) == i {
			if err := run(i, g); err != nil {
				return err
			}
		}
	}
	return nil
}
