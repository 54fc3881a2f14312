package answer

import (
	"bytes"
	"context"
	"iter"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
)

// Content lists the content of an archive or a folder.
type Content struct {
	Groups  []archive.Group // its named objects; nil if it has plain files
	Entries []archive.Entry
}

// ListParams choose entries.
type ListParams struct {
	Pattern string `json:"pattern" request:"" doc:"list only entries whose names match: * and ? stay in one folder, ** goes through all"`
}

// FileList is the question what an archive or a folder contains.
var FileList = question.New(&room, "ls", "content of an archive or a folder", func(ctx context.Context, at *question.At, p ListParams) (*Content, error) {
	s, done, err := at.OpenAny(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	at.Path = s.Path
	l := &Content{Entries: s.Entries()}
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
func (*Content) Subjects() []*fact.Subject {
	return []*fact.Subject{{Name: "listing", Facts: []*fact.Fact{
		{Name: "objects", Kind: fact.Object, Doc: "things with names that a file holds, such as the objects of a pakset"},
		{Name: "entries", Kind: fact.Object, Doc: "entries in the order of the archive"},
	}}}
}

// AppendFields writes the fields of the answer's JSON.
func (l *Content) AppendFields(b *bytes.Buffer) error {
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
var EntryFacts = append([]*fact.Fact{question.PathFact}, entryFacts.Facts[:len(entryFacts.Facts)-2]...)

// Rows returns the entries, or the rows of a table, as rows.
func (l *Content) Rows(file string) iter.Seq[fact.Record] {
	return func(yield func(fact.Record) bool) {
		if l.isTable() {
			for _, g := range l.Groups {
				if !yield(g.Facts()) {
					return
				}
			}
			return
		}
		for _, e := range l.Entries {
			if !yield(append(fact.Record{{Fact: question.PathFact, Value: file}}, entryFacts.Of(e)...)) {
				return
			}
		}
	}
}

// Columns returns the columns of entries. Those of a table are in its rows.
func (l *Content) Columns() (all []*fact.Fact, usual []string) {
	if l.isTable() {
		return nil, l.Groups[0].Summary.Names()
	}
	return EntryFacts, []string{"name", "size", "stored_size", "method", "modified"}
}

// isTable reports whether the file is a table.
func (l *Content) isTable() bool { return len(l.Groups) > 0 && l.Groups[0].Row }
