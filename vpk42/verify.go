package vpk42

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/metin2"
)

// verifyBudget bounds the memory of the entries that are being checked.
const verifyBudget = 64 << 20

// Verify checks the archive against everything the format promises. The HMAC
// is not among it: without it the archive would not have opened.
//
// Findings come in this order: the header and the trailer, then the entries
// as stored, each with its name, its place and its content, then the padding.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	report := &archive.Report{}
	a.verifyEnds(report)

	order := a.byOffset()
	overlapping := a.overlapping(order)
	places := a.verifyPlaces(order, overlapping)
	names := a.verifyNames()
	content, total := a.contentJobs(overlapping, report)
	opts.Begin(total)
	err := parallel.Ordered(ctx, opts.Workers, len(a.table), verifyBudget, a.verifyCost,
		func(ctx context.Context, i int) (error, error) {
			if !content[i] {
				return nil, nil
			}
			err := a.verifyContent(ctx, i)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			opts.Advance(a.table[i].StoredSize)
			return err, nil
		},
		func(i int, err error) error {
			report.Findings = append(report.Findings, names[i]...)
			report.Findings = append(report.Findings, places[i]...)
			if err != nil {
				report.Fail(finding.Error, err)
			}
			if content[i] {
				report.Bytes += max(0, a.table[i].OriginalSize)
			} else {
				report.Unchecked++
			}
			report.Entries++
			return nil
		})
	if err != nil {
		return nil, err
	}
	if err := a.verifyPadding(ctx, order, report); err != nil {
		return nil, err
	}
	return report, nil
}

// verifyEnds checks what belongs to no entry: reserved bytes and trailer.
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

// verifyNames checks the names of all entries.
func (a *Archive) verifyNames() [][]finding.Finding {
	found := make([][]finding.Finding, len(a.table))
	seen := make(map[string]bool, len(a.table))
	for i := range a.table {
		e := &a.table[i]
		add := func(severity finding.Severity, kind fault.Kind, field, message string) {
			found[i] = append(found[i], finding.Of(severity, fault.InEntry(fault.At(kind, e.offset, field, "%s", message), e.FileName)))
		}
		var unsafe *fault.Error
		if err := metin2.Root.Check(e.FileName); errors.As(err, &unsafe) {
			add(finding.Error, unsafe.Kind, "FileName", unsafe.Message)
		}
		if len(e.FileName) > maxNameLength {
			// Version 2 is what real builds write, and they do write these.
			severity := finding.Error
			if a.header.Version >= 2 {
				severity = finding.Warning
			}
			add(severity, fault.NameTooLong, "FileName", fmt.Sprintf("the name has %d bytes, the format allows %d", len(e.FileName), maxNameLength))
		}
		key := nameKey(e.FileName)
		if seen[key] {
			add(finding.Error, fault.DuplicateName, "FileName", "an earlier entry has the same name but for case, and cannot be reached")
		}
		seen[key] = true
	}
	return found
}

// nameKey is equal for names that mean the same file.
func nameKey(name string) string { return strings.ToLower(name) }

// byOffset lists the entries that have a valid place, by that place.
func (a *Archive) byOffset() []int {
	order := make([]int, 0, len(a.table))
	for i := range a.table {
		if fault.KindOf(a.table[i].check(&a.header)) != fault.EntryRange {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return a.table[order[i]].DataOffset < a.table[order[j]].DataOffset })
	return order
}

// overlapping finds the blocks that begin inside others.
func (a *Archive) overlapping(order []int) map[int]int {
	spans := make([]archive.Span, len(a.table))
	for _, i := range order {
		e := &a.table[i]
		spans[i] = archive.Span{Start: e.DataOffset, End: e.DataOffset + e.StoredSize}
	}
	return archive.Overlapping(spans)
}

// verifyPlaces checks that blocks are aligned and apart.
func (a *Archive) verifyPlaces(order []int, overlapping map[int]int) [][]finding.Finding {
	found := make([][]finding.Finding, len(a.table))
	for _, i := range order {
		e := &a.table[i]
		add := func(kind fault.Kind, format string, args ...any) {
			found[i] = append(found[i], finding.Of(finding.Error, fault.InEntry(fault.At(kind, e.DataOffset, "DataOffset", format, args...), e.FileName)))
		}
		if e.DataOffset%blockAlign != 0 {
			add(fault.Misaligned, "the data does not begin at a multiple of %d", blockAlign)
		}
		if other, ok := overlapping[i]; ok {
			add(fault.Overlap, "the data overlaps that of %q", a.table[other].FileName)
		}
	}
	return found
}

// contentJobs chooses the entries whose content is read: all of them, unless
// overlapping ones make the archive many times larger than its file. Reading
// those could take forever, and they are reported already.
func (a *Archive) contentJobs(overlapping map[int]int, report *archive.Report) (content []bool, total int64) {
	excessive := archive.Excessive(a.Entries(), a.in.Size)
	if excessive {
		report.Add(finding.Error, archive.ExcessiveError(a.in.Size))
	}
	content = make([]bool, len(a.table))
	for i := range a.table {
		_, overlaps := overlapping[i]
		if content[i] = !excessive || !overlaps; content[i] {
			total += max(0, a.table[i].StoredSize)
		}
	}
	return content, total
}

// verifyCost is the memory that checking an entry takes.
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

// verifyContent reads an entry to its end.
func (a *Archive) verifyContent(ctx context.Context, i int) error {
	e := &a.table[i]
	if err := e.check(&a.header); err != nil {
		return err
	}
	if e.isLarge() {
		f, err := a.openLarge(e)
		if err != nil {
			return fault.InEntry(err, e.FileName)
		}
		defer f.Close()
		_, err = bulk.Copy(ctx, io.Discard, f)
		return err
	}
	if e.IsCompressed || e.IsEncrypted {
		content, err := a.content(e)
		a.buffers.put(content)
		return fault.InEntry(err, e.FileName)
	}
	_, err := bulk.Copy(ctx, io.Discard, newStoredFile(a.in, e))
	return err
}

// verifyPadding looks for data between the blocks. Nothing covers it in an
// archive in clear, and no reader minds it, so it is a warning.
func (a *Archive) verifyPadding(ctx context.Context, order []int, report *archive.Report) error {
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
			if i := firstNonzero(part); i >= 0 {
				report.Add(finding.Warning, fault.At(fault.ReservedNonzero, off+int64(i), "padding", "the padding from 0x%x to 0x%x is not zero", from, to))
				return nil
			}
			off += int64(len(part))
		}
		return nil
	}
	end := int64(headerSize)
	for _, i := range order {
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
