package nadeo

import (
	"bytes"
	"context"
	"iter"
	"strconv"

	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/runs"
)

// Runs is the answer about the runs in a file: the facts of a replay, or the ghosts of
// another file.
type Runs struct {
	Record fact.Record   // facts of a replay, including its ghosts
	Ghosts []fact.Record // ghosts of a file that is not a replay

	File *gbx.File
	List []*runs.Ghost
}

// AppendFields writes the fields of the answer's JSON.
func (r *Runs) AppendFields(b *bytes.Buffer) error {
	if r.Record != nil {
		return r.Record.AppendFields(b)
	}
	return fact.Record{fact.Make("ghosts", "", fact.Object, r.Ghosts, "")}.AppendFields(b)
}

// Subjects lists the facts that the answer may have, for its schema.
func (*Runs) Subjects() []*fact.Subject {
	return []*fact.Subject{&runs.ReplayFacts.Subject, &runs.GhostFacts.Subject}
}

// Info is the question for the drivers, times and maps of recorded runs.
var Info = question.New(&room, "replay.info", "drivers, times and maps of recorded runs", func(ctx context.Context, at *question.At, _ question.NoParams) (*Runs, error) {
	return OpenRuns(ctx, at, func(f *gbx.File, ghosts []*runs.Ghost) (*Runs, error) {
		a := &Runs{File: f, List: ghosts}
		if r, err := runs.ReplayOf(f); err == nil {
			a.Record = runs.ReplayFacts.Of(r)
		} else {
			a.Ghosts = runs.GhostRecords(ghosts)
		}
		return a, nil
	})
})

// GhostList lists the runs in a file.
type GhostList struct {
	Ghosts []fact.Record `json:"ghosts" doc:"runs, with their numbers in the file" method:"result"`

	List []*runs.Ghost `json:"-"`
}

// Ghosts is the question which runs a file has.
var Ghosts = question.New(&room, "replay.ghosts", "the runs in a file", func(ctx context.Context, at *question.At, p ghostParams) (*GhostList, error) {
	return OpenRuns(ctx, at, func(_ *gbx.File, ghosts []*runs.Ghost) (*GhostList, error) {
		a := &GhostList{Ghosts: []fact.Record{}}
		return a, p.Ghost.Each(ghosts, func(i int, g *runs.Ghost) error {
			a.Ghosts = append(a.Ghosts, append(fact.Record{fact.Make("ghost", "", fact.Count, i, "")}, runs.GhostFacts.Of(g)...))
			a.List = append(a.List, g)
			return nil
		})
	})
})

// Rows returns the runs of a file as rows of a table. A replay without runs becomes one
// row.
func (a *Runs) Rows(name string) iter.Seq[fact.Record] {
	return func(yield func(fact.Record) bool) {
		r, err := runs.ReplayOf(a.File)
		isReplay := err == nil
		for i, g := range a.List {
			row := append(question.Envelope("replay.info", name, "gbx"), fact.Make("ghost", "", fact.Count, i, ""))
			row = append(row, runs.GhostFacts.Of(g)...)
			if isReplay {
				row = append(row, mapFactsOf(r)...)
			}
			if !yield(row) {
				return
			}
		}
		if isReplay && len(a.List) == 0 {
			time, _ := a.Record.Get("time")
			row := append(question.Envelope("replay.info", name, "gbx"), fact.Make("race_time", "", fact.Time, time.Value, ""))
			yield(append(row, a.Record...))
		}
	}
}

// mapFactsOf returns the facts about the map that the replay states, but not its ghosts.
func mapFactsOf(r *runs.Replay) (record fact.Record) {
	for _, v := range runs.ReplayFacts.Of(r) {
		switch v.Name {
		case "map_name", "map_author", "collection", "collection_name", "map_size":
			record = append(record, v)
		}
	}
	return record
}

// Checked is the answer of the checks of recorded runs.
type Checked struct {
	Verdicts []Verdict      `json:"verdicts" doc:"verdicts on the replay as a whole"`
	Suspect  bool           `json:"suspect" doc:"whether something contradicts itself"`
	Ghosts   []checkedGhost `json:"ghosts" doc:"verdicts on each run"`
}

// checkedGhost has the verdicts on one run.
type checkedGhost struct {
	Ghost    int       `json:"ghost" doc:"number of the run in the file, from 0"`
	Verdicts []Verdict `json:"verdicts"`
}

// Verdict is the answer to one question about a run.
type Verdict struct {
	Question string     `json:"question" doc:"what was compared"`
	State    runs.State `json:"state" doc:"ok, suspect or unknown"`
	Detail   string     `json:"detail" doc:"one sentence"`
	Proves   string     `json:"proves" doc:"what a suspect answer shows"`
}

// listedVerdict is a row of the table of verdicts.
type listedVerdict struct {
	Ghost    *int       `json:"ghost" doc:"number of the run in the file, from 0; null for the replay as a whole"`
	State    runs.State `json:"state" doc:"ok, suspect or unknown"`
	Question string     `json:"question" doc:"what was compared"`
	Detail   string     `json:"detail" doc:"one sentence"`
	Proves   string     `json:"proves" doc:"what a suspect answer shows"`
}

// VerdictFacts are the columns of a table of verdicts.
var VerdictFacts = question.ListFacts[listedVerdict]()

// Rows returns the verdicts as rows of a table.
func (c *Checked) Rows(file string) iter.Seq[fact.Record] {
	return func(yield func(fact.Record) bool) {
		all := func(ghost *int, verdicts []Verdict) bool {
			for _, v := range verdicts {
				if !yield(question.ListRow(VerdictFacts, file, listedVerdict{ghost, v.State, v.Question, v.Detail, v.Proves})) {
					return false
				}
			}
			return true
		}
		more := all(nil, c.Verdicts)
		for i := 0; more && i < len(c.Ghosts); i++ {
			more = all(&c.Ghosts[i].Ghost, c.Ghosts[i].Verdicts)
		}
	}
}

// Found reports whether the checks found a contradiction.
func (c *Checked) Found() bool { return c.Suspect }

// Check is the question whether the results that runs declare agree with their
// recordings.
var Check = question.New(&room, "replay.check", "whether what runs declare fits what was recorded", func(ctx context.Context, at *question.At, _ question.NoParams) (*Checked, error) {
	return OpenRuns(ctx, at, func(f *gbx.File, ghosts []*runs.Ghost) (*Checked, error) {
		c := &Checked{Verdicts: []Verdict{}, Ghosts: []checkedGhost{}}
		if r, err := runs.ReplayOf(f); err == nil {
			c.Verdicts = c.judge(r.Check())
		}
		for i, g := range ghosts {
			c.Ghosts = append(c.Ghosts, checkedGhost{i, c.judge(g.Check())})
		}
		return c, nil
	})
})

func (c *Checked) judge(verdicts []runs.Verdict) []Verdict {
	list := []Verdict{}
	for _, v := range verdicts {
		c.Suspect = c.Suspect || v.State == runs.Suspect
		list = append(list, Verdict{v.Question(), v.State, v.Message, v.Proves()})
	}
	return list
}

// Inputs is the answer about the inputs of players.
type Inputs struct {
	Ghosts []ghostInputs `json:"ghosts" method:"result"`
}

// ghostInputs has the inputs of the player in one run.
type ghostInputs struct {
	Ghost       int             `json:"ghost" doc:"number of the run in the file, from 0"`
	TMInterface *bool           `json:"tminterface,omitempty" doc:"whether the inputs carry the mark of TMInterface; missing if unknown"`
	Inputs      []input         `json:"inputs"`
	Error       *question.Error `json:"error,omitempty" doc:"why the inputs end early"`

	Of  *runs.Ghost  `json:"-"`
	All []runs.Input `json:"-"`
	Err error        `json:"-"`
}

// ghostParams choose runs of a file.
type ghostParams struct {
	Ghost GhostChoice `json:"ghost" value:"N" doc:"only ghost number N, from 0"`
}

// ListInputs is the question what players pressed. If the data is damaged, the answer has
// the inputs before the damage, and the error.
var ListInputs = question.New(&room, "replay.inputs", "inputs of the players, with times", func(ctx context.Context, at *question.At, p ghostParams) (*Inputs, error) {
	return OpenRuns(ctx, at, func(_ *gbx.File, ghosts []*runs.Ghost) (*Inputs, error) {
		a := &Inputs{Ghosts: []ghostInputs{}}
		err := p.Ghost.Each(ghosts, func(i int, g *runs.Ghost) error {
			inputs, err := g.Inputs()
			in := ghostInputs{Ghost: i, Inputs: inputList(inputs), Of: g, All: inputs, Err: err}
			if marked, known := g.TMInterfaceMark(); known {
				in.TMInterface = &marked
			}
			if err != nil {
				in.Error = question.ErrorOf(err)
			}
			a.Ghosts = append(a.Ghosts, in)
			return nil
		})
		return a, err
	})
})

// input is an input in JSON.
type input struct {
	Time   int64  `json:"time"`
	Name   string `json:"name"`
	Value  int32  `json:"value"`
	Y      *int32 `json:"y,omitempty"` // of a mouse
	Analog bool   `json:"analog"`
}

func inputList(inputs []runs.Input) []input {
	list := make([]input, len(inputs))
	for i, in := range inputs {
		list[i] = input{Time: int64(in.Time), Name: in.Name, Value: in.Value, Analog: in.Analog}
		if in.Name == runs.MouseInput {
			list[i].Y = &in.Y
		}
	}
	return list
}

// GhostChoice chooses runs of a file: the number of one run, from 0, or "" for all.
type GhostChoice string

// Each calls run for each chosen ghost.
func (c GhostChoice) Each(ghosts []*runs.Ghost, run func(i int, g *runs.Ghost) error) error {
	chosen := -1
	if c != "" {
		n, err := strconv.Atoi(string(c))
		if err != nil || n < 0 {
			return fault.Usagef("ghost: %q is not a number from 0", c)
		}
		if n >= len(ghosts) {
			return fault.Usagef("ghost %d is out of range: the file has %s, counted from 0", n, question.Count(len(ghosts), "ghost"))
		}
		chosen = n
	}
	for i, g := range ghosts {
		if chosen < 0 || chosen == i {
			if err := run(i, g); err != nil {
				return err
			}
		}
	}
	return nil
}
