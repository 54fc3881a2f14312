package explore

import (
	"fmt"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/answer"
	"pakbox/internal/change"
	"pakbox/internal/form"
	"pakbox/internal/problem"
	"pakbox/trackmania/files"
	"pakbox/trackmania/maps"
)

// The page first shows a change, then makes it. Both use the same code; only the last
// step differs. A file in a served folder is replaced as by the commands. A dropped file
// is changed in memory, and the page offers the result for download.

// saving has the parameters that every change takes.
type saving struct {
	DryRun bool `json:"dry_run"`
	Backup bool `json:"backup"`
}

func (h saving) how() saving { return h }

// mapChange is a change of a map, as the page sends it.
type mapChange interface {
	how() saving
	// apply makes the change in memory. Its result is added to the answer.
	apply(m *maps.Map) (*form.Object, error)
}

// changing makes the route of a question that changes a map. limit is the largest request
// in bytes.
func changing(command string, limit int64, empty func() mapChange) route {
	return route{post: true, changes: true, takes: limit, answer: func(s *Explorer, c *call) (any, error) {
		in := empty()
		if err := decode(c, in); err != nil {
			return nil, err
		}
		return s.saveMap(c, command, in)
	}}
}

func (s *Explorer) saveMap(c *call, command string, wanted mapChange) (any, error) {
	name, how := c.param("path"), wanted.how()
	old, f, err := s.toChange(c, name)
	if err != nil {
		return nil, err
	}
	m, err := maps.Of(f)
	if err != nil {
		return nil, fault.InFile(err, name)
	}
	told, err := wanted.apply(m)
	if err != nil {
		return nil, fault.InFile(err, name)
	}
	data, err := f.Encode()
	if err != nil {
		return nil, err
	}
	o := form.New(command, name, "gbx").Add("dry_run", how.DryRun)
	if how.DryRun {
		changes, err := change.GBXChanges(old, data)
		if err != nil {
			return nil, err
		}
		return o.Add("values", answer.ValueChanges(changes)).Add("notes", files.Contradictions(f)).Merge(told), nil
	}
	made, err := s.replace(c.Context(), name, command, data, how.Backup)
	if err != nil {
		return nil, err
	}
	return o.Add("size", len(data)).Add("old_size", len(old)).Add("change", made.ID).Merge(told), nil
}

// toChange reads a GBX file that the page may change.
func (s *Explorer) toChange(c *call, name string) ([]byte, *gbx.File, error) {
	if !s.canChange(name) {
		return nil, nil, fault.InFile(fault.New(fault.Unsupported, "cannot be changed from here"), name)
	}
	k, err := s.openContent(c.Context(), name)
	if err != nil {
		return nil, nil, err
	}
	defer k.done()
	if !k.isGBX(c.Context()) {
		return nil, nil, fault.InFile(fault.New(fault.NotFormat, "is no GBX file"), name)
	}
	data, err := k.all(c.Context(), archive.Options{}.EntryLimit())
	if err != nil {
		return nil, nil, err
	}
	f, err := gbx.Parse(data, engine.Registry())
	return data, f, fault.InFile(err, name)
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
		return nil, fault.InFile(fault.New(fault.Unsupported, "cannot be changed from here"), name)
	}
	f, values, err := answer.OpenValues(c.Context(), s.opener.WithoutAsking(), name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	changed, err := values.Set([]archive.Assignment{{Path: in.Path, Value: in.Value}})
	if err != nil {
		return nil, problem.InFile(err, name)
	}
	o := form.New("set", name, f.Format()).Add("dry_run", in.DryRun).Add("values", byteChanges(changed.Changes)).Add("notes", append([]string{}, changed.Notes...))
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
func byteChanges(changes []archive.ByteChange) []answer.ValueChange {
	list := []answer.ValueChange{}
	for _, c := range changes {
		before, after := c.OldText, c.NewText
		if before == "" && after == "" {
			before, after = fmt.Sprintf("% x", c.Old), fmt.Sprintf("% x", c.New)
		}
		list = append(list, answer.ValueChange{Change: archive.Changed, Path: c.Place, Old: &before, New: &after})
	}
	return list
}
