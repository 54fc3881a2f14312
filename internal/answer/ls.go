package answer

import (
	"context"

	"pakbox/archive"
	"pakbox/internal/source"
)

// listing is what ls says about one path.
type listing struct {
	path, format string
	Groups       []archive.Group // the things with names that it holds; nil if it holds files
	Entries      []archive.Entry
}

// List lists what a path leads to, or what of it matches its pattern.
func List(ctx context.Context, o *source.Opener, t source.Target) (*listing, error) {
	s, err := o.OpenAny(ctx, t.Path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	l := &listing{path: s.Path, format: s.Format(), Entries: s.Entries()}
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
func (l *listing) Object() *Object {
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
