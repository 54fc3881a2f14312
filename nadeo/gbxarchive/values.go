package gbxarchive

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
	"pakbox/nadeo/maps"
)

// DumpText writes all values as text for people.
func (a *Archive) DumpText(w io.Writer, offsets bool) error {
	return tree.WriteText(w, a.file, offsets)
}

// DumpJSON writes values as members of a JSON object.
func (a *Archive) DumpJSON(w io.Writer, want *archive.Want) error {
	return tree.WriteJSON(w, a.file, want)
}

// Coverage states how much of the body was understood.
func (a *Archive) Coverage() (*archive.Coverage, error) {
	total := a.file.Coverage()
	c := &archive.Coverage{Bytes: total.BodyBytes, Decoded: total.DecodedBytes}
	for _, p := range total.Chunks {
		name := p.ID.String()
		if p.ID == 0 {
			name = "-"
		}
		c.Parts = append(c.Parts, archive.CoveredPart{
			Name: name, Class: engine.Registry().ClassName(p.ID.Class()), Header: p.Header, Count: p.Count, Bytes: p.Bytes, Decoded: p.Decoded,
		})
	}
	return c, nil
}

// Get returns the values at a path.
func (a *Archive) Get(path string) ([]archive.Value, error) {
	t := tree.Lazy(a.file)
	found, err := t.Resolve(path)
	if err != nil {
		return nil, err
	}
	values := make([]archive.Value, len(found))
	for i, m := range found {
		values[i] = archive.Value{Path: m.Path, JSON: t.JSON(m.Value)}
		var text bytes.Buffer
		if m.Value.Kind == tree.Leaf {
			text.WriteString(plain(m.Value))
		} else if err := t.WriteValue(&text, m.Value, false); err != nil {
			return nil, err
		}
		values[i].Text = strings.TrimSuffix(text.String(), "\n")
	}
	return values, nil
}

// Parts lists the paths of the chunks of the header and the main node. write writes the
// values of the i-th chunk as text.
func (a *Archive) Parts() (paths []string, write func(w io.Writer, i int) error, err error) {
	t, err := tree.Outline(a.file)
	if err != nil {
		return nil, nil, err
	}
	var writers []func(io.Writer) error
	chunks := 0
	add := func(above *tree.Value) {
		for i := range above.Children {
			child, n := &above.Children[i], 0
			if child.Kind == tree.Chunk {
				chunks++
				n = chunks
			}
			paths = append(paths, tree.ChildPath(above.Name, child))
			writers = append(writers, func(w io.Writer) error {
				if n > 0 {
					return tree.WritePartText(w, a.file, n)
				}
				return t.WriteValue(w, child, false)
			})
		}
	}
	add(&t.Header)
	add(&t.Body)
	return paths, func(w io.Writer, i int) error { return writers[i](w) }, nil
}

// plain is a text without quotes; other values have their usual form.
func plain(v *tree.Value) string {
	if s, err := strconv.Unquote(v.Text()); err == nil {
		return s
	}
	return v.Text()
}

// Set returns the file with changed values. The archive itself stays unchanged.
func (a *Archive) Set(assignments []archive.Assignment) (*archive.Revision, error) {
	f, err := a.again()
	if err != nil {
		return nil, err
	}
	for _, s := range assignments {
		if err := set(f, s); err != nil {
			return nil, err
		}
	}
	edit, err := tree.NewEdit(a.file, f)
	if err != nil {
		return nil, err
	}
	changed, err := gbx.Parse(edit.Data(), engine.Registry())
	if err != nil {
		return nil, err
	}
	changes, err := a.changes(edit, f, changed)
	if err != nil {
		return nil, err
	}
	return &archive.Revision{Data: edit.Data(), Changes: changes, Notes: newContradictions(a.file, changed)}, nil
}

// set sets the fact of a map, in all places that state it, or the value at a path.
func set(f *gbx.File, s archive.Assignment) error {
	if m, err := maps.Of(f); err == nil && maps.Facts.Sets(s.Path) {
		return maps.Facts.Set(m, s.Path, s.Value)
	}
	if parts := vector(s.Value); parts != nil {
		if isVector, err := setVector(f, s.Path, parts); isVector {
			return err
		}
	}
	_, err := tree.Set(f, s.Path, s.Value)
	return err
}

// vector returns the numbers of a vector as a dump prints it, (64, 64, 64); nil for another
// text.
func vector(value string) []string {
	inside, ok := strings.CutPrefix(strings.TrimSpace(value), "(")
	inside, closed := strings.CutSuffix(inside, ")")
	if !ok || !closed {
		return nil
	}
	parts := strings.Split(inside, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// setVector sets the values of a group that has as many as the vector. It reports whether the
// path leads to such a group.
func setVector(f *gbx.File, path string, parts []string) (isVector bool, err error) {
	found, err := tree.Lazy(f).Resolve(path)
	if err != nil || len(found) == 0 || len(found[0].Value.Children) != len(parts) {
		return false, nil
	}
	for _, child := range found[0].Value.Children {
		if child.Kind != tree.Leaf {
			return false, nil
		}
	}
	for i, child := range found[0].Value.Children {
		if _, err := tree.Set(f, found[0].Path+"."+child.Name, parts[i]); err != nil {
			return true, err
		}
	}
	return true, nil
}

// again returns the file as it was read, to be changed.
func (a *Archive) again() (*gbx.File, error) {
	if a.salvaged {
		return gbx.Parse(a.data, engine.Registry()) // the error is the reason why it cannot be changed
	}
	return a.file.Reparse()
}

// changes lists the changed bytes of an edit. It first checks that the edited file reads
// back as intended: a changed version or index can change the meaning of the bytes behind
// it.
func (a *Archive) changes(edit *tree.Edit, meant, read *gbx.File) ([]archive.ByteChange, error) {
	r, err := edit.Reread(read)
	if err == nil && !r.Same {
		if err = sameValues(meant, read); err == nil {
			r.Changes, err = tree.ByteDiff(a.file, read)
		}
	}
	if err != nil {
		return nil, err
	}
	if r.Exact {
		return r.Changes, nil
	}
	now := read.Coverage().Inexact
	if n := len(now); n > len(a.file.Coverage().Inexact) {
		return nil, &archive.ValueError{Path: now[n-1].Chunk.String(), Message: "could not be read any more: " + now[n-1].Reason}
	}
	return r.Changes, nil
}

// sameValues checks that two files have the same values, at any offsets.
func sameValues(meant, read *gbx.File) error {
	d, err := tree.Diff(meant, read)
	if err != nil {
		return err
	}
	if len(d) > 0 {
		return &archive.ValueError{Path: d[0].Path, Message: "would be read differently from a file with the new value, which therefore cannot be set by itself"}
	}
	return nil
}

// DiffValues lists the values that differ in another GBX file.
func (a *Archive) DiffValues(other archive.Archive) ([]archive.ValueChange, bool, error) {
	b, ok := other.(*Archive)
	if !ok {
		return nil, false, nil
	}
	list, err := tree.Diff(a.file, b.file)
	return list, true, err
}

var (
	_ archive.Dumper = (*Archive)(nil)
	_ archive.Valuer = (*Archive)(nil)
	_ archive.Differ = (*Archive)(nil)
)
