package index

import (
	"io"
	"slices"
	"strings"

	"github.com/zeebo/blake3"

	"pakbox/trackmania/maps"
)

// mapRows adds a map, what stands on it and what it needs.
func (w *walker) mapRows(f *File, m *maps.Map, size int64) {
	row := Map{
		File: f.File, Mode: m.Mode().String(), Mood: text(m.Mood()), Comments: text(m.Comments()),
		Build: text(m.Build()), HasLightmap: m.HasLightmap(),
	}
	fillFrom(&row, m.Info())
	if row.ThumbnailSHA256 == nil {
		row.ThumbnailSize = nil
	}
	_, row.IsLapRace = m.Laps()
	l := layoutOf(m.EachBareBlock(), row.BlockCount)
	l.set(&row)
	w.blocks(f, "block", l.names)
	var baked blockNames
	for b, n := range m.BakedModels() {
		baked.add(b.Name, int64(n))
	}
	w.blocks(f, "baked", baked)
	w.items(f, m)
	row.EmbeddedCount = w.embedded(f, m)
	w.rows.Maps = append(w.rows.Maps, row)
	w.dependencies(f, m)
	if w.Lint {
		w.lint(f, m, size)
	}
}

// blocks adds how often each block stands on the map.
func (w *walker) blocks(f *File, kind string, names blockNames) {
	slices.SortFunc(names.list, func(a, b blockName) int { return strings.Compare(a.name, b.name) })
	for _, n := range names.list {
		w.rows.MapBlocks = append(w.rows.MapBlocks, MapBlock{File: f.File, Kind: kind, Name: n.name, Count: n.count})
	}
}

// items counts items by name.
func (w *walker) items(f *File, m *maps.Map) {
	counts := map[string]int64{}
	for _, it := range m.Items() {
		counts[it.Model.ID.String()]++
	}
	for _, name := range sortedKeys(counts) {
		w.rows.MapItems = append(w.rows.MapItems, MapItem{File: f.File, Name: name, Count: counts[name]})
	}
}

func sortedKeys(m map[string]int64) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.SortFunc(names, strings.Compare)
	return names
}

// embedded adds the files that the map brings along, and counts them.
func (w *walker) embedded(f *File, m *maps.Map) int64 {
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
		w.rows.Embedded = append(w.rows.Embedded, Embedded{
			File: f.File, Ordinal: int64(i), Name: b.Name, Size: b.Size, StoredSize: b.Packed, BLAKE3: w.embeddedHash(b),
			Model: text(b.Model), Listed: b.Listed, Used: int64(b.Used),
		})
	}
	return int64(len(e.Files))
}

// embeddedHash hashes a file that a map brings along; nil if it cannot be
// unpacked.
func (w *walker) embeddedHash(b *maps.Embedded) *Hash {
	r, err := b.Open()
	if err != nil {
		return nil
	}
	defer r.Close()
	limit := min(w.Options.EntryLimit(), w.bytes)
	h := blake3.New()
	n, err := io.Copy(h, io.LimitReader(r, limit+1))
	w.bytes -= min(n, limit)
	if err != nil || n > limit {
		return nil
	}
	hash := Hash(h.Sum(nil))
	return &hash
}

// dependencies adds the files outside that the map uses.
func (w *walker) dependencies(f *File, m *maps.Map) {
	from := 0
	for i := range w.rows.Dependencies { // behind the references of the header
		if w.rows.Dependencies[i].File == f.File {
			from++
		}
	}
	for i, d := range m.Dependencies() {
		uses := int64(d.Uses)
		w.rows.Dependencies = append(w.rows.Dependencies, Dependency{
			File: f.File, Ordinal: int64(from + i), Kind: d.Kind, Path: d.Path, URL: text(d.URL), Uses: &uses,
		})
	}
}

// lint adds what the lint of maps finds.
func (w *walker) lint(f *File, m *maps.Map, size int64) {
	for _, v := range m.Lint(size) {
		w.rows.Findings = append(w.rows.Findings, Finding{
			File: f.File, Source: "lint", Severity: string(v.Severity), Kind: v.Rule, Message: v.Message, Entry: text(v.Entry), Offset: number(v.Offset),
		})
	}
}
