package pak

import (
	"cmp"
	"context"
	"crypto/md5"
	"fmt"
	"io"
	"maps"
	"slices"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/span"
)

// Check compares one stored value with the file.
type Check struct {
	Name   string `json:"name"`   // name of the field with the value
	Covers string `json:"covers"` // what the value is computed from
	Holds  bool   `json:"holds"`
	Known  bool   `json:"known"` // real packs have shown that the value covers this
}

// checks compares the checksums of the pack as a whole.
func (p *Pack) checks() ([]Check, error) {
	var list []Check
	if p.Version >= 6 {
		holds, err := p.contentsHold()
		if err != nil {
			return nil, err
		}
		list = append(list, contentsCheck(holds))
	}
	covers := "MD5 of the private header"
	if p.Version >= 6 {
		covers = "MD5 of the clear header behind its flags, and of the private header"
	}
	list = append(list, Check{"headerMD5", covers, p.md5Holds, p.known()})
	if p.Version >= 14 && p.hasMetadata() {
		sum := md5.New()
		start := min(int64(p.GbxHeadersStart), p.size)
		if _, err := io.Copy(sum, io.NewSectionReader(p.ra, start, p.size-start)); err != nil {
			return nil, err
		}
		list = append(list, Check{"gbxHeadersMD5", "MD5 of the metadata section", [16]byte(sum.Sum(nil)) == p.GbxHeadersMD5, p.known()})
	}
	if p.Version >= 16 {
		list = append(list, Check{"fileSize", "length of the file", int64(p.FileSize) == p.size, true})
	}
	return list, nil
}

func contentsCheck(holds bool) Check {
	return Check{"ContentsChecksum", fmt.Sprintf("SHA-256 of the file from byte %d", checkedOffset), holds, true}
}

// reportChecks adds each failed check as a finding about the header at offset at.
func reportChecks(report *archive.Report, checks []Check, at int64) {
	for _, c := range checks {
		if c.Holds {
			continue
		}
		severity := finding.Error
		if !c.Known {
			severity = finding.Warning
		}
		report.Add(severity, fault.At(fault.HashMismatch, at, c.Name, "does not fit: %s", c.Covers))
	}
}

// VerifyLocked checks the contents checksum, which needs no key. Before version
// 6 the checksum is missing.
func (Format) VerifyLocked(ctx context.Context, in archive.Input, _ archive.Options) (*archive.Report, error) {
	h, at, err := ReadHeader(in, in.Size)
	if err != nil || h.Version < 6 {
		return nil, err
	}
	holds, err := h.contentsHold(bulk.ReaderAt(ctx, in), in.Size)
	if err != nil {
		return nil, err
	}
	checks := []Check{contentsCheck(holds)}
	report := &archive.Report{Bytes: in.Size - checkedOffset, Facts: fact.Record{checksFact(checks)}}
	reportChecks(report, checks, at)
	return report, nil
}

func checksFact(checks []Check) fact.Value {
	return fact.Make("checks", "Checks", fact.Object, checks, checkText(checks))
}

// Verify checks all checksums, the places of the entries, and all content that can be
// decoded. Content that cannot be decoded, for example because a key is missing, is a
// warning and counts as unchecked.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	p := a.pack
	report := &archive.Report{}
	checks, err := p.checks()
	if err != nil {
		return nil, err
	}
	reportChecks(report, checks, p.headerAt)
	if records, err := p.Metadata(); err != nil {
		report.Add(p.doubted(finding.SeverityOf(err)), err)
	} else {
		report.Facts = append(report.Facts, fact.Make("metadata_records", "Metadata records", fact.Count, len(records), ""))
	}
	for _, err := range p.overlaps() {
		report.Add(finding.Warning, err)
	}
	// For each entry: whether the checksum of its slot is right, and whether its content
	// could be decoded.
	slots, decoded := make([]bool, len(p.Files)), make([]bool, len(p.Files))
	entries, err := archive.VerifyEntries(ctx, a.Tree, archive.EntryChecks{
		Names: finding.Warning,
		Key:   func(i int) string { return p.paths[i] },
		Content: func(ctx context.Context, i int, report *archive.Report) error {
			slots[i], decoded[i] = a.checkEntry(i, report)
			return ctx.Err()
		},
		Cost: func(i int) int64 { return int64(p.Files[i].UncompressedSize) },
	}, opts)
	if err != nil {
		return nil, err
	}
	report.Merge(entries)
	if p.Version >= 14 {
		n := countAll(slots)
		checks = append(checks, Check{"file.checksum", fmt.Sprintf("MD5 of each stored slot: %d of %d hold", n, len(p.Files)), n == len(p.Files), p.known()})
	}
	report.Facts = append(report.Facts,
		checksFact(checks),
		fact.Make("decoded_entries", "Decoded", fact.Count, countAll(decoded), fmt.Sprintf("%d of %d entries", countAll(decoded), len(p.Files))),
	)
	return report, nil
}

// countAll counts the values that are true.
func countAll(list []bool) (n int) {
	for _, is := range list {
		n += count(is)
	}
	return n
}

// overlaps finds entries whose stored data overlaps.
func (p *Pack) overlaps() (found []error) {
	spans := make([]span.Span, len(p.Files))
	for i := range p.Files {
		spans[i] = span.Span{Start: p.start(i), End: p.start(i) + p.slotSize(&p.Files[i])}
	}
	overlapping := span.Overlapping(spans)
	for _, i := range slices.SortedFunc(maps.Keys(overlapping), func(i, j int) int { return cmp.Compare(p.start(i), p.start(j)) }) {
		found = append(found, fault.InEntry(fault.At(fault.Overlap, p.start(i), "file.offset", "shares its place with %s", p.paths[overlapping[i]]), p.paths[i]))
	}
	return found
}

func checkText(checks []Check) string {
	text := ""
	for i, c := range checks {
		if i > 0 {
			text += "; "
		}
		state := "holds"
		if !c.Holds {
			state = "does not hold"
		}
		text += c.Name + " " + state + " (" + c.Covers + ")"
	}
	return text
}

// checkEntry checks the slot and the content of an entry.
func (a *Archive) checkEntry(i int, report *archive.Report) (slot, content bool) {
	p := a.pack
	if err := p.checkRange(i); err != nil {
		report.Add(finding.Error, fault.InEntry(err, p.paths[i]))
		return false, false
	}
	if p.Version >= 14 {
		err := p.checkSlot(i)
		if slot = err == nil; err != nil {
			report.Add(p.doubted(finding.Error), fault.InEntry(err, p.paths[i]))
		}
	}
	// Before version 6 only compressed content has a checksum.
	report.Uncovered = count(p.Version < 6 && !p.Files[i].Compressed())
	src, err := a.content(i)
	records, _ := p.metadata()
	var head []byte
	if err == nil {
		head, report.Bytes, err = readWithHead(src, records[i] != nil)
	}
	if bad := a.checkRecord(i, head); err == nil && bad != nil {
		report.Add(finding.Note, fault.InEntry(bad, p.paths[i]))
	}
	if err != nil {
		report.Fail(finding.SeverityOf(err), fault.InEntry(err, p.paths[i]))
	}
	return slot, err == nil
}

// doubted returns the severity of a failed check. It is a warning if the meaning of the
// checksum is not known for this version.
func (p *Pack) doubted(s finding.Severity) finding.Severity {
	if p.known() {
		return s
	}
	return finding.Warning
}

// readWithHead reads content to its end, and returns its length and, if asked for, its
// beginning.
func readWithHead(src io.Reader, wanted bool) (head []byte, n int64, err error) {
	if wanted {
		if head, err = readHead(src); err != nil {
			return head, int64(len(head)), err
		}
	}
	n, err = io.Copy(io.Discard, src)
	return head, int64(len(head)) + n, err
}
