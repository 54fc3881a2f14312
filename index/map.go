package index

import (
	"io"
	stdmaps "maps"
	"slices"
	"strings"

	"github.com/zeebo/blake3"

	"pakbox/finding"
	"pakbox/trackmania/lint"
	"pakbox/trackmania/maps"
)

// mapRows adds a map, the blocks and items on it, and the files that it needs.
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
	w.items(f, m)
	mapsTable.set(row, "embedded_count", w.embedded(f, m))
	w.rows.AddRow(mapsTable, row)
	w.dependencies(f, m)
	if w.Lint {
		w.findings(f, "lint", lint.Map(m, size))
	}
}

// blocks adds how often each block stands on the map.
func (w *walker) blocks(f *file, kind string, names blockNames) {
	slices.SortFunc(names.list, func(a, b blockName) int { return strings.Compare(a.name, b.name) })
	for _, n := range names.list {
		w.rows.add(mapBlocksTable, f.key, kind, n.name, n.count)
	}
}

// items counts items by name.
func (w *walker) items(f *file, m *maps.Map) {
	counts := map[string]int64{}
	for _, it := range m.Items() {
		counts[it.Model.ID.String()]++
	}
	for _, name := range slices.Sorted(stdmaps.Keys(counts)) {
		w.rows.add(mapItemsTable, f.key, name, counts[name])
	}
}

// embedded adds the files that the map brings along, and counts them.
func (w *walker) embedded(f *file, m *maps.Map) int {
	if len(m.EmbeddedZip()) == 0 {
		return 0
	}
	e, err := m.EmbeddedFiles()
	if err != nil {
		f.miss(err)
		return 0
	}
	for i := range e.Files {
		b := &e.Files[i]
		w.rows.add(embeddedTable, f.key, i, b.Name, b.Size, b.Packed, w.embeddedHash(b), b.Model, b.Listed, b.Used)
	}
	return len(e.Files)
}

// embeddedHash hashes a file that a map brings along. The hash is nil if the file
// cannot be unpacked.
func (w *walker) embeddedHash(b *maps.Embedded) any {
	r, err := b.Open()
	if err != nil {
		return nil
	}
	defer r.Close()
	hash, _ := w.hashed(r)
	return hash
}

// hashed hashes a content that is unpacked, and counts its bytes. The hash is nil
// if the content cannot be unpacked, or is more than may be.
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

// dependencies adds the files outside that the map uses, behind the references
// of the header.
func (w *walker) dependencies(f *file, m *maps.Map) {
	from := 0
	for i := range w.rows.Len(dependenciesTable) {
		if w.rows.Row(dependenciesTable, i)[0] == f.key {
			from++
		}
	}
	for i, d := range m.Dependencies() {
		w.rows.add(dependenciesTable, f.key, from+i, d.Kind, d.Path, d.URL, d.Uses)
	}
}

// findings adds findings of lint or of verification.
func (w *walker) findings(f *file, source string, list []finding.Finding) {
	for _, v := range list {
		w.rows.add(findingsTable, f.key, source, string(v.Severity), v.Rule, v.Message, v.Entry, notNegative(v.Offset))
	}
}
