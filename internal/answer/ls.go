package answer

import (
	"context"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/internal/source"
)

// Listing is what ls says about one path.
type Listing struct {
	path, format string
	Groups       []archive.Group // the things with names that it holds; nil if it holds files
	Entries      []archive.Entry
}

// List lists what a path leads to, or what of it matches its pattern.
func List(ctx context.Context, o *source.Opener, t source.Target) (*Listing, error) {
	s, err := o.OpenAny(ctx, t.Path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	l := &Listing{path: s.Path, format: s.Format(), Entries: s.Entries()}
	if grouped, ok := s.Archive.(archive.Grouped); ok {
		l.Groups = append([]archive.Group{}, grouped.Groups()...)
	}
	if t.Pattern == "" {
		return l, nil
	}
	chosen, err := source.SelectEntries(s, []string{t.Pattern})
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
}

// Object is the listing as JSON.
func (l *Listing) Object() *Object {
	o := New("ls", l.path, l.format)
	if l.Groups != nil {
		o.Add("objects", groupObjects(l.Groups))
	}
	return o.Add("entries", l.Entries)
}

func groupObjects(groups []archive.Group) []*Object {
	objects := make([]*Object, len(groups))
	for i, g := range groups {
		objects[i] = new(Object).Add("folder", g.Folder).Add("size", g.Size).AddFacts(g.Summary)
	}
	return objects
}

// EntryFacts are the columns of a table of entries.
var EntryFacts = append([]*fact.Fact{pathFact}, entryFacts.Facts[:len(entryFacts.Facts)-1]...)

// EntryRow is an entry as a row of a table.
func EntryRow(path string, e archive.Entry) fact.Record {
	return append(fact.Record{{Fact: pathFact, Value: path}}, entryFacts.Of(e)...)
}
