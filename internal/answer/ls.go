package answer

import (
	"bytes"
	"context"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/internal/form"
	"pakbox/internal/question"
	"pakbox/internal/source"
)

// Listing lists the content of an archive or a folder.
type Listing struct {
	Groups  []archive.Group // its named objects; nil if it has plain files
	Entries []archive.Entry
}

// listParams choose entries.
type listParams struct {
	Pattern string `json:"pattern" arg:"" doc:"list only entries whose names match: * and ? stay in one folder, ** goes through all"`
}

// FileList is the question what an archive or a folder contains.
var FileList = question.New(&room, "ls", "what an archive or a folder holds", func(ctx context.Context, at *question.At, p listParams) (*Listing, error) {
	s, err := at.Opener.OpenAny(ctx, at.Path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	at.Path, at.Format = s.Path, s.Format()
	l := &Listing{Entries: s.Entries()}
	if len(l.Entries) > 0 && l.Entries[0].Record != nil {
		l.Entries[0].Record.Facts() // loads the shared data of all records while the file is open
	}
	if grouped, ok := s.Archive.(archive.Grouped); ok {
		l.Groups = append([]archive.Group{}, grouped.Groups()...)
	}
	if p.Pattern == "" {
		return l, nil
	}
	chosen, err := source.SelectEntries(s, []string{p.Pattern})
	if err != nil {
		return nil, err
	}
	l.Entries = nil
	for _, e := range s.Entries() {
		if chosen[e.Name] {
			l.Entries = append(l.Entries, e)
		}
	}
	return l, nil
})

// Subjects lists the fields of the answer, for its schema.
func (*Listing) Subjects() []*fact.Subject {
	return []*fact.Subject{{Name: "listing", Facts: []*fact.Fact{
		{Name: "objects", Kind: fact.Object, Doc: "things with names that a file holds, such as the objects of a pakset"},
		{Name: "entries", Kind: fact.Object, Doc: "entries in the order of the archive"},
	}}}
}

// AppendFields writes the fields of the answer's JSON.
func (l *Listing) AppendFields(b *bytes.Buffer) error {
	if l.Groups != nil {
		objects := make([]fact.Record, len(l.Groups))
		for i, g := range l.Groups {
			objects[i] = append(fact.Record{
				fact.Make("folder", "", fact.Text, g.Folder, ""),
				fact.Make("size", "", fact.Bytes, g.Size, ""),
			}, g.Summary...)
		}
		if err := (fact.Record{fact.Make("objects", "", fact.Object, objects, "")}).AppendFields(b); err != nil {
			return err
		}
	}
	b.WriteString(`,"entries":[`)
	for i, e := range l.Entries {
		if i > 0 {
			b.WriteByte(',')
		}
		line, err := entryFacts.Of(e).MarshalJSON()
		if err != nil {
			return err
		}
		b.Write(line)
	}
	b.WriteByte(']')
	return nil
}

// EntryFacts are the columns of a table of entries.
var EntryFacts = append([]*fact.Fact{form.Path}, entryFacts.Facts[:len(entryFacts.Facts)-2]...)

// EntryRow returns an entry as a row of a table.
func EntryRow(path string, e archive.Entry) fact.Record {
	return append(fact.Record{{Fact: form.Path, Value: path}}, entryFacts.Of(e)...)
}
