package answer

import (
	"context"
	"fmt"
	"io"
	"strings"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// SetParams are new values of a file.
type SetParams struct {
	Values []string `json:"values" arg:"" value:"PATH=VALUE" doc:"values to set: PATH=VALUE, with the paths that dump and get show"`
}

// SetReport is the report about new values.
type SetReport struct {
	Changes []SetChange `json:"changes" doc:"bytes that differ"`

	// Bytes are the same changes, for people.
	Bytes []archive.ByteChange `json:"-"`
}

// SetChange is a stretch of bytes that a new value changes.
type SetChange struct {
	Part     string `json:"part" doc:"part of the file, such as header or body"`
	Place    string `json:"place" doc:"path of the value"`
	Offset   int64  `json:"offset" doc:"offset in the part"`
	Old      string `json:"old" doc:"bytes before, hexadecimal"`
	New      string `json:"new" doc:"bytes after, hexadecimal"`
	OldValue string `json:"old_value,omitempty" doc:"value before"`
	NewValue string `json:"new_value,omitempty" doc:"value after"`
}

// Set is the change of values of a file by their paths.
var Set = question.NewChange[SetParams, SetReport](&room, "set", "changes values of a file by their paths", func(ctx context.Context, at *question.At, p SetParams) (_ *question.Revision, err error) {
	s, values, err := OpenValues(ctx, at.Opener, at.Path)
	if err != nil {
		return nil, err
	}
	r := &question.Revision{Source: s}
	defer closeUnless(r, &err)
	at.Format = s.Format()
	assignments, err := p.assignments()
	if err != nil {
		return nil, err
	}
	if r.Old, err = content(ctx, at.Opener, s); err != nil {
		return nil, err
	}
	edited, err := values.Set(assignments)
	if err != nil {
		return nil, question.InFile(err, at.Path)
	}
	report := &SetReport{Changes: []SetChange{}, Bytes: edited.Changes}
	for _, c := range edited.Changes {
		report.Changes = append(report.Changes, SetChange{c.Part, c.Place, c.Offset, fmt.Sprintf("%x", c.Old), fmt.Sprintf("%x", c.New), c.OldText, c.NewText})
	}
	r.Data, r.Notes, r.Result = edited.Data, edited.Notes, report
	r.Values = func(_, _ []byte) ([]archive.ValueChange, error) { return byteChanges(edited.Changes), nil }
	if len(r.Notes) > 0 {
		r.Notes = append(r.Notes, "the commands of 'pakbox map' change all places at once")
	}
	r.Done = func(path string) string {
		return "changed " + path + ": " + question.Count(len(byteChanges(edited.Changes)), "value")
	}
	return r, nil
}).Labelled("Set values")

// Check rejects values without a path.
func (p SetParams) Check() error {
	_, err := p.assignments()
	return err
}

// assignments splits the parameters into paths and values.
func (p SetParams) assignments() ([]archive.Assignment, error) {
	if len(p.Values) == 0 {
		return nil, fault.Usagef("no value is given").Hint("write PATH=VALUE")
	}
	list := make([]archive.Assignment, len(p.Values))
	for i, text := range p.Values {
		path, value, ok := strings.Cut(text, "=")
		if !ok || path == "" {
			return nil, fault.Usagef("%q is not of the form PATH=VALUE", text).Hint("usage: pakbox set FILE... PATH=VALUE...")
		}
		list[i] = archive.Assignment{Path: path, Value: value}
	}
	return list, nil
}

// content reads the file that a change of values replaces. The path may lead on to a part
// of it.
func content(ctx context.Context, o *source.Opener, s *source.Source) ([]byte, error) {
	file := s.Path
	if !s.Whole {
		file = strings.TrimSuffix(file, "/"+s.Place.Inner)
	}
	in, closer, err := o.Input(ctx, file)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return io.ReadAll(io.NewSectionReader(in, 0, in.Size))
}

// byteChanges lists changed bytes as values that differ, each once. Sizes follow from the
// values, and are not listed.
func byteChanges(changes []archive.ByteChange) []archive.ValueChange {
	list := []archive.ValueChange{}
	for _, c := range changes {
		if c.Size {
			continue
		}
		before, after := c.OldText, c.NewText
		if before == "" && after == "" {
			before, after = fmt.Sprintf("% x", c.Old), fmt.Sprintf("% x", c.New)
		}
		list = append(list, archive.ValueChange{Kind: archive.Changed, Path: c.Place, Old: before, New: after})
	}
	return list
}
