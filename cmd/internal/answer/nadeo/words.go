package nadeo

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/table"
	"pakbox/nadeo/runs"
)

// Words describes how two GBX files differ, in terms that people use: the facts on their
// cards, blocks and items on maps, the splits of runs. There may be other differences.
func Words(x, y archive.Archive) []archive.ValueChange {
	holderX, ok := x.(*gbxarchive.Archive)
	holderY, ok2 := y.(*gbxarchive.Archive)
	if !ok || !ok2 {
		return nil
	}
	return append(factChanges(x.Facts(), y.Facts()), fileChanges(holderX.File(), holderY.File())...)
}

// fileChanges describes how two files differ besides their facts.
func fileChanges(f, g *gbx.File) []archive.ValueChange {
	m, err := maps.Of(f)
	n, err2 := maps.Of(g)
	if err == nil && err2 == nil {
		return append(medalChanges(m, n), layoutChanges(m, n)...)
	}
	return runChanges(runs.GhostsOf(f), runs.GhostsOf(g))
}

// LayoutChanges describes how the blocks, items and embedded files differ between two
// versions of a map file.
func LayoutChanges(before, after []byte) ([]archive.ValueChange, error) {
	var both [2]*maps.Map
	for i, data := range [][]byte{before, after} {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			return nil, err
		}
		if both[i], err = maps.Of(f); err != nil {
			return nil, err
		}
	}
	return layoutChanges(both[0], both[1]), nil
}

func layoutChanges(m, n *maps.Map) []archive.ValueChange {
	return append(table.Changes(table.On(m, false, true), table.On(n, false, true)), embeddedChanges(m, n)...)
}

// factChanges compares two cards. It skips sizes of files, and counts of things that are
// compared one by one.
func factChanges(x, y fact.Record) (changes []archive.ValueChange) {
	skip := []string{"file_size", "body_size", "block_count", "item_count", "baked_block_count", "embedded_items", "ghosts", "checkpoints",
		"thumbnail_sha256", "sample_count", "input_count", "race_time", "respawns", "version", "chunks", "medals"}
	old := map[string]fact.Value{}
	for _, f := range x {
		old[f.Name] = f
	}
	for _, f := range y {
		was, ok := old[f.Name]
		if !ok || f.Label == "" || f.Hidden || slices.Contains(skip, f.Name) {
			continue
		}
		if a, b := was.Text(), f.Text(); a != b {
			changes = append(changes, archive.ValueChange{Kind: archive.Changed, Path: strings.ToLower(f.Label), Old: a, New: b})
		}
	}
	return changes
}

// medalChanges compares the results required for the medals of two maps.
func medalChanges(m, n *maps.Map) (changes []archive.ValueChange) {
	x, y := m.Medals(), n.Medals()
	old, new := x.Texts(m.Scoring()), y.Texts(n.Scoring())
	for i, name := range maps.MedalNames {
		if old[i] != new[i] {
			changes = append(changes, archive.ValueChange{Kind: archive.Changed, Path: name + " medal", Old: old[i], New: new[i]})
		}
	}
	return changes
}

// embeddedChanges compares the embedded files of two maps, by name and size.
func embeddedChanges(m, n *maps.Map) (changes []archive.ValueChange) {
	x, err := m.EmbeddedFiles()
	y, err2 := n.EmbeddedFiles()
	if err != nil || err2 != nil {
		return nil // the list of changed values shows the difference
	}
	old := map[string]int64{}
	for _, f := range x.Files {
		old[f.Name] = f.Size
	}
	for _, f := range y.Files {
		size, ok := old[f.Name]
		delete(old, f.Name)
		switch {
		case !ok:
			changes = append(changes, archive.ValueChange{Kind: archive.Added, Path: "embedded " + f.Name, New: question.Count(f.Size, "byte")})
		case size != f.Size:
			changes = append(changes, archive.ValueChange{Kind: archive.Changed, Path: "embedded " + f.Name, Old: question.Count(size, "byte"), New: question.Count(f.Size, "byte")})
		}
	}
	for _, f := range x.Files {
		if size, gone := old[f.Name]; gone {
			changes = append(changes, archive.ValueChange{Kind: archive.Removed, Path: "embedded " + f.Name, Old: question.Count(size, "byte")})
		}
	}
	return changes
}

// runChanges compares runs by their times, checkpoint by checkpoint.
func runChanges(x, y []*runs.Ghost) (changes []archive.ValueChange) {
	for i := range max(len(x), len(y)) {
		run := fmt.Sprintf("ghost %d", i)
		switch {
		case i >= len(x):
			changes = append(changes, archive.ValueChange{Kind: archive.Added, Path: run, New: nadeo.TimeText(y[i].Time())})
		case i >= len(y):
			changes = append(changes, archive.ValueChange{Kind: archive.Removed, Path: run, Old: nadeo.TimeText(x[i].Time())})
		default:
			changes = append(changes, ghostChanges(run, x[i], y[i])...)
		}
	}
	return changes
}

func ghostChanges(run string, x, y *runs.Ghost) (changes []archive.ValueChange) {
	differ := func(what, old, new string) {
		if old != new {
			changes = append(changes, archive.ValueChange{Kind: archive.Changed, Path: run + ", " + what, Old: old, New: new})
		}
	}
	differ("driver", x.Player().Nick, y.Player().Nick)
	differ("login", x.Player().Login, y.Player().Login)
	differ("car", x.Car().ID.String(), y.Car().ID.String())
	a, b := x.Checkpoints(), y.Checkpoints()
	for i := range max(len(a), len(b)) {
		s, t := gbx.NoTime, gbx.NoTime
		if i < len(a) {
			s = a[i]
		}
		if i < len(b) {
			t = b[i]
		}
		differ(fmt.Sprintf("checkpoint %d", i+1), nadeo.TimeText(s), withGap(s, t))
	}
	differ("time", nadeo.TimeText(x.Time()), withGap(x.Time(), y.Time()))
	differ("respawns", fmt.Sprint(x.Respawns()), fmt.Sprint(y.Respawns()))
	differ("inputs", fmt.Sprint(x.InputCount()), fmt.Sprint(y.InputCount()))
	differ("samples", fmt.Sprint(x.SampleCount()), fmt.Sprint(y.SampleCount()))
	return changes
}

// withGap formats a time, and how much earlier or later it is than the old one.
func withGap(old, new gbx.Time) string {
	if old == gbx.NoTime || new == gbx.NoTime || old == new {
		return nadeo.TimeText(new)
	}
	return fmt.Sprintf("%s (%+.3f)", nadeo.TimeText(new), float64(new-old)/1000)
}
