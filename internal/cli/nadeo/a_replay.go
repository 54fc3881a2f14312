package nadeo

import (
	"fmt"
	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/lib/hint"
	"pakbox/trackmania"
)

// runsObject is what a file says about the runs in it, as JSON.
func runsObject(name string, f *gbx.File, ghosts []*trackmania.Ghost) *answer.Object {
	o := answer.New("replay.info", name, "gbx")
	if r, err := trackmania.ReplayOf(f); err == nil {
		p, m := r.Player(), r.MapIdent()
		o.Add("time", timeValue(r.Time())).Add("login", p.Login).Add("nick", p.Nick)
		addAccount(o, p.Login).Add("map_uid", m.ID.String()).Add("map_author", m.Author.String()).
			Add("collection", trackmania.CollectionName(m.Collection)).Add("map_size", len(r.MapFile()))
	}
	list := make([]*answer.Object, len(ghosts))
	for i, g := range ghosts {
		list[i] = ghostObject(g)
	}
	return o.Add("ghosts", list)
}

// timeValue is a time in JSON.
func timeValue(t gbx.Time) any {
	if t == gbx.NoTime {
		return nil
	}
	return int64(t)
}

// addAccount adds the account that a login stands for, if it does.
func addAccount(o *answer.Object, login string) *answer.Object {
	if id, ok := trackmania.AccountID(login); ok {
		return o.Add("account_id", id)
	}
	return o.Add("account_id", nil)
}

// ghostObject is a ghost in JSON.
func ghostObject(g *trackmania.Ghost) *answer.Object {
	p := g.Player()
	o := new(answer.Object).Add("race_time", timeValue(g.Time()))
	if n := g.Respawns(); n >= 0 {
		o.Add("respawns", n)
	} else {
		o.Add("respawns", nil)
	}
	times := []int64{}
	for _, t := range g.Checkpoints() {
		times = append(times, int64(t))
	}
	o.Add("checkpoints", times).Add("login", p.Login).Add("nick", p.Nick).Add("zone", p.Zone)
	return addAccount(o, p.Login).Add("car", g.Car().ID.String()).Add("map_uid", g.MapUID()).Add("stunt_score", g.StuntScore()).
		Add("program", g.Program()).Add("sample_count", g.SampleCount()).Add("input_count", g.InputCount())
}

// checked is what the checks of recorded runs found.
type checked struct {
	suspect bool // something contradicts itself
	parts   []checkedPart
}

// checkedPart is what was found about a replay as a whole, or about a ghost.
type checkedPart struct {
	name     string // "replay", or "ghost 0"
	ghost    int    // its number; -1 for a replay
	verdicts []trackmania.Verdict
}

// checkRuns holds what the runs of a file declare against what was recorded.
func checkRuns(f *gbx.File, ghosts []*trackmania.Ghost) *checked {
	c := new(checked)
	judge := func(name string, ghost int, verdicts []trackmania.Verdict) {
		for _, v := range verdicts {
			c.suspect = c.suspect || v.State == trackmania.Suspect
		}
		c.parts = append(c.parts, checkedPart{name, ghost, verdicts})
	}
	if r, err := trackmania.ReplayOf(f); err == nil {
		judge("replay", -1, r.Check())
	}
	for i, g := range ghosts {
		judge(fmt.Sprintf("ghost %d", i), i, g.Check())
	}
	return c
}

// object is the result as JSON.
func (c *checked) object(name string) *answer.Object {
	o := answer.New("replay.check", name, "gbx")
	list := []*answer.Object{}
	for _, p := range c.parts {
		verdicts := make([]*answer.Object, len(p.verdicts))
		for i, v := range p.verdicts {
			verdicts[i] = new(answer.Object).Add("question", v.Question).Add("state", v.State).Add("detail", v.Detail)
		}
		if p.ghost < 0 {
			o.Add("verdicts", verdicts)
		} else {
			list = append(list, new(answer.Object).Add("ghost", p.ghost).Add("verdicts", verdicts))
		}
	}
	return o.Add("suspect", c.suspect).Add("ghosts", list)
}

// inputJSON is an input in JSON.
type inputJSON struct {
	Time   int64  `json:"time"`
	Name   string `json:"name"`
	Value  int32  `json:"value"`
	Analog bool   `json:"analog"`
}

// inputsOf are inputs as JSON has them.
func inputsOf(inputs []trackmania.Input) []inputJSON {
	list := make([]inputJSON, len(inputs))
	for i, in := range inputs {
		list[i] = inputJSON{int64(in.Time), in.Name, in.Value, in.Analog}
	}
	return list
}

// ghostChoice is a choice among the runs of a file: the number of one.
type ghostChoice int

// allGhosts is the choice of all.
const allGhosts ghostChoice = -1

// each calls run with the ghosts that are chosen.
func (c ghostChoice) each(ghosts []*trackmania.Ghost, run func(i int, g *trackmania.Ghost) error) error {
	if int(c) >= len(ghosts) && c != allGhosts || c < allGhosts {
		return hint.Usagef("there is no ghost %d: the file has %s, counted from 0", c, answer.Count(len(ghosts), "ghost"))
	}
	for i, g := range ghosts {
		if c == allGhosts || int(c) == i {
			if err := run(i, g); err != nil {
				return err
			}
		}
	}
	return nil
}
