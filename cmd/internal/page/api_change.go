package page

import (
	"cmp"
	"encoding/json"
	"fmt"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/gbxarchive"
)

// maxSent limits the size of a change that contains files.
const maxSent = 64 << 20

// The page first shows a change, then makes it. Both use the same code; only the last
// step differs. A file in a served folder is replaced as by the commands. A dropped file
// is changed in memory, and the page offers the result for download.

// saving has the parameters that every change takes.
type saving struct {
	DryRun bool `json:"dry_run"`
	Backup bool `json:"backup"`
}

// changeRoute is the route of a declared change.
func changeRoute(q *question.Question) route {
	r := route{post: true, changes: true, answer: func(s *Explorer, c *call) (any, error) { return s.change(c, q) }}
	if q.TakesContent() {
		r.takes = maxSent
	}
	return r
}

// change shows what a declared change would change in a file, or makes the change.
func (s *Explorer) change(c *call, q *question.Question) (any, error) {
	var how saving
	sent := map[string]json.RawMessage{}
	if err := decode(c, &sent); err != nil {
		return nil, err
	}
	for name, to := range map[string]*bool{"dry_run": &how.DryRun, "backup": &how.Backup} {
		if err := json.Unmarshal([]byte(cmp.Or(string(sent[name]), "false")), to); err != nil {
			return nil, usage("%s: expected true or false", name)
		}
		delete(sent, name)
	}
	params, err := q.ReadJSON(sent)
	if err != nil {
		return nil, err
	}
	name := c.param("path")
	if err := s.checkChange(name); err != nil {
		return nil, err
	}
	at := s.at(name)
	r, err := q.Revise(c.Context(), at, params)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if how.DryRun {
		seen, err := r.Preview()
		if err != nil {
			return nil, err
		}
		seen.Notes = append(seen.Notes, contradictions(r.Data)...)
		return r.Report(q, name, at.Format, seen), nil
	}
	r.Close()
	made, err := s.replace(c.Context(), name, q.Name, r.Data, how.Backup)
	if err != nil {
		return nil, err
	}
	saved := r.Saved("")
	saved.Change = made.ID
	return r.Report(q, name, at.Format, saved), nil
}

// contradictions lists what a GBX file states in two ways.
func contradictions(data []byte) []string {
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil
	}
	return gbxarchive.Contradictions(f)
}

// declaredForms lists the declared changes with their parameters, for the page's forms.
func declaredForms(*Explorer, *call) (any, error) {
	type param struct {
		Name  string `json:"name"`
		Doc   string `json:"doc"`
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	type form struct {
		Name   string  `json:"name"`
		Label  string  `json:"label"`
		Doc    string  `json:"doc"`
		Params []param `json:"params"`
	}
	forms := []form{}
	for _, q := range answer.Questions() {
		if !q.Change {
			continue
		}
		f := form{q.Name, q.Label, q.Doc, []param{}}
		for _, p := range q.Parameters() {
			if !p.Local {
				f.Params = append(f.Params, param{p.Name, p.Doc, p.Kind(), p.Value})
			}
		}
		forms = append(forms, f)
	}
	return new(question.Object).Add("forms", forms), nil
}

// set changes one value by its path.
func (s *Explorer) set(c *call) (any, error) {
	var in struct {
		saving
		Path  string `json:"path_in_file"`
		Value string `json:"value"`
	}
	if err := decode(c, &in); err != nil {
		return nil, err
	}
	name := c.param("path")
	if !s.canChange(name) {
		return nil, fault.InFile(fault.New(fault.Unsupported, "cannot be changed on this page"), name)
	}
	f, values, err := answer.OpenValues(c.Context(), s.opener.WithoutAsking(), name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	changed, err := values.Set([]archive.Assignment{{Path: in.Path, Value: in.Value}})
	if err != nil {
		return nil, question.InFile(err, name)
	}
	o := question.NewObject("set", name, f.Format()).Add("dry_run", in.DryRun).Add("values", byteChanges(changed.Changes)).Add("notes", append([]string{}, changed.Notes...))
	if in.DryRun {
		return o, nil
	}
	f.Close()
	made, err := s.replace(c.Context(), name, "set", changed.Data, in.Backup)
	if err != nil {
		return nil, err
	}
	return o.Add("size", len(changed.Data)).Add("change", made.ID), nil
}

// byteChanges converts the changes of a value for the page.
func byteChanges(changes []archive.ByteChange) []question.ValueChange {
	list := []question.ValueChange{}
	for _, c := range changes {
		before, after := c.OldText, c.NewText
		if before == "" && after == "" {
			before, after = fmt.Sprintf("% x", c.Old), fmt.Sprintf("% x", c.New)
		}
		list = append(list, question.ValueChange{Change: archive.Changed, Path: c.Place, Old: &before, New: &after})
	}
	return list
}
