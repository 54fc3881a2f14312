package pck

import (
	"cmp"
	"context"
	"io"
	"slices"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/metin2"
)

// Verify checks names, places and content. The format has no checksums: content
// is right as far as its Zstandard frame can tell.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	entries := a.Entries()
	report := &archive.Report{Entries: len(entries)}
	a.checkNames(report)
	overlapping := archive.Overlapping(archive.Spans(entries, a.in.Size))
	excessive := archive.Excessive(entries, a.in.Size)
	a.checkPlaces(report, overlapping)
	if excessive {
		report.Add(finding.Error, archive.ExcessiveError(a.in.Size))
	}
	var total int64
	for _, e := range entries {
		total += e.StoredSize
	}
	opts.Begin(total)
	err := parallel.Ordered(ctx, opts.Workers, len(entries), 0, func(int) int64 { return 0 },
		func(ctx context.Context, i int) (part archive.Report, err error) {
			if _, ok := overlapping[i]; ok && excessive {
				part.Unchecked = 1
				return part, ctx.Err()
			}
			err = a.checkContent(ctx, i, &part)
			opts.Advance(entries[i].StoredSize)
			return part, err
		},
		func(_ int, part archive.Report) error {
			report.Merge(&part)
			return nil
		})
	return report, err
}

// checkContent unpacks one entry. The error is for work that was called off.
func (a *Archive) checkContent(ctx context.Context, i int, part *archive.Report) error {
	f, err := a.OpenEntry(i)
	if err == nil {
		part.Bytes, err = bulk.Copy(ctx, io.Discard, f)
		f.Close()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		part.Fail(archive.SeverityOf(err), fault.InEntry(err, a.Entries()[i].Name))
	}
	return nil
}

// checkNames looks for names that cannot be extracted, or that the client would
// not find.
func (a *Archive) checkNames(report *archive.Report) {
	seen := map[string]bool{}
	for i, e := range a.Entries() {
		raw := a.records[i].name
		low := string(metin2.Lower(raw))
		add := func(severity finding.Severity, kind fault.Kind, message string) {
			report.Add(severity, fault.InEntry(fault.At(kind, recordAt(i), "name", "%s", message), e.Name))
		}
		if len(raw) > maxName {
			add(finding.Error, fault.NameTooLong, "has no end within the field")
		}
		if err := metin2.Root.Check(e.Name); err != nil {
			report.Add(finding.Error, err)
		}
		if low != string(raw) {
			add(finding.Warning, fault.BadEntry, "holds capital letters; the client looks names up in lower case")
		}
		if seen[low] {
			add(finding.Error, fault.DuplicateName, "the name occurs more than once")
		}
		seen[low] = true
	}
}

// checkPlaces looks for data that entries share, and for data of none.
func (a *Archive) checkPlaces(report *archive.Report, overlapping map[int]int) {
	entries := a.Entries()
	spans := archive.Spans(entries, a.in.Size)
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(spans[i].Start, spans[j].Start) })
	end := a.dataBegin
	for _, i := range order {
		if spans[i].End == 0 {
			continue
		}
		if other, ok := overlapping[i]; ok {
			report.Add(finding.Error, fault.InEntry(fault.At(fault.Overlap, recordAt(i)+atOffset, "offset", "the data overlaps that of %s", entries[other].Name), entries[i].Name))
		}
		if spans[i].Start > end {
			report.Add(finding.Warning, fault.At(fault.TrailingData, end, "", "%d bytes belong to no entry", spans[i].Start-end))
		}
		end = max(end, spans[i].End)
	}
	if end < a.in.Size {
		report.Add(finding.Warning, fault.At(fault.TrailingData, end, "", "%d bytes at the end belong to no entry", a.in.Size-end))
	}
}
