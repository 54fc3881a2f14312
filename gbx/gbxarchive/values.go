package gbxarchive

import (
	"io"

	"pakbox/archive"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
)

// tree returns the values of the file.
func (a *Archive) tree() (*tree.Tree, error) { return tree.Of(a.file, engine.Registry()) }

// DumpText writes all values for people.
func (a *Archive) DumpText(w io.Writer, offsets bool) error {
	t, err := a.tree()
	if err != nil {
		return err
	}
	return t.WriteText(w, offsets)
}

// DumpJSON writes all values as members of a JSON object.
func (a *Archive) DumpJSON(w io.Writer) error {
	t, err := a.tree()
	if err != nil {
		return err
	}
	return t.WriteJSON(w)
}

// Coverage tells how much of the body was understood.
func (a *Archive) Coverage() (*archive.Coverage, error) {
	t, err := a.tree()
	if err != nil {
		return nil, err
	}
	total := a.file.Coverage()
	c := &archive.Coverage{Bytes: total.BodyBytes, Decoded: total.DecodedBytes}
	for _, p := range t.Coverage() {
		name := p.Chunk.String()
		if p.Chunk == 0 {
			name = "-"
		}
		c.Parts = append(c.Parts, archive.CoveredPart{Name: name, Class: p.Class, Header: p.Header, Count: p.Count, Bytes: p.Bytes, Decoded: p.Decoded})
	}
	return c, nil
}

// drain reads to the end.
func drain(r io.Reader) (int64, error) { return io.Copy(io.Discard, r) }

var (
	_ archive.Dumper = (*Archive)(nil)
)
