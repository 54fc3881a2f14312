package maps

import (
	"bytes"
	"io"

	"pakbox/fault"
)

// MergeCount counts what was copied from another map.
type MergeCount struct{ Blocks, Items, Files int }

// Merge copies all blocks and items of another map, at their places, and the embedded
// files that they need. Both maps must have the same environment. Blocks that the game
// adds by itself are not copied. After an error, no block or item is placed.
func (m *Map) Merge(other *Map) (done MergeCount, err error) {
	if m.Collection() != other.Collection() {
		return done, fault.New(fault.Unsupported, "the maps are of %s and of %s", m.Collection(), other.Collection())
	}
	if done.Files, err = m.embedFrom(other); err != nil {
		return done, err
	}
	l := m.Layout()
	for b := range other.EachBlock() {
		if !m.OnMap(b) && other.OnMap(b) {
			return done, fault.New(fault.Limit, "%s at %d %d %d does not lie on the map, which is smaller", b.Name, b.Coord.X, b.Coord.Y, b.Coord.Z)
		}
		if err := m.CheckBlock(b); err != nil {
			return done, err
		}
		l.Blocks = append(l.Blocks, PlacedBlock{Block: *b})
		done.Blocks++
	}
	for _, it := range other.Items() {
		it.Model.ID, it.Model.Collection, it.Model.Author = freshID(it.Model.ID), freshID(it.Model.Collection), freshID(it.Model.Author)
		if err := m.CheckItem(&it); err != nil {
			return done, err
		}
		l.Items = append(l.Items, PlacedItem{Item: it})
		done.Items++
	}
	return done, l.Apply()
}

// embedFrom embeds the models that another map embeds and uses.
func (m *Map) embedFrom(other *Map) (n int, err error) {
	theirs, err := other.EmbeddedFiles()
	if err != nil {
		return 0, err
	}
	ours, err := m.EmbeddedFiles()
	if err != nil {
		return 0, err
	}
	for i := range theirs.Files {
		f := &theirs.Files[i]
		if f.Model == "" || f.Uses == 0 {
			continue
		}
		data, err := f.content()
		if err != nil {
			return n, err
		}
		if mine := ours.Model(f.Model); mine != nil {
			have, err := mine.content()
			if err == nil && !bytes.Equal(have, data) {
				err = fault.New(fault.Exists, "the maps bring different files along as %s", f.Name)
			}
			if err != nil {
				return n, err
			}
			continue
		}
		if err := m.AddEmbedded(f.UserPath(), data); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// maxEmbedded limits the size of an embedded file that is copied to another map.
const maxEmbedded = 64 << 20

func (e *EmbeddedFile) content() ([]byte, error) {
	in, err := e.Open()
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "embedded %s", e.Name)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxEmbedded+1))
	if err != nil || len(data) > maxEmbedded {
		return nil, fault.New(fault.Corrupt, "embedded %s cannot be read", e.Name)
	}
	return data, nil
}
