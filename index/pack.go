package index

import (
	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/pathname"
)

// pack adds an archive, what it lists, and the files in it that are of a known
// format.
func (w *walker) pack(f *File, a archive.Archive, s Source, depth int) {
	if name := a.PrimaryName(); name != "" && name != s.Name {
		return // its other file has the rows
	}
	row := Pack{File: f.File, Format: a.Format()}
	entries := a.Entries()
	known := true
	var size int64
	shown := make(map[string]int, len(entries)) // a path leads to the last of a name
	for i, e := range entries {
		shown[e.Name] = i
		known = known && e.Size >= 0
		size += e.Size
		row.StoredSize += e.StoredSize
		entry := Entry{
			File: f.File, Entry: int64(i), Name: e.Name, Size: number(e.Size), StoredSize: e.StoredSize,
			Compressed: e.Compressed, Encrypted: e.Encrypted, Method: e.Method, Hash: e.Hash,
		}
		if !e.ModTime.IsZero() {
			ms := e.ModTime.UnixMilli()
			entry.Modified = &ms
		}
		w.rows.Entries = append(w.rows.Entries, entry)
	}
	fill(&row, a.Facts())
	row.Entries = int64(len(entries))
	if row.Size = nil; known {
		row.Size = &size
	}
	w.rows.Packs = append(w.rows.Packs, row)
	for i, e := range entries {
		if w.ctx.Err() != nil {
			return
		}
		if shown[e.Name] != i || e.Problem != nil || pathname.Check(e.Name) != nil {
			continue
		}
		// One entry that cannot be read says so; the others go on.
		if _, err := w.nested(a, i, f, depth); err != nil {
			f.miss(fault.InEntry(err, e.Name))
		}
	}
}

// locked tells what stands in the clear in an archive that was not opened for
// want of a key.
func (w *walker) locked(f *File, format archive.Format, in archive.Input) {
	d, ok := format.(archive.Describer)
	if !ok || f.Status != StatusLocked {
		return
	}
	facts, err := d.Describe(in)
	if err != nil {
		return // the row has the error
	}
	row := Pack{File: f.File, Format: format.Name()}
	fill(&row, facts)
	w.rows.Packs = append(w.rows.Packs, row)
}

// verify adds what verification finds.
func (w *walker) verify(f *File, a archive.Archive) {
	opts := w.Options
	opts.Workers, opts.Progress = 1, nil
	report, err := a.Verify(w.ctx, opts)
	if err != nil {
		report = &archive.Report{}
		report.Add(finding.Error, err)
	}
	for _, v := range report.Findings {
		w.rows.Findings = append(w.rows.Findings, Finding{
			File: f.File, Source: "verify", Severity: string(v.Severity), Kind: v.Rule,
			Message: v.Message, Entry: text(v.Entry), Offset: number(v.Offset),
		})
	}
}
