package index

import (
	"io"
	stdmaps "maps"
	"slices"
	"strings"

	"github.com/zeebo/blake3"

	"pakbox/finding"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
	place "pakbox/nadeo/maps/table"
)

// mapRows adds the rows of a map, of its blocks and items, and of the files that it
// needs.
func (w *walker) mapRows(f *file, m *maps.Map, size int64) {
	row := mapsTable.rowOf(f)
	mapsTable.fill(row, maps.Facts.Columns(m))
	l := layoutOf(m.EachBareBlock(), m.BlockCount())
	l.set(row)
	w.blocks(f, "block", l.names)
	var baked blockNames
	for b, n := range m.BakedModels() {
		baked.add(b.Name, int64(n))
	}
	w.blocks(f, "baked", baked)
	used := w.items(f, m)
	for _, list := range [][]blockName{l.names.list, baked.list} {
		for _, n := range list {
			used[n.name] += n.count
		}
	}
	count, missing := w.embedded(f, m, used)
	mapsTable.set(row, "embedded_count", count)
	w.rows.AddRow(mapsTable, row)
	w.dependencies(f, m, missing, used)
	for i, c := range m.Clips() {
		w.clip(f, i, c.Use, &c.Clip)
	}
	if w.Places {
		w.places(f, m)
	}
	if w.Lint {
		w.findings(f, "lint", lint.Map(m, size))
	}
}

// blocks adds the number of blocks of each name.
func (w *walker) blocks(f *file, kind string, names blockNames) {
	slices.SortFunc(names.list, func(a, b blockName) int { return strings.Compare(a.name, b.name) })
	for _, n := range names.list {
		w.rows.add(mapBlocksTable, f.key, kind, n.name, n.count)
	}
}

// items counts items by name.
func (w *walker) items(f *file, m *maps.Map) (counts map[string]int64) {
	counts = map[string]int64{}
	for _, it := range m.Items() {
		counts[it.Model.ID.String()]++
	}
	for _, name := range slices.Sorted(stdmaps.Keys(counts)) {
		w.rows.add(mapItemsTable, f.key, name, counts[name])
	}
	return counts
}

// places adds the places of blocks and items.
func (w *walker) places(f *file, m *maps.Map) {
	n := 0
	for thing := range place.Each(m, true, true) {
		row := mapPlacesTable.rowOf(f)
		mapPlacesTable.set(row, "ordinal", n)
		mapPlacesTable.fill(row, thing.Record("")[1:])
		w.rows.AddRow(mapPlacesTable, row)
		n++
	}
}

// clip adds a clip of the media tracker.
func (w *walker) clip(f *file, ordinal int, use string, c *clips.Clip) {
	row := clipsTable.rowOf(f)
	clipsTable.set(row, "clip", ordinal)
	clipsTable.set(row, "use", use)
	clipsTable.fill(row, clips.Facts.Columns(c))
	w.rows.AddRow(clipsTable, row)
}

// embedded adds the files that are embedded in the map, and counts them. missing are the
// models that the map uses but does not embed.
func (w *walker) embedded(f *file, m *maps.Map, used map[string]int64) (count int, missing []string) {
	own := slices.ContainsFunc(slices.Collect(stdmaps.Keys(used)), func(name string) bool { return maps.IsOwnModel(name, "") })
	if len(m.EmbeddedZip()) == 0 && !own {
		return 0, nil
	}
	e, err := m.EmbeddedFiles()
	if err != nil {
		f.miss(err)
		return 0, nil
	}
	for i := range e.Files {
		b := &e.Files[i]
		w.rows.add(embeddedTable, f.key, i, b.Name, b.Size, b.StoredSize, w.embeddedHash(b), b.Model, b.Listed, b.Uses)
	}
	return len(e.Files), e.Missing
}

// embeddedHash hashes an embedded file. The hash is nil if the file cannot be unpacked.
func (w *walker) embeddedHash(b *maps.EmbeddedFile) any {
	r, err := b.Open()
	if err != nil {
		return nil
	}
	defer r.Close()
	hash, _ := w.hashed(r)
	return hash
}

// hashed hashes and counts unpacked content. The hash is nil if the content cannot be
// unpacked, or is larger than the bytes left.
func (w *walker) hashed(r io.Reader) (hash any, size int64) {
	limit := min(w.Options.EntryLimit(), w.bytes)
	h := blake3.New()
	n, err := io.Copy(h, io.LimitReader(r, limit+1))
	w.bytes -= min(n, limit)
	if err != nil || n > limit {
		return nil, 0
	}
	return h.Sum(nil), n
}

// dependencies adds the external files that the map uses, after the references of the
// header.
func (w *walker) dependencies(f *file, m *maps.Map, missing []string, used map[string]int64) {
	from := 0
	for i := range w.rows.Len(dependenciesTable) {
		if w.rows.Row(dependenciesTable, i)[0] == f.key {
			from++
		}
	}
	for _, d := range m.Outside() {
		w.rows.add(dependenciesTable, f.key, from, d.Kind, d.Path, d.URL, d.Uses)
		from++
	}
	for _, name := range missing {
		uses := int64(0)
		for other, n := range used {
			if maps.ModelKey(other) == maps.ModelKey(name) {
				uses += n
			}
		}
		w.rows.add(dependenciesTable, f.key, from, "item", name, nil, uses)
		from++
	}
}

// findings adds findings of lint or of verification.
func (w *walker) findings(f *file, source string, list []finding.Finding) {
	for _, v := range list {
		w.rows.add(findingsTable, f.key, source, string(v.Severity), v.Rule, v.Message, v.Entry, notNegative(v.Offset))
	}
}
