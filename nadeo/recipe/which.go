package recipe

import (
	"strings"

	"pakbox/gbx"
	"pakbox/nadeo/maps"
)

// pattern is a name in which * stands for any text. Slashes and backslashes are equal.
type pattern string

func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }

// fits reports whether a name matches the pattern.
func (p pattern) fits(name string) bool {
	parts := strings.Split(slashed(string(p)), "*")
	name = slashed(name)
	last := len(parts) - 1
	if last == 0 {
		return name == parts[0]
	}
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1:last] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return strings.HasSuffix(rest, parts[last])
}

// with returns the new name for a name that matches the pattern. A * in the new name
// takes the text that the pattern's * matched.
func (p pattern) with(name, with string) string {
	if !strings.Contains(with, "*") {
		return with
	}
	before, after, _ := strings.Cut(string(p), "*")
	return strings.Replace(with, "*", name[len(before):len(name)-len(after)], 1)
}

// region is a part of the map: a box, or everything.
type region struct {
	maps.Box
	given, all bool
}

// on returns the region as a box on a map.
func (r *region) on(m *maps.Map) maps.Box {
	if r.all {
		return m.Grid()
	}
	return r.Box
}

// has reports whether a cell is in the region. The region "all" also contains cells
// outside the grid.
func (r *region) has(c gbx.Int3) bool { return !r.given || r.all || r.Box.Has(c) }

// which selects the blocks and items that a step changes.
type which struct {
	block, item       pattern
	hasBlock, hasItem bool
	in                region
}

// which reads the selection of a step. Without a selection the step is about everything.
func (f *fields) which() which {
	w := which{block: pattern(f.text("block")), item: pattern(f.text("item")), hasBlock: f.has("block"), hasItem: f.has("item"), in: f.box("in")}
	if w.hasBlock && w.block == "" || w.hasItem && w.item == "" {
		f.Fail("a name is missing")
	}
	return w
}

// some reads the selection of a step that must have one, because otherwise it would
// change the whole map.
func (f *fields) some() which {
	w := f.which()
	if !w.hasBlock && !w.hasItem && !w.in.given {
		f.Fail("which ones? say block=, item= or in=")
	}
	return w
}

// hasBlockOf reports whether a block is selected.
func (s *which) hasBlockOf(f *maps.Frame, b *maps.Block) bool {
	if s.hasItem && !s.hasBlock {
		return false
	}
	return (!s.hasBlock || s.block.fits(b.Name)) && s.in.has(f.CellOf(b))
}

// hasItemOf reports whether an item is selected.
func (s *which) hasItemOf(f *maps.Frame, it *maps.Item) bool {
	if s.hasBlock && !s.hasItem {
		return false
	}
	return (!s.hasItem || s.item.fits(it.Model.ID.String())) && s.in.has(f.CellAt(it.Position))
}
