package eterpack

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/span"
	"pakbox/metin2/internal/codepage"
	"pakbox/metin2/internal/packname"
)

// Edit writes the pack with the edits applied. New data is appended to the data file and
// no old slot changes, so the old index stays valid until the new one replaces it.
func (a *Archive) Edit(ctx context.Context, stage *archive.Stage, edits []archive.Edit, opts archive.CreateOptions) error {
	if a.noData != nil {
		return a.noData
	}
	if _, err := dataNameFor(stage, a.keys); err != nil {
		return err
	}
	s, err := a.editSettings(opts)
	if err != nil {
		return err
	}
	x, jobs, err := a.plan(edits, s, opts)
	if err != nil {
		return err
	}
	used, compacts := a.compacts(x.records, jobs)
	if len(edits) == 0 {
		compacts = false
	}
	if err := a.writeData(ctx, stage, x.records, jobs, s, opts.Options, used, compacts); err != nil {
		return err
	}
	if compacts {
		x.dropFree()
	}
	if len(edits) == 0 && x.form == a.index.form {
		eix, err := stage.File()
		if err != nil {
			return err
		}
		_, err = io.Copy(eix, io.NewSectionReader(a.eix, 0, a.eix.Size))
		return err
	}
	return writeIndex(stage, x, s)
}

// editSettings returns the settings for an edit: the user's, or else those of the pack.
func (a *Archive) editSettings(opts archive.CreateOptions) (settings, error) {
	s, err := readSettings(opts)
	if err != nil {
		return s, err
	}
	s.marks = a.index.marks
	if _, ok := opts.Params["eterpack-index"]; !ok {
		s.form = a.index.form
	}
	if _, ok := opts.Params["eterpack-codec"]; !ok {
		s.codec = a.codecInUse()
	}
	if _, ok := opts.Params["eterpack-type"]; !ok && a.mostlyEncrypted() {
		s.kind = typeEncrypted
	}
	return s, nil
}

// codecInUse returns the codec of the index, or of the first entry that can be decoded.
func (a *Archive) codecInUse() codec {
	if a.index.codec != "" {
		return a.index.codec
	}
	for i, e := range a.Entries() {
		r := &a.index.records[a.record[i]]
		if e.Problem != nil || r.kind == typeRaw || e.Size > a.limit {
			continue
		}
		if u, err := a.unpack(r, a.heads[i]); err == nil && len(u.content) > 0 {
			return u.codec
		}
	}
	return codecLZO
}

// mostlyEncrypted reports whether more than half of the entries are encrypted.
func (a *Archive) mostlyEncrypted() bool {
	n := 0
	for _, i := range a.record {
		if a.index.records[i].kind == typeEncrypted {
			n++
		}
	}
	return 2*n > len(a.record)
}

// plan returns the index after the edits, and the content to be written. Unchanged
// records keep their place and their bytes. A removed entry leaves a free slot, as with
// the client's own packer. A replaced entry keeps its record, and a free slot at the end
// of the index records its old place.
func (a *Archive) plan(edits []archive.Edit, s settings, opts archive.CreateOptions) (*index, []job, error) {
	after, err := archive.Plan(a.Tree, edits, true)
	if err != nil {
		return nil, nil, err
	}
	page, err := a.editPage(after)
	if err != nil {
		return nil, nil, err
	}
	_, typeGiven := opts.Params["eterpack-type"]
	records := slices.Clone(a.index.records)
	gone, byName := a.goneAfter(after)
	var jobs []job
	var places []int // for each job the index of its record
	var freed []record
	for _, it := range after {
		if it.From != nil {
			if err := rename(page, &records[a.record[*it.From]], a.Entries()[*it.From].Name, it.Name); err != nil {
				return nil, nil, err
			}
			continue
		}
		name, err := storeName(page, it.Name)
		if err != nil {
			return nil, nil, err
		}
		j := job{Item: it.Item, kind: s.kind}
		i, replaces := byName[string(name)]
		if replaces {
			old := records[i]
			if !typeGiven && old.kind >= typeRaw && old.kind <= typeEncrypted {
				j.kind = old.kind
			}
			delete(gone, i)
			freed = append(freed, old.vacate())
			records[i] = record{id: old.id, name: old.name, nameCRC: nameCRC(old.name)}
		} else {
			i = len(records)
			records = append(records, record{id: int32(i), name: name, nameCRC: nameCRC(name)})
		}
		jobs, places = append(jobs, j), append(places, i)
	}
	for i := range gone {
		records[i] = records[i].vacate()
	}
	for _, f := range freed {
		f.id = int32(len(records))
		records = append(records, f)
	}
	for k, i := range places {
		jobs[k].record = &records[i]
	}
	keepShared(records)
	x := &index{form: s.form, marks: s.marks, codec: s.codec, tail: a.index.tail, records: records}
	return x, jobs, x.checkTaken(page)
}

// goneAfter finds the records of entries that the edits removed or replaced, also by
// name.
func (a *Archive) goneAfter(after []archive.Edited) (gone map[int]bool, byName map[string]int) {
	gone, byName = map[int]bool{}, map[string]int{}
	for _, i := range a.record {
		gone[i] = true
	}
	for _, it := range after {
		if it.From != nil {
			delete(gone, a.record[*it.From])
		}
	}
	for _, i := range a.record {
		if gone[i] {
			byName[string(packname.Lower(a.index.records[i].name))] = i
		}
	}
	return gone, byName
}

// editPage returns the code page for the names after an edit.
func (a *Archive) editPage(after []archive.Edited) (*codepage.Page, error) {
	names := make([]string, len(after))
	for i := range after {
		names[i] = after[i].Name
	}
	return a.pageFor(names)
}

// rename changes the name of a record, if to differs from from.
func rename(page *codepage.Page, r *record, from, to string) error {
	if from == to {
		return nil
	}
	if r.kind > typeEncrypted {
		return fault.InEntry(fault.New(fault.Unsupported, "%s: the key may depend on the name, so it cannot be changed", method(r.kind)), from)
	}
	name, err := storeName(page, to)
	if err != nil {
		return err
	}
	r.name, r.nameCRC, r.raw = name, nameCRC(name), nil
	return nil
}

// vacate returns the free slot that a removed record leaves.
func (r *record) vacate() record {
	return record{id: r.id, slotSize: r.slotSize, position: r.position}
}

// keepShared clears new free slots whose space an entry still uses, because entries can
// share data. Otherwise a packer might fill that space.
func keepShared(records []record) {
	var used []*record
	for i := range records {
		if r := &records[i]; !r.free() {
			used = append(used, r) // content that is not written yet has no place
		}
	}
	slices.SortFunc(used, func(x, y *record) int { return cmp.Compare(x.position, y.position) })
	reach := make([]int64, len(used)) // for each record the farthest end up to and including it
	farthest := int64(0)
	for i, r := range used {
		farthest = max(farthest, r.end())
		reach[i] = farthest
	}
	for i := range records {
		r := &records[i]
		if !r.free() || r.raw != nil {
			continue
		}
		// Does any of the entries that begin before r ends also end after r begins?
		n, _ := slices.BinarySearchFunc(used, r.end(), func(u *record, end int64) int { return cmp.Compare(int64(u.position), end) })
		if r.position < 0 || r.slotSize < 0 || n > 0 && reach[n-1] > int64(r.position) {
			r.position, r.slotSize = 0, 0
		}
	}
}

// end is where the slot ends.
func (r *record) end() int64 { return int64(r.position) + int64(max(r.slotSize, r.dataSize)) }

// checkTaken refuses edits that give two entries the same name. Duplicate names from
// before the edit are accepted.
func (x *index) checkTaken(page *codepage.Page) error {
	untouched := make(map[string]bool, len(x.records))
	for i := range x.records {
		if r := &x.records[i]; !r.free() && r.raw != nil {
			untouched[string(packname.Lower(r.name))] = true
		}
	}
	for i := range x.records {
		if r := &x.records[i]; !r.free() && r.raw == nil {
			key := string(packname.Lower(r.name))
			if untouched[key] {
				return &fs.PathError{Op: "edit", Path: page.Text(r.name), Err: fs.ErrExist}
			}
			untouched[key] = true
		}
	}
	return nil
}

// writeData appends new content to the data file. If the stage is for another pack, or the
// file is compacted, it first copies the old data.
func (a *Archive) writeData(ctx context.Context, stage *archive.Stage, records []record, jobs []job, s settings, opts archive.Options, used []span.Span, compacts bool) error {
	inPlace := a.eix.Is(stage.Named()) && a.epk.Is(stage.SiblingPath(a.epk.Name))
	if inPlace && len(jobs) == 0 && !compacts {
		return nil
	}
	var epk *os.File
	var err error
	switch {
	case !inPlace:
		var name string
		if name, err = dataNameFor(stage, a.keys); err != nil {
			return err
		}
		epk, err = stage.Sibling(name)
	case compacts:
		epk, err = stage.Sibling(a.epk.Name)
	default:
		epk, err = stage.Append(a.epk.Name)
	}
	switch {
	case err != nil:
	case compacts:
		err = a.compact(ctx, epk, used, records)
	case !inPlace:
		_, err = bulk.Copy(ctx, epk, io.NewSectionReader(a.epk, 0, a.epk.Size))
	}
	if err != nil {
		return err
	}
	pos, err := epk.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if pos > math.MaxInt32 && len(jobs) > 0 {
		return fault.New(fault.Limit, "the %s is larger than 2 GiB already", dataExt)
	}
	w := &dataWriter{w: bufio.NewWriterSize(epk, 1<<20), pos: pos}
	if len(jobs) > 0 {
		if err := w.align(); err != nil {
			return err
		}
	}
	return w.writeAll(ctx, jobs, s, opts)
}

var (
	_ archive.Creator = Format{}
	_ archive.Editor  = (*Archive)(nil)
)
