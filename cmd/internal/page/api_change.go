package page

import (
	"cmp"
	"encoding/json"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
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
	at.Opener = at.Opener.Apart()
	defer at.Opener.CleanUp()
	data, err := r.Content(c.Context(), at.Opener)
	if err != nil {
		return nil, err
	}
	r.Close()
	made, err := s.replace(c.Context(), name, q.Name, data, how.Backup)
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
