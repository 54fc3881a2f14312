package eterpack

import (
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"math"
	"os"
	"slices"

	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/span"
)

// Replaced content stays in the data file, because readers of the old index still use it.
// When more than a third of the file is unused, the next edit copies the used parts into a
// new file. Both files of the pair are then replaced together.

// spareUnused is how many unused bytes are always accepted: a small pack is mostly
// replaced content after a few edits.
const spareUnused = 1 << 20

// compacts returns the used parts of the data file, in order and not overlapping, if they
// should be copied into a new one. records are those after the edit; new ones have no place
// yet. ok is false if too little is unused, or if the place of an entry is not known.
func (a *Archive) compacts(records []record, jobs []job) (used []span.Span, ok bool) {
	stored := map[int]int64{} // ends of the content, by record
	for k, e := range a.Entries() {
		stored[a.record[k]] = e.Offset + e.StoredSize
	}
	for i := range records {
		r := &records[i]
		if r.free() || r.end() == 0 { // nothing, or new content
			continue
		}
		end := min(max(r.end(), stored[i]), a.epk.Size)
		if r.position < 0 || r.slotSize < 0 || r.dataSize < 0 || end < int64(r.position) {
			return nil, false
		}
		used = append(used, span.Span{Start: int64(r.position), End: end})
	}
	live := span.Covered(used)
	unused := a.epk.Size - live
	added := int64(0)
	for i := range jobs {
		added += slotSize(max(jobs[i].Size, 0))
	}
	if unused <= max(live/2, spareUnused) && (a.epk.Size+added <= math.MaxInt32 || unused < slotUnit) {
		return nil, false
	}
	return joined(used), true
}

// joined sorts spans, and joins those that touch or overlap. Entries may share data, and
// some packers leave nothing between them.
func joined(spans []span.Span) (all []span.Span) {
	slices.SortFunc(spans, func(x, y span.Span) int { return cmp.Compare(x.Start, y.Start) })
	for _, s := range spans {
		if n := len(all); n > 0 && s.Start <= all[n-1].End {
			all[n-1].End = max(all[n-1].End, s.End)
			continue
		}
		all = append(all, s)
	}
	return all
}

// compact copies the used parts of the data file to the empty file epk, and moves the
// records. A part keeps its offset within a unit of slots.
func (a *Archive) compact(ctx context.Context, epk *os.File, used []span.Span, records []record) error {
	moved := make([]int64, len(used)) // new offsets
	pos := int64(0)
	for i, s := range used {
		gap := ((s.Start-pos)%slotUnit + slotUnit) % slotUnit
		if _, err := epk.Write(zeros[:gap]); err != nil {
			return err
		}
		moved[i] = pos + gap
		if _, err := bulk.Copy(ctx, epk, io.NewSectionReader(a.epk, s.Start, s.End-s.Start)); err != nil {
			return err
		}
		pos = moved[i] + s.End - s.Start
	}
	for i := range records {
		r := &records[i]
		if r.free() || r.end() == 0 {
			continue
		}
		k, found := slices.BinarySearchFunc(used, int64(r.position), func(s span.Span, at int64) int { return cmp.Compare(s.Start, at) })
		if !found {
			k-- // the part that begins before it
		}
		r.position = int32(moved[k] + int64(r.position) - used[k].Start)
		r.patch(atPosition, r.position)
	}
	return nil
}

// dropFree removes the free slots, and numbers the records anew.
func (x *index) dropFree() {
	x.records = slices.DeleteFunc(x.records, func(r record) bool { return r.free() })
	for i := range x.records {
		r := &x.records[i]
		r.id = int32(i)
		r.patch(0, r.id)
	}
}

// patch writes a number into the original bytes of a record, if they are kept.
func (r *record) patch(at int, n int32) {
	if r.raw != nil {
		r.raw = slices.Clone(r.raw)
		binary.LittleEndian.PutUint32(r.raw[at:], uint32(n))
	}
}
