package draft

import (
	"io"
	"path"
	"sort"
	"strings"

	"pakbox/archive"
	"pakbox/internal/lib/pathname"
)

// Edits lists the edits that turn the archive into the draft: removals, then renames,
// then new content. Nothing is written twice: a file that was made, renamed and changed
// is one edit, at its final path.
func (d *Draft) Edits() ([]archive.Edit, error) { return d.EditsBut(nil) }

// EditsBut is Edits without the new content for which hold returns true. If the archive
// has such a file, it stays unchanged.
func (d *Draft) EditsBut(hold func(item archive.Item) bool) ([]archive.Edit, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	key := func(name string) string { return name }
	if d.fold {
		key = strings.ToLower
	}
	s := &state{d: d, hold: hold, key: key, now: make([]string, len(d.laid)), put: map[string]bool{}}
	if err := s.walk(d.root, ""); err != nil {
		return nil, err
	}
	taken := s.leaving()
	var removes, renames []archive.Edit
	for i, l := range d.laid {
		now := s.now[i]
		if l.Err != nil || now == l.Path {
			continue
		}
		if now != "" && key(now) != key(l.Path) && taken(now) {
			entry := d.a.Entries()[l.Index]
			open := func() (io.ReadCloser, error) { return d.a.OpenEntry(l.Index) }
			s.add(archive.Item{Name: now, Size: entry.Size, ModTime: entry.ModTime, Open: open})
			now = ""
		}
		switch {
		case now != "":
			renames = append(renames, archive.Edit{Rename: &archive.Rename{From: l.Path, To: now}})
		case !s.put[key(l.Path)]:
			removes = append(removes, archive.Edit{Remove: l.Path})
		}
	}
	sort.SliceStable(s.puts, func(i, j int) bool { return s.puts[i].Put.Name < s.puts[j].Put.Name })
	return d.stored(append(append(removes, renames...), s.puts...)), nil
}

// stored converts the paths in edits to names in the archive's own form.
func (d *Draft) stored(edits []archive.Edit) []archive.Edit {
	root := d.a.Root()
	for i := range edits {
		switch e := &edits[i]; {
		case e.Put != nil:
			e.Put.Name = root.Stored(e.Put.Name)
		case e.Rename != nil:
			e.Rename.From, e.Rename.To = root.Stored(e.Rename.From), root.Stored(e.Rename.To)
		default:
			e.Remove = root.Stored(e.Remove)
		}
	}
	return edits
}

// leaving returns a function that reports whether a path becomes free only when an entry
// is renamed away: the entry had this path, a path below it, or the path of one of its
// folders. Such targets get their content as a new file. That avoids ordering the renames,
// which may form circles.
func (s *state) leaving() func(name string) bool {
	names, folders := map[string]bool{}, map[string]bool{}
	for i, l := range s.d.laid {
		if l.Err == nil && s.now[i] != "" && s.now[i] != l.Path {
			names[s.key(l.Path)] = true
			pathname.AddParents(folders, s.key(l.Path))
		}
	}
	return func(name string) bool {
		name = s.key(name)
		is := names[name] || folders[name]
		pathname.Parents(name, func(folder string) bool {
			is = is || names[folder]
			return !is
		})
		return is
	}
}

// state holds the final path of every entry while edits are made.
type state struct {
	d    *Draft
	hold func(archive.Item) bool
	key  func(string) string
	now  []string // path now of each element of laid, "" if it was removed
	put  map[string]bool
	puts []archive.Edit
}

func (s *state) walk(n *node, name string) error {
	if n.children == nil && n.from >= 0 {
		s.now[n.from] = name
		return nil
	}
	if n.children == nil {
		item, err := sized(n.item)
		if err != nil {
			return err
		}
		item.Name = name
		if s.hold != nil && s.hold(item) {
			s.put[s.key(name)] = true // keeps the archive's file at this path
			return nil
		}
		s.add(item)
		return nil
	}
	for _, c := range n.children {
		if err := s.walk(c, path.Join(name, c.name)); err != nil {
			return err
		}
	}
	return nil
}

func (s *state) add(item archive.Item) {
	s.put[s.key(item.Name)] = true
	s.puts = append(s.puts, archive.Edit{Put: &item})
}

// Changed reports whether the draft differs from the archive. New empty folders do not
// count.
func (d *Draft) Changed() bool {
	edits, err := d.Edits()
	return err != nil || len(edits) > 0
}
