package cli

import (
	"context"
	"pakbox/archive"
)

// listing is what ls says about one path.
type listing struct {
	path, format string
	groups       []archive.Group // the things with names that it holds; nil if it holds files
	entries      []archive.Entry
}

// list lists what a path leads to, or what of it matches its pattern.
func list(ctx context.Context, o *opener, t target) (*listing, error) {
	s, err := o.openAny(ctx, t.path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	l := &listing{path: s.path, format: s.Format(), entries: s.Entries()}
	if grouped, ok := s.Archive.(archive.Grouped); ok {
		l.groups = append([]archive.Group{}, grouped.Groups()...)
	}
	if t.pattern == "" {
		return l, nil
	}
	chosen, err := selectEntries(s, []string{t.pattern})
	if err != nil {
		return nil, err
	}
	l.entries = nil
	for _, e := range s.Entries() {
		if chosen[e.Name] {
			l.entries = append(l.entries, e)
		}
	}
	return l, nil
}

// object is the listing as JSON.
func (l *listing) object() *object {
	o := newObject("ls", l.path, l.format)
	if l.groups != nil {
		o.add("objects", groupObjects(l.groups))
	}
	return o.add("entries", l.entries)
}

func groupObjects(groups []archive.Group) []*object {
	objects := make([]*object, len(groups))
	for i, g := range groups {
		objects[i] = new(object).add("folder", g.Folder).add("size", g.Size).addFacts(g.Summary)
	}
	return objects
}
