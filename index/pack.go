package index

import (
	"errors"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/pathname"
)

// pack adds the rows of an archive, of its entries, and of the files in it with a known
// format.
func (w *walker) pack(f *file, a archive.Archive, s Source, depth int) {
	if name := a.PrimaryName(); name != "" && name != s.Name {
		return // the rows belong to the primary file of the pair
	}
	f.set("kind", "pack")
	list := a.Entries()
	known := true
	var size, stored int64
	shown := make(map[string]int, len(list)) // of several entries with one name, a path leads to the last
	for i, e := range list {
		shown[e.Name] = i
		var hash any
		if w.Contents && e.Problem == nil {
			hash, e.Size = w.entry(a, i)
		}
		known = known && e.Size >= 0
		size += e.Size
		stored += e.StoredSize
		w.rows.add(entriesTable, f.key, i, e.Name, notNegative(e.Size), e.StoredSize, e.Compressed, e.Encrypted, e.Method, e.Hash,
			fact.Known(e.ModTime.UnixMilli(), !e.ModTime.IsZero()), hash)
	}
	w.packRow(f, a.Format(), a.Facts(), map[string]any{"entries": len(list), "size": fact.Known(size, known), "stored_size": stored})
	if lost := nothingLeft(list); lost != nil { // the same result as verify
		f.refuse(lost)
	}
	for i, e := range list {
		if w.ctx.Err() != nil {
			return
		}
		if shown[e.Name] != i || e.Problem != nil || pathname.Check(e.Name) != nil {
			continue
		}
		// An entry that cannot be read does not stop the others.
		if _, err := w.nested(a, i, f, depth); err != nil {
			f.miss(fault.InEntry(err, e.Name))
		}
	}
}

// entry unpacks an entry, for its hash and its size. If this fails, it returns the stated
// size.
func (w *walker) entry(a archive.Archive, i int) (hash any, size int64) {
	if f, err := a.OpenEntry(i); err == nil {
		defer f.Close()
		if hash, size := w.hashed(f); hash != nil {
			return hash, size
		}
	}
	return nil, a.Entries()[i].Size
}

// isDamage reports whether an error is damage of a file, or a pointer in the place of its
// data file.
func isDamage(err error) bool { return errors.Is(err, fault.Corrupt) || errors.Is(err, fault.Pointer) }

// nothingLeft returns the damage if it prevents reading any entry, such as the missing
// data file of an index; nil if at least one entry can be read.
func nothingLeft(list []archive.Entry) (lost error) {
	for _, e := range list {
		if lost = e.Problem; !isDamage(lost) {
			return nil
		}
	}
	return lost
}

// packRow adds the row of an archive: its facts, and numbers that replace facts of the
// same name.
func (w *walker) packRow(f *file, format string, facts fact.Record, numbers map[string]any) {
	row := packsTable.rowOf(f)
	packsTable.fill(row, facts)
	packsTable.set(row, "format", format)
	for name, n := range numbers {
		packsTable.set(row, name, n)
	}
	w.rows.AddRow(packsTable, row)
}

// locked adds the unencrypted facts of an archive that could not be opened without a key.
func (w *walker) locked(f *file, format archive.Format, in archive.Input) {
	d, ok := format.(archive.Describer)
	if !ok || f.get("status") != StatusLocked {
		return
	}
	if facts, err := d.Describe(in); err == nil { // an error is already in the file's row
		f.set("kind", "pack")
		w.packRow(f, format.Name(), facts, nil)
	}
}

// verify adds the findings of verification.
func (w *walker) verify(f *file, a archive.Archive) {
	opts := w.Options
	opts.Workers, opts.Progress = 1, nil
	report, err := a.Verify(w.ctx, opts)
	if err != nil {
		report = &archive.Report{}
		report.Add(finding.Error, err)
	}
	w.findings(f, "verify", report.Findings)
}
