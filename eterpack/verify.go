package eterpack

import (
	"bytes"
	"cmp"
	"context"
	"hash/crc32"
	"io"
	"maps"
	"slices"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/lib/wire"
)

// verifyBudget bounds the data in memory while verifying.
const verifyBudget = 64 << 20

// Verify checks the index, the layout of the data file and the content of
// every entry. Findings come in that order, those about entries as stored.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	entries := a.Entries()
	report := &archive.Report{Entries: len(entries)}
	a.checkIndex(report)
	a.checkNames(report)
	a.checkLayout(report)

	var total int64
	for _, e := range entries {
		total += e.StoredSize
	}
	opts.Begin(total)
	overlapping := archive.Overlapping(archive.Spans(entries, a.epk.Size))
	excessive := archive.Excessive(entries, a.epk.Size)
	if excessive {
		report.Add(finding.Warning, archive.ErrExcessive(a.epk.Size))
	}
	codecs := map[codec]int{}
	err := parallel.Ordered(ctx, opts.Workers, len(entries), verifyBudget,
		func(i int) int64 {
			if a.index.records[a.record[i]].kind == typeRaw {
				return 0 // read piece by piece
			}
			return entries[i].StoredSize + max(entries[i].Size, 0)
		},
		func(ctx context.Context, i int) (checked, error) {
			if _, ok := overlapping[i]; ok && excessive {
				return checked{Report: archive.Report{Unchecked: 1}}, ctx.Err()
			}
			c, err := a.checkEntry(ctx, i)
			opts.Advance(entries[i].StoredSize)
			return c, err
		},
		func(_ int, c checked) error {
			report.Merge(&c.Report)
			if c.codec != "" {
				codecs[c.codec]++
			}
			return nil
		})
	for _, c := range []codec{codecLZO, codecLZ4} {
		if n := codecs[c]; n > 0 {
			report.Facts = append(report.Facts, archive.Fact{Name: string(c) + "_entries", Label: "Entries packed with " + string(c), Value: n})
		}
	}
	return report, err
}

// checkIndex looks at what belongs to the table as a whole.
func (a *Archive) checkIndex(report *archive.Report) {
	x := a.index
	if n := len(x.tail); n > 0 {
		at := int64(headSize + len(x.records)*recordSize)
		report.Add(finding.Warning, fault.At(fault.TrailingData, at, "", "%d bytes follow the records of the index", n))
	}
	if x.spare != 0 && x.spare != objectSpare {
		report.Add(finding.Warning, fault.At(fault.TrailingData, a.eix.Size-int64(x.spare), "", "%d bytes follow the encrypted index", x.spare))
	}
	ids := make(map[int32]int, len(x.records))
	for i := range x.records {
		r := &x.records[i]
		if first, ok := ids[r.id]; ok {
			report.Add(finding.Warning, fault.InEntry(fault.At(fault.BadEntry, r.offset, "id", "%d is also the id of record %d", r.id, first), showName(r.name)))
		} else {
			ids[r.id] = i
		}
		if r.free() {
			continue
		}
		// Writers that do not clear their memory leave it in the padding.
		if leftover(r.raw[atName+len(r.name):atNameCRC]) || leftover(r.raw[atKind+1:]) {
			report.Add(finding.Warning, fault.InEntry(fault.At(fault.ReservedNonzero, r.offset, "padding", "is not zero"), showName(r.name)))
		}
	}
}

func leftover(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) > 0 }

// checkNames looks for names that cannot be extracted, or that the client
// would not find.
func (a *Archive) checkNames(report *archive.Report) {
	names, sums := map[string]bool{}, map[uint32]string{}
	for i, e := range a.Entries() {
		r := &a.index.records[a.record[i]]
		add := func(s finding.Severity, k fault.Kind, field string, off int64, format string, args ...any) {
			report.Add(s, fault.InEntry(fault.At(k, r.offset+off, field, format, args...), e.Name))
		}
		if len(r.name) > maxName {
			add(finding.Error, fault.NameTooLong, "filename", atName, "has no end within the field")
		}
		if err := archive.CheckName(e.Name); err != nil {
			report.Add(finding.Error, fault.InEntry(err, e.Name))
		}
		low := lower(r.name)
		if !bytes.Equal(low, r.name) {
			add(finding.Warning, fault.BadEntry, "filename", atName, "holds capital letters; the client looks names up in lower case")
		}
		if sum := nameCRC(r.name); sum != r.nameCRC {
			add(finding.Error, fault.HashMismatch, "filename_crc", atNameCRC, "the CRC-32 of the name is %08x, not %08x; the client does not find it", sum, r.nameCRC)
		}
		if names[string(low)] {
			add(finding.Error, fault.DuplicateName, "filename", atName, "the name occurs more than once")
		} else if other, ok := sums[r.nameCRC]; ok {
			add(finding.Warning, fault.DuplicateName, "filename_crc", atNameCRC, "%08x is also that of %s; a client that goes by it alone finds only one", r.nameCRC, other)
		}
		names[string(low)], sums[r.nameCRC] = true, e.Name
	}
}

// checkLayout looks at how slots share the data file.
func (a *Archive) checkLayout(report *archive.Report) {
	records := a.index.records
	used, all := make([]archive.Span, len(records)), make([]archive.Span, len(records))
	end := int64(0)
	for i := range records {
		r := &records[i]
		end = max(end, r.end())
		if r.position < 0 || !r.free() && a.checkRange(r) != nil {
			continue
		}
		if all[i] = (archive.Span{Start: int64(r.position), End: r.end()}); !r.free() {
			used[i] = all[i]
		}
	}
	pairs := overlaps(archive.Overlapping(used))
	for _, p := range overlaps(archive.Overlapping(all)) {
		if records[p[0]].free() != records[p[1]].free() {
			pairs = append(pairs, p)
		}
	}
	slices.SortStableFunc(pairs, func(x, y [2]int) int { return cmp.Compare(records[x[0]].position, records[y[0]].position) })
	for _, p := range pairs {
		report.Add(overlap(&records[p[0]], &records[p[1]]))
	}
	if end < a.epk.Size {
		report.Add(finding.Warning, fault.At(fault.TrailingData, end, "", "%d bytes of the %s belong to no slot", a.epk.Size-end, dataExt))
	}
}

// overlaps lists pairs in an order that is always the same.
func overlaps(found map[int]int) (pairs [][2]int) {
	for _, i := range slices.Sorted(maps.Keys(found)) {
		pairs = append(pairs, [2]int{i, found[i]})
	}
	return pairs
}

// overlap describes two slots that share space.
func overlap(r, other *record) (finding.Severity, error) {
	if r.free() {
		r, other = other, r
	}
	where := func(severity finding.Severity, format string, args ...any) (finding.Severity, error) {
		return severity, fault.InEntry(fault.At(fault.Overlap, r.offset+atPosition, "data_position", format, args...), showName(r.name))
	}
	switch {
	case other.free():
		return where(finding.Warning, "the slot at %d shares space with a free one at %d, which a packer may fill", r.position, other.position)
	case r.position == other.position && r.dataSize == other.dataSize:
		return where(finding.Warning, "shares its data with %s", showName(other.name))
	}
	return where(finding.Error, "the slot at %d overlaps that of %s at %d", r.position, showName(other.name), other.position)
}

// checked is what was found out about one entry.
type checked struct {
	archive.Report
	codec codec
}

func (c *checked) add(severity finding.Severity, name string, err error) {
	c.Report.Add(severity, fault.InEntry(err, name))
}

// checkEntry reads one entry. The error is for work that was called off.
func (a *Archive) checkEntry(ctx context.Context, i int) (checked, error) {
	e, r := a.Entries()[i], &a.index.records[a.record[i]]
	var c checked
	if err := a.checkRange(r); err != nil {
		c.add(finding.Error, e.Name, err)
		return c, ctx.Err()
	}
	if want := slotSize(int64(r.dataSize)); int64(r.slotSize) < want || r.slotSize%slotUnit != 0 {
		c.add(finding.Warning, e.Name, fault.At(fault.SizeMismatch, r.offset+atSlotSize, "real_data_size",
			"a slot of %d bytes for %d; packers make it %d", r.slotSize, r.dataSize, want))
	}
	sum, err := a.checkContent(ctx, r, e, &c)
	if err != nil {
		return c, err
	}
	if sum != r.dataCRC {
		severity := finding.Error
		if r.kind == typeCompress || r.kind > 3 {
			// A known packer writes a wrong one, and the client never looks.
			severity = finding.Warning
		}
		c.add(severity, e.Name, crcError(r, sum))
	}
	a.checkSlack(r, e.Name, &c)
	return c, ctx.Err()
}

// checkContent unpacks the entry and returns the CRC-32 of what is stored.
func (a *Archive) checkContent(ctx context.Context, r *record, e archive.Entry, c *checked) (uint32, error) {
	if r.kind != typeCompress && r.kind != typeEncrypted {
		if e.Problem != nil {
			c.Fail(finding.Warning, fault.InEntry(fault.New(fault.KindOf(e.Problem), "not checked: %s", e.Method), e.Name))
		} else {
			c.Bytes = e.Size
		}
		return a.streamCRC(ctx, r)
	}
	blob, err := a.blob(r)
	if err != nil {
		return 0, err
	}
	sum := crc32.ChecksumIEEE(blob)
	h, err := parseObjectHeader(blob, int64(r.position))
	if err == nil {
		var content []byte
		content, c.codec, err = a.decode(r, blob)
		c.Bytes = int64(len(content))
	}
	switch {
	case fault.KindOf(err) == fault.WrongKey && sum != r.dataCRC:
		// Told by its CRC: the data is damaged, the key may be right.
	case err != nil:
		c.Fail(finding.Error, fault.InEntry(err, e.Name))
	default:
		a.checkObject(r, h, e.Name, c)
	}
	return sum, nil
}

// checkObject looks at the container of an entry that could be unpacked.
func (a *Archive) checkObject(r *record, h objectHeader, name string, c *checked) {
	if encrypted := h.encryptSize != 0; encrypted != (r.kind == typeEncrypted) {
		c.add(finding.Warning, name, fault.At(fault.BadEntry, r.offset+atKind, "compressed_type", "type %d, but encrypt_size is %d", r.kind, h.encryptSize))
	}
	spare := h.spare(int(r.dataSize))
	if spare != 0 && !(spare == objectSpare && h.encryptSize != 0) {
		c.add(finding.Warning, name, fault.At(fault.TrailingData, int64(r.position)+int64(r.dataSize)-int64(spare), "",
			"%d bytes follow the crypted object", spare))
	}
}

// streamCRC reads the data piece by piece.
func (a *Archive) streamCRC(ctx context.Context, r *record) (uint32, error) {
	h := crc32.NewIEEE()
	_, err := bulk.Copy(ctx, h, io.NewSectionReader(a.epk, int64(r.position), int64(r.dataSize)))
	return h.Sum32(), err
}

// maxSlack bounds how much of a slot behind the data is looked at: a slot that
// was once used for more may be of any size.
const maxSlack = 64 << 10

// checkSlack looks at the rest of the slot.
func (a *Archive) checkSlack(r *record, name string, c *checked) {
	start := int64(r.position) + int64(r.dataSize)
	n := int64(r.slotSize) - int64(r.dataSize)
	if n <= 0 {
		return
	}
	if start+n > a.epk.Size {
		c.add(finding.Warning, name, fault.At(fault.Truncated, a.epk.Size, "", "the slot ends %d bytes after the end of the %s", start+n-a.epk.Size, dataExt))
		n = a.epk.Size - start
	}
	slack, err := wire.ReadAt(a.epk, a.epk.Size, start, min(n, maxSlack), "slot")
	if err == nil && leftover(slack) {
		c.add(finding.Warning, name, fault.At(fault.NonzeroTrailer, start, "", "the rest of the slot is not zero"))
	}
}
