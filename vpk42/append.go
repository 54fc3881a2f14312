package vpk42

import (
	"bytes"
	"context"
	"io"

	"pakbox/archive"
)

// An archive in clear has no checksum over the whole file, its table may stand anywhere,
// and so may the data. So a change can go behind the end of the file: new data, a new table
// and what stood behind the old one. The header's three fields about the table are written
// last. Replaced data and the old table stay where they are, unused, so that programs that
// have the archive open can go on reading.
//
// An encrypted archive ends in an HMAC over all bytes. Until it is complete no other
// program would open the file, so it is written anew.

// appendAbove is the size of the data that stays from which it is not copied. Copying less
// takes no time, and leaves nothing unused.
const appendAbove = 16 << 20

// The header's fields about the table: EntryCount, EntryTableOffset, EntryTableSize.
const tableFields, tableFieldsSize = 6, 16

// appends reports whether an edit appends to the archive: much of it stays, and at most a
// third of the old file is unused afterwards.
func (a *Archive) appends(sources []source) bool {
	if a.header.IsEncrypted {
		return false
	}
	var live int64
	seen := map[int64]bool{}
	for i := range sources {
		if kept := sources[i].kept; kept != nil && !seen[kept.DataOffset] {
			seen[kept.DataOffset] = true
			live += alignUp(kept.StoredSize)
		}
	}
	return live >= appendAbove && a.in.Size-live <= live/2
}

// extend applies an edit to the archive's own file. done is false if the file has to be
// written anew.
func (a *Archive) extend(ctx context.Context, stage *archive.Stage, sources []source, opts archive.CreateOptions) (done bool, err error) {
	file, ok := stage.Extend(tableFields, tableFieldsSize)
	if !ok {
		return false, nil
	}
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return true, err
	}
	w := newWriter(file, a.header, nil, WriteOptions{Options: opts.Options})
	w.old = a.in
	// A page of its own tells what is unused from padding: see verifyPadding.
	w.pos = alignUp(end) + blockAlign
	w.out.Reset(io.NewOffsetWriter(file, w.pos))
	for i := range sources {
		if kept := sources[i].kept; kept != nil {
			w.moved[[2]int64{kept.DataOffset, kept.StoredSize}] = kept.DataOffset
			sources[i].item.Size = 0 // nothing is copied
		}
	}
	if err := w.writeRest(ctx, sources, a.tail()); err != nil {
		return true, err
	}
	raw := bytes.Clone(a.raw)
	w.header.patchTable(raw)
	stage.Switch(raw[tableFields:][:tableFieldsSize])
	return true, nil
}
