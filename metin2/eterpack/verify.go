package eterpack

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/span"
	"pakbox/internal/lib/wire"
	"pakbox/metin2/internal/packname"
)

// Verify checks the index, the layout of the data file and the content of every entry.
// Findings come in that order; findings about entries are in stored order. A finding that
// many entries share is reported once, at the end.
func (a *Archive) Verify(ctx context.Context, opts archive.Options) (*archive.Report, error) {
	entries := a.Entries()
	report := &archive.Report{}
	a.checkIndex(report)
	size := a.epk.Size
	if a.noData != nil {
		report.Add(finding.Error, a.noData)
		size = 0
	} else {
		a.checkLayout(report)
	}
	found := make([]checked, len(entries))
	names := a.newNameCheck()
	each, err := archive.VerifyEntries(ctx, a.Tree, archive.EntryChecks{
		FileSize: size,
		Key:      func(i int) string { return string(packname.Lower(a.recordOf(i).name)) },
		At: func(i int, _ fault.Kind) (int64, string) {
			return a.recordOf(i).offset + atName, "filename"
		},
		OwnOverlaps: true,
		Entry:       names.check,
		Content: func(ctx context.Context, i int, report *archive.Report) error {
			if a.noData != nil {
				report.Unchecked = 1
				return nil
			}
			var err error
			found[i], err = a.checkEntry(ctx, i)
			*report = found[i].Report
			return err
		},
		Cost: func(i int) int64 {
			if a.recordOf(i).kind == typeRaw {
				return 0 // raw content is read piece by piece
			}
			return entries[i].StoredSize + max(entries[i].Size, 0)
		},
	}, opts)
	if err != nil {
		return nil, err
	}
	report.Merge(each)
	codecs, common := map[codec]int{}, &common{}
	for _, c := range found {
		codecs[c.codec]++
		common.add(c.common)
	}
	common.report(report)
	for _, c := range []codec{codecLZO, codecLZ4} {
		if n := codecs[c]; n > 0 {
			report.Facts = append(report.Facts, fact.Make(string(c)+"_entries", "Entries packed with "+string(c), fact.Count, n, ""))
		}
	}
	return report, nil
}

// recordOf is the record of the i-th entry.
func (a *Archive) recordOf(i int) *record { return &a.index.records[a.record[i]] }

// common collects findings that apply to every entry of a pack, because its packer writes
// all entries that way. Each is reported once, for the first entry.
type common struct {
	first []*fault.Error
	count map[string]int
}

func (c *common) add(found []*fault.Error) {
	for _, f := range found {
		key := string(f.Kind) + f.Field
		if c.count == nil {
			c.count = map[string]int{}
		}
		if c.count[key]++; c.count[key] == 1 {
			c.first = append(c.first, f)
		}
	}
}

func (c *common) report(report *archive.Report) {
	for _, f := range c.first {
		if n := c.count[string(f.Kind)+f.Field]; n > 1 {
			f.Message += fmt.Sprintf("; so have %d entries", n)
		}
		report.Add(finding.Warning, f)
	}
}

// checkIndex checks the table as a whole.
func (a *Archive) checkIndex(report *archive.Report) {
	x := a.index
	if n := len(x.tail); n > 0 {
		at := int64(headSize + len(x.records)*recordSize)
		report.Add(finding.Warning, fault.At(fault.TrailingData, at, "", "%d bytes follow the records of the index", n))
	}
	if x.spare != 0 && x.spare != objectSpare {
		report.Add(finding.Warning, fault.At(fault.TrailingData, a.eix.Size-int64(x.spare), "", "%d bytes follow the encrypted index", x.spare))
	}
	if a.noData != nil || a.byKnownPackers() {
		return // known packers use any record numbers, and leave old memory in the padding
	}
	ids, padding := make(map[int32]int, len(x.records)), &common{}
	for i := range x.records {
		r := &x.records[i]
		found := func(kind fault.Kind, field, format string, args ...any) {
			padding.add([]*fault.Error{{Kind: kind, Entry: a.page.Text(r.name), Offset: r.offset, Field: field, Message: fmt.Sprintf(format, args...)}})
		}
		if first, ok := ids[r.id]; ok {
			found(fault.BadEntry, "id", "%d is also the id of record %d", r.id, first)
		} else {
			ids[r.id] = i
		}
		if !r.free() && (leftover(r.raw[atName+len(r.name):atNameCRC]) || leftover(r.raw[atKind+1:])) {
			found(fault.ReservedNonzero, "padding", "is not zero")
		}
	}
	padding.report(report)
}

func leftover(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) > 0 }

// nameCheck looks for names that the client would not find.
type nameCheck struct {
	a    *Archive
	sums map[uint32]int // from the checksum of a name to the first entry with it
}

func (a *Archive) newNameCheck() *nameCheck { return &nameCheck{a, map[uint32]int{}} }

func (n *nameCheck) check(i int, report *archive.Report) {
	r, name := n.a.recordOf(i), n.a.Entries()[i].Name
	add := func(s finding.Severity, k fault.Kind, field string, off int64, format string, args ...any) {
		report.Add(s, fault.InEntry(fault.At(k, r.offset+off, field, format, args...), name))
	}
	if len(r.name) > maxName {
		add(finding.Error, fault.NameTooLong, "filename", atName, "has no end within the field")
	}
	low := packname.Lower(r.name)
	if !bytes.Equal(low, r.name) {
		add(finding.Warning, fault.BadEntry, "filename", atName, "holds capital letters; the client looks names up in lower case")
	}
	if sum := nameCRC(r.name); sum != r.nameCRC {
		add(finding.Error, fault.HashMismatch, "filename_crc", atNameCRC, "the CRC-32 of the name is %08x, not %08x; the client does not find it", sum, r.nameCRC)
	}
	other, ok := n.sums[r.nameCRC]
	if !ok {
		n.sums[r.nameCRC] = i
	} else if !bytes.Equal(packname.Lower(n.a.recordOf(other).name), low) {
		add(finding.Warning, fault.DuplicateName, "filename_crc", atNameCRC, "%08x is also that of %s; a client that goes by it alone finds only one", r.nameCRC, n.a.Entries()[other].Name)
	}
}

// checkLayout checks how entries and free slots share the data file. For an entry only
// the used bytes count, because few packers give it a slot.
func (a *Archive) checkLayout(report *archive.Report) {
	records, entries := a.index.records, a.Entries()
	used, all := make([]span.Span, len(records)), make([]span.Span, len(records))
	end := int64(0)
	for i := range records {
		r := &records[i]
		if end = max(end, r.end()); r.free() && r.position >= 0 {
			all[i] = span.Span{Start: int64(r.position), End: r.end()}
		}
	}
	for k, e := range entries {
		i := a.record[k]
		used[i] = span.In(e.Offset, e.StoredSize, a.epk.Size)
		all[i] = used[i]
	}
	pairs := overlaps(span.Overlapping(used))
	for _, p := range overlaps(span.Overlapping(all)) {
		if records[p[0]].free() != records[p[1]].free() {
			pairs = append(pairs, p)
		}
	}
	slices.SortStableFunc(pairs, func(x, y [2]int) int { return cmp.Compare(records[x[0]].position, records[y[0]].position) })
	for _, p := range pairs {
		report.Add(a.overlap(&records[p[0]], &records[p[1]]))
	}
	if end < a.epk.Size {
		report.Add(finding.Warning, fault.At(fault.TrailingData, end, "", "%d bytes of the %s belong to no slot", a.epk.Size-end, dataExt))
	}
}

// overlaps lists pairs of overlapping records in a fixed order.
func overlaps(found map[int]int) (pairs [][2]int) {
	for _, i := range slices.Sorted(maps.Keys(found)) {
		pairs = append(pairs, [2]int{i, found[i]})
	}
	return pairs
}

// overlap returns the finding about two records that share space.
func (a *Archive) overlap(r, other *record) (finding.Severity, error) {
	if r.free() {
		r, other = other, r
	}
	where := func(severity finding.Severity, format string, args ...any) (finding.Severity, error) {
		return severity, fault.InEntry(fault.At(fault.Overlap, r.offset+atPosition, "data_position", format, args...), a.page.Text(r.name))
	}
	switch {
	case other.free():
		return where(finding.Warning, "the data at %d shares space with a free one at %d, which a packer may fill", r.position, other.position)
	case r.position == other.position && r.dataSize == other.dataSize:
		return where(finding.Warning, "shares its data with %s", a.page.Text(other.name))
	}
	return where(finding.Error, "the data at %d overlaps that of %s at %d", r.position, a.page.Text(other.name), other.position)
}

// checked holds the findings about one entry.
type checked struct {
	archive.Report
	codec  codec
	common []*fault.Error
}

func (c *checked) add(severity finding.Severity, name string, err error) {
	c.Report.Add(severity, fault.InEntry(err, name))
}

// share adds a finding that may apply to all entries.
func (c *checked) share(name string, kind fault.Kind, offset int64, field, format string, args ...any) {
	c.common = append(c.common, &fault.Error{Kind: kind, Entry: name, Offset: offset, Field: field, Message: fmt.Sprintf(format, args...)})
}

// neverSet adds the finding about a CRC that the packer did not compute.
func (c *checked) neverSet(r *record, name string) {
	c.share(name, fault.HashMismatch, r.offset+atDataCRC, "data_crc", "%08x was never set: files of other sizes have it too", r.dataCRC)
}

// checkEntry reads one entry. The error is for cancelled work.
func (a *Archive) checkEntry(ctx context.Context, i int) (c checked, err error) {
	e, r := a.Entries()[i], &a.index.records[a.record[i]]
	switch {
	case r.kind == typeCompress, r.kind == typeEncrypted, r.kind == typeSnappy && e.Problem == nil:
		a.checkObject(i, &c)
	default:
		err = a.checkStored(ctx, r, e, &c)
	}
	if fault.KindOf(e.Problem) == fault.EntryRange || fault.KindOf(e.Problem) == fault.Truncated {
		return c, cmp.Or(err, ctx.Err())
	}
	switch p := a.packerOf(i); {
	case p == ymir:
		a.checkSlack(r, e.Name, &c)
	case p == "" && len(c.Findings) == 0:
		c.share(e.Name, fault.SizeMismatch, r.offset+atSlotSize, "real_data_size", "%d with a data_size of %d: no known packer makes them so", r.slotSize, r.dataSize)
	}
	return c, cmp.Or(err, ctx.Err())
}

// checkStored checks an entry that is stored raw, or that cannot be unpacked.
func (a *Archive) checkStored(ctx context.Context, r *record, e archive.Entry, c *checked) error {
	switch {
	case fault.KindOf(e.Problem) == fault.EntryRange:
		c.add(finding.Error, e.Name, e.Problem)
		return nil
	case e.Problem != nil:
		c.Fail(finding.Warning, fault.InEntry(fault.New(fault.KindOf(e.Problem), "not checked: %s", e.Method), e.Name))
	default:
		c.Bytes = e.Size
	}
	h := crc32.NewIEEE()
	if _, err := bulk.Copy(ctx, h, io.NewSectionReader(a.epk, int64(r.position), int64(r.dataSize))); err != nil {
		return err
	}
	switch sum := h.Sum32(); {
	case sum == r.dataCRC:
	case a.unset[r.dataCRC]:
		c.neverSet(r, e.Name)
	case r.kind > 3: // the client never checks it
		c.add(finding.Warning, e.Name, crcError(r, sum))
	default:
		c.add(finding.Error, e.Name, crcError(r, sum))
	}
	if r.kind == typeRaw {
		a.checkRaw(r, e.Name, c)
	}
	return nil
}

// checkRaw looks for a crypted object that is marked as raw: the client would read the
// packed bytes as the file. An index inside a pack may be a crypted object.
func (a *Archive) checkRaw(r *record, name string, c *checked) {
	h, err := a.head(r, a.epk)
	if err != nil || h.size() > int64(r.dataSize) || strings.HasSuffix(strings.ToLower(name), indexExt) {
		return
	}
	if u, err := a.unpack(r, h); err == nil {
		c.add(finding.Error, name, fault.At(fault.BadEntry, r.offset+atKind, "compressed_type",
			"type 0, but the data is a packed object that holds %d bytes", len(u.content)))
	}
}

// checkObject checks an entry that is a crypted object.
func (a *Archive) checkObject(i int, c *checked) {
	e, r, h := a.Entries()[i], &a.index.records[a.record[i]], a.heads[i]
	if e.Problem != nil {
		c.Fail(finding.Error, fault.InEntry(e.Problem, e.Name))
		return
	}
	u, err := a.unpack(r, h)
	c.codec, c.Bytes = u.codec, int64(len(u.content))
	switch damage := a.damage(r, u, err); {
	case damage != nil:
		c.add(finding.Error, e.Name, damage)
	case err != nil:
		c.Fail(finding.Error, fault.InEntry(err, e.Name))
	case !u.fits:
		c.neverSet(r, e.Name)
	}
	if encrypted := h.encryptSize != 0; err == nil && encrypted != (r.kind >= typeEncrypted) {
		c.add(finding.Warning, e.Name, fault.At(fault.BadEntry, r.offset+atKind, "compressed_type", "type %d, but encrypt_size is %d", r.kind, h.encryptSize))
	}
}

// maxSlack limits how much of a slot behind the data is checked: a slot that once held
// more can have any size.
const maxSlack = 64 << 10

// checkSlack checks that the rest of the slot is zero.
func (a *Archive) checkSlack(r *record, name string, c *checked) {
	start := int64(r.position) + int64(r.dataSize)
	n := int64(r.slotSize) - int64(r.dataSize)
	if start+n > a.epk.Size {
		c.add(finding.Warning, name, fault.At(fault.Truncated, a.epk.Size, "", "the slot ends %d bytes after the end of the %s", start+n-a.epk.Size, dataExt))
		n = a.epk.Size - start
	}
	slack, err := wire.ReadAt(a.epk, a.epk.Size, start, min(n, maxSlack), "slot")
	if err == nil && leftover(slack) {
		c.share(name, fault.NonzeroTrailer, start, "", "the rest of the slot is not zero")
	}
}
