package explore

import (
	"bytes"
	"fmt"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/answer"
	"pakbox/trackmania"
)

// A change is first shown, then made: both go the same way, and only the last
// step differs. A file in a folder that was given is replaced as the commands
// do; a dropped one is changed in memory, for the page to download.

// saving is what every change says about how to make it.
type saving struct {
	DryRun bool `json:"dry_run"`
	Backup bool `json:"backup"`
}

// changeGBX changes a GBX file.
func (s *Explorer) changeGBX(c *call, how saving, command string, change func(f *gbx.File) error) (any, error) {
	name := c.param("path")
	if !s.canChange(name) {
		return nil, fault.InFile(fault.New(fault.Unsupported, "cannot be changed from here"), name)
	}
	r, done, err := s.openContent(c.Context(), name, archive.DefaultMaxEntrySize)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err = b.ReadFrom(r)
	done()
	if err != nil {
		return nil, err
	}
	f, err := gbx.Parse(b.Bytes(), engine.Registry())
	if err != nil {
		return nil, fault.InFile(err, name)
	}
	if err := change(f); err != nil {
		return nil, fault.InFile(err, name)
	}
	data, err := f.Encode()
	if err != nil {
		return nil, err
	}
	o := answer.New(command, name, "gbx").Add("dry_run", how.DryRun)
	if how.DryRun {
		changes, err := answer.GBXChanges(b.Bytes(), data)
		if err != nil {
			return nil, err
		}
		return o.Add("values", answer.ValueChanges(changes)).Add("notes", trackmania.Contradictions(f)), nil
	}
	if err := s.files.Save(name, data, how.Backup); err != nil {
		return nil, err
	}
	s.open.forget()
	return o.Add("size", len(data)).Add("old_size", b.Len()), nil
}

// mapRename gives a map another name.
func (s *Explorer) mapRename(c *call) (any, error) {
	var in struct {
		saving
		Name string `json:"name"`
	}
	if err := decode(c, &in); err != nil {
		return nil, err
	}
	return s.changeGBX(c, in.saving, "map.rename", func(f *gbx.File) error {
		m, err := trackmania.MapOf(f)
		if err != nil {
			return err
		}
		if err := m.Rename(in.Name); err != nil {
			return err
		}
		return nil
	})
}

// mapMedals changes what the medals take.
func (s *Explorer) mapMedals(c *call) (any, error) {
	var in struct {
		saving
		Author string `json:"author"`
		Gold   string `json:"gold"`
		Silver string `json:"silver"`
		Bronze string `json:"bronze"`
	}
	if err := decode(c, &in); err != nil {
		return nil, err
	}
	return s.changeGBX(c, in.saving, "map.medals", func(f *gbx.File) error {
		m, err := trackmania.MapOf(f)
		if err != nil {
			return err
		}
		return answer.SetMedals(m, [4]string{in.Author, in.Gold, in.Silver, in.Bronze})
	})
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
		return nil, answer.InFile(err, name)
	}
	o := answer.New("set", name, f.Format()).Add("dry_run", in.DryRun).Add("values", byteChanges(changed.Changes)).Add("notes", append([]string{}, changed.Notes...))
	if in.DryRun {
		return o, nil
	}
	f.Close()
	if err := s.files.Save(name, changed.Data, in.Backup); err != nil {
		return nil, err
	}
	s.open.forget()
	return o.Add("size", len(changed.Data)), nil
}

// byteChanges are the changes that a value made, as the page shows them.
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
