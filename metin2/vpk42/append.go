package vpk42

import (
	"bytes"
	"context"
	"io"

	"pakbox/archive"
)

// An unencrypted archive has no checksum over the whole file, and its table and data may be
// anywhere. So a change can be appended to the file: new data, a new table, and the bytes
// that followed the old table. The three header fields about the table are written last.
// Replaced data and the old table stay in the file, unused, so that programs that have the
// archive open can still read it.
//
// An encrypted archive ends with an HMAC over all bytes. Until the HMAC is complete no
// program could open the file, so an encrypted archive is rewritten.

// appendAbove is the size of unchanged data above which it is not copied. Copying less is
// fast, and leaves nothing unused.
const appendAbove = 16 << 20

// Offset and size of the header fields EntryCount, EntryTableOffset and EntryTableSize.
const tableFields, tableFieldsSize = 6, 16

// appends reports whether an edit is appended to the archive: much of it is unchanged, and
// at most a third of the old file becomes unused.
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

// extend applies an edit to the archive's own file. done is false if the file must be
// rewritten.
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
	// A gap of more than a page distinguishes unused bytes from padding: see verifyPadding.
	w.pos = alignUp(end) + blockAlign
	w.out.Reset(io.NewOffsetWriter(file, w.pos))
	for i := range sources {
		if kept := sources[i].kept; kept != nil {
			w.moved[[2]int64{kept.DataOffset, kept.StoredSize}] = kept.DataOffset
			sources[i].item.Size = 0 // unchanged data is not copied
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
