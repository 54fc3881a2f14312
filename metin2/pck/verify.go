package pck

import (
	"cmp"
	"context"
	"slices"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/span"
	"pakbox/metin2/internal/packname"
)

// Verify checks names, places and content. The format itself has no checksums: content is
// checked as far as its Zstandard frame allows.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	report := &archive.Report{}
	a.checkGaps(report)
	entries, err := archive.VerifyEntries(ctx, a.Tree, archive.EntryChecks{
		FileSize: a.in.Size,
		Key:      func(i int) string { return string(packname.Lower(a.records[i].name)) },
		At: func(i int, kind fault.Kind) (int64, string) {
			if kind == fault.Overlap {
				return recordAt(i) + atOffset, "offset"
			}
			return recordAt(i), "name"
		},
		Entry: a.checkName,
	}, opts)
	if err != nil {
		return nil, err
	}
	report.Merge(entries)
	return report, nil
}

// checkName looks for a name that the client would not find.
func (a *Archive) checkName(i int, report *archive.Report) {
	raw := a.records[i].name
	add := func(severity finding.Severity, kind fault.Kind, message string) {
		report.Add(severity, fault.InEntry(fault.At(kind, recordAt(i), "name", "%s", message), a.Entries()[i].Name))
	}
	if len(raw) > maxName {
		add(finding.Error, fault.NameTooLong, "has no end within the field")
	}
	if string(packname.Lower(raw)) != string(raw) {
		add(finding.Warning, fault.BadEntry, "holds capital letters; the client looks names up in lower case")
	}
}

// checkGaps looks for data that belongs to no entry.
func (a *Archive) checkGaps(report *archive.Report) {
	var spans []span.Span
	for _, e := range a.Entries() {
		spans = append(spans, span.In(e.Offset, e.StoredSize, a.in.Size))
	}
	slices.SortFunc(spans, func(s, t span.Span) int { return cmp.Compare(s.Start, t.Start) })
	end := a.dataBegin
	for _, s := range spans {
		if s.Start > end {
			report.Add(finding.Warning, fault.At(fault.TrailingData, end, "", "%d bytes belong to no entry", s.Start-end))
		}
		end = max(end, s.End)
	}
	if end < a.in.Size {
		report.Add(finding.Warning, fault.At(fault.TrailingData, end, "", "%d bytes at the end belong to no entry", a.in.Size-end))
	}
}
