package vpk42

import (
	"bytes"
	"context"
	"sort"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/bulk"
)

// Verify checks the archive against everything that the format specifies, except for the
// HMAC: [Open] has checked it.
//
// Findings come in this order: the header and the trailer, then the entries in stored
// order, each with its name, its place and its content, then the padding.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	report := &archive.Report{}
	a.verifyEnds(report)
	entries, err := archive.VerifyEntries(ctx, a.Tree, archive.EntryChecks{
		FileSize: a.in.Size,
		At: func(i int, kind fault.Kind) (int64, string) {
			if kind == fault.Overlap {
				return a.table[i].DataOffset, "DataOffset"
			}
			return a.table[i].offset, "FileName"
		},
		Failures: finding.Error, // also for an unknown algorithm
		Entry:    a.verifyEntry,
		Cost:     a.verifyCost,
	}, opts)
	if err != nil {
		return nil, err
	}
	report.Merge(entries)
	if err := a.verifyPadding(ctx, report); err != nil {
		return nil, err
	}
	return report, nil
}

// verifyEnds checks the bytes that belong to no entry: reserved bytes and trailer.
func (a *Archive) verifyEnds(report *archive.Report) {
	h := &a.header
	if i := firstNonzero(h.Reserved); i >= 0 {
		report.Add(finding.Error, fault.At(fault.ReservedNonzero, h.reservedOffset()+int64(i), "Reserved", "reserved bytes of the header are not zero"))
	}
	end := a.in.Size - trailerSize
	if extra := end - h.tableEnd(); extra > 0 {
		report.Add(finding.Error, fault.At(fault.TrailingData, h.tableEnd(), "", "%d bytes between table and trailer belong to nothing", extra))
	}
	if h.IsEncrypted {
		return
	}
	trailer := make([]byte, trailerSize)
	if n, err := a.in.ReadAt(trailer, end); n < len(trailer) {
		report.Add(finding.Error, readFault(err, end+int64(n)))
	} else if i := firstNonzero(trailer); i >= 0 {
		report.Add(finding.Error, fault.At(fault.NonzeroTrailer, end+int64(i), "HMAC-SHA256", "the archive is not encrypted, but its trailer is not zero"))
	}
}

// verifyEntry checks the names of an entry and the place of its data.
func (a *Archive) verifyEntry(i int, report *archive.Report) {
	e := &a.table[i]
	if len(e.FileName) > maxNameLength {
		// Real builds write version 2, with names of any length.
		severity := finding.Error
		if a.header.Version >= 2 {
			severity = finding.Warning
		}
		report.Add(severity, fault.InEntry(fault.At(fault.NameTooLong, e.offset, "FileName",
			"the name has %d bytes, the format allows %d", len(e.FileName), maxNameLength), e.FileName))
	}
	stored := e.FileName
	if a.header.FileNamesMangled {
		stored = MangledName(e.FileName)
	}
	if e.StoredName != stored {
		report.Add(finding.Error, fault.InEntry(fault.At(fault.BadEntry, e.offset, "StoredName", "is %q, but belongs to FileName as %q", e.StoredName, stored), e.FileName))
	}
	if a.hasPlace(e) && e.DataOffset%blockAlign != 0 {
		report.Add(finding.Error, fault.InEntry(fault.At(fault.Misaligned, e.DataOffset, "DataOffset",
			"the data does not begin at a multiple of %d", blockAlign), e.FileName))
	}
}

// nameKey is the same for names that mean the same file.
func nameKey(name string) string { return strings.ToLower(name) }

// hasPlace reports whether the data of an entry lies between header and table.
func (a *Archive) hasPlace(e *Entry) bool {
	return fault.KindOf(e.check(&a.header)) != fault.EntryRange
}

// byOffset lists the entries with a valid place, in the order of their offsets.
func (a *Archive) byOffset() []int {
	order := make([]int, 0, len(a.table))
	for i := range a.table {
		if a.hasPlace(&a.table[i]) {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return a.table[order[i]].DataOffset < a.table[order[j]].DataOffset })
	return order
}

// verifyCost is the memory needed to check an entry.
func (a *Archive) verifyCost(i int) int64 {
	e := &a.table[i]
	switch {
	case e.isLarge():
		return bulk.Block
	case e.IsCompressed:
		return max(0, e.StoredSize) + min(max(0, e.OriginalSize), a.limit)
	case e.IsEncrypted:
		return max(0, e.StoredSize)
	}
	return bulk.Block
}

// verifyPadding looks for data between the blocks. In an unencrypted archive no checksum
// covers it, and readers ignore it, so it is a warning. More bytes than the padding of a
// block were left unused by an edit: see append.go.
func (a *Archive) verifyPadding(ctx context.Context, report *archive.Report) error {
	buf := make([]byte, bulk.Block)
	gap := func(from, to int64) error {
		for off := from; off < to; {
			if err := ctx.Err(); err != nil {
				return err
			}
			part := buf[:min(to-off, int64(len(buf)))]
			if n, err := a.in.ReadAt(part, off); n < len(part) {
				report.Add(finding.Error, readFault(err, off+int64(n)))
				return nil
			}
			if i := firstNonzero(part); i >= 0 && to > alignUp(from) {
				report.Add(finding.Note, fault.At(fault.TrailingData, from, "", "%d bytes belong to no entry: an edit left them unused", to-from))
				return nil
			} else if i >= 0 {
				report.Add(finding.Warning, fault.At(fault.ReservedNonzero, off+int64(i), "padding", "the padding from 0x%x to 0x%x is not zero", from, to))
				return nil
			}
			off += int64(len(part))
		}
		return nil
	}
	end := int64(headerSize)
	for _, i := range a.byOffset() {
		e := &a.table[i]
		if err := gap(end, e.DataOffset); err != nil {
			return err
		}
		end = max(end, e.DataOffset+e.StoredSize)
	}
	return gap(end, a.header.EntryTableOffset)
}

var zeros [4096]byte

// firstNonzero returns the index of the first byte that is not zero, or -1.
func firstNonzero(b []byte) int {
	for off := 0; off < len(b); off += len(zeros) {
		part := b[off:min(off+len(zeros), len(b))]
		if bytes.Equal(part, zeros[:len(part)]) {
			continue
		}
		for i, c := range part {
			if c != 0 {
				return off + i
			}
		}
	}
	return -1
}
