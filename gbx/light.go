package gbx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// ReadHeader reads only the header of a file: the chunks in it, the node count
// and the reference table. It reads as much of the file as that takes. Heavy
// chunks, which are pictures mostly, it leaves there: their Body is an
// [Unread] until somebody asks [Header.ReadHeavy] for them.
func ReadHeader(ra io.ReaderAt, size int64, reg *Registry) (*Header, error) {
	// Of nearly all files this holds all but what follows a picture.
	const first = 2 << 10
	data, err := wire.ReadAt(ra, size, 0, min(first, size), "header")
	if err != nil {
		return nil, err
	}
	table := headerTable(data, size)
	for rest := int64(first / 4); ; rest *= 4 {
		part, all, err := table.readLight(ra, size, data, rest)
		if err != nil {
			return nil, err
		}
		h := new(Header)
		budget := int64(memoryBase) + memoryFactor*int64(len(part))
		x := newCoder(reg)
		_, err = h.parseHeader(x, part, table.heavy, &budget)
		x.release()
		if err == nil {
			return h, nil
		}
		if all || !errors.Is(err, fault.Corrupt) {
			return nil, err
		}
	}
}

// Unread is the content of a heavy header chunk that [ReadHeader] has left in
// the file.
type Unread struct{ Offset, Size int64 }

// Code refuses: there is nothing to write.
func (u *Unread) Code(x *Coder) {
	x.Fail(fault.Unsupported, "header", "a heavy chunk of %d bytes was not read", u.Size)
}

// ReadHeavy reads the heavy chunks of a header from the file it came from.
func (h *Header) ReadHeavy(ra io.ReaderAt, size int64, reg *Registry) error {
	for i := range h.Chunks {
		c := &h.Chunks[i]
		u, ok := c.Body.(*Unread)
		if !ok {
			continue
		}
		data, err := wire.ReadAt(ra, size, u.Offset, u.Size, "header chunk")
		if err != nil {
			return err
		}
		budget := int64(memoryBase) + memoryFactor*u.Size
		x := newReader(data, false, reg, &budget)
		x.base = u.Offset
		c.read(x, len(data))
		x.release()
	}
	return nil
}

// chunkTable is the table of header chunks of a file.
type chunkTable struct {
	entries []headerEntry
	heavy   int64 // bytes of heavy chunks
	end     int64 // of the user data
}

// headerTable finds the table in the first bytes of a file. Where it is not
// in order, or not there at all, it has no entries: then everything is read,
// and the parser will say what is wrong.
func headerTable(data []byte, size int64) (t chunkTable) {
	const userDataAt, tableAt = 17, 21 // in a binary file of version 6
	if len(data) < tableAt || data[3] != 6 || data[5] != 'B' {
		return t
	}
	t.end = userDataAt + int64(binary.LittleEndian.Uint32(data[userDataAt-4:]))
	n := int64(binary.LittleEndian.Uint32(data[userDataAt:]))
	if t.end > min(size, maxHeaderSize) || tableAt+8*n > int64(len(data)) {
		return t
	}
	at := tableAt + 8*n
	for row := data[tableAt:at]; len(row) > 0; row = row[8:] {
		e := headerEntry{size: binary.LittleEndian.Uint32(row[4:])}
		t.entries = append(t.entries, e)
		at += int64(e.bytes())
		if e.heavy() {
			t.heavy += int64(e.bytes())
		}
	}
	if at != t.end {
		return chunkTable{end: t.end}
	}
	return t
}

// readLight returns the beginning of a file up to so many bytes beyond its
// user data, as if it had no heavy chunks, and whether that is all there is.
// Data are the first bytes of the file.
func (t *chunkTable) readLight(ra io.ReaderAt, size int64, data []byte, rest int64) (part []byte, all bool, err error) {
	stop := min(max(t.end+rest, int64(len(data))), size)
	if t.heavy == 0 && stop == int64(len(data)) {
		return data, stop == size, nil
	}
	part = make([]byte, 0, stop-t.heavy)
	var from int64
	to := t.end
	for _, e := range t.entries {
		to -= int64(e.bytes())
	}
	for _, e := range t.entries {
		if e.heavy() {
			if part, err = appendRange(part, ra, data, from, to); err != nil {
				return nil, false, err
			}
			from = to + int64(e.bytes())
		}
		to += int64(e.bytes())
	}
	part, err = appendRange(part, ra, data, from, stop)
	return part, stop == size, err
}

// appendRange appends a range of a file, of which data are the first bytes,
// to a slice that has room for it.
func appendRange(part []byte, ra io.ReaderAt, data []byte, from, to int64) ([]byte, error) {
	if n := int64(len(data)); from < n {
		part = append(part, data[from:min(to, n)]...)
		from = min(to, n)
	}
	n := len(part)
	part = part[:n+int(to-from)]
	got, err := ra.ReadAt(part[n:], from)
	switch {
	case got == len(part)-n:
		return part, nil
	case err == io.EOF:
		return nil, fault.At(fault.Truncated, from+int64(got), "header", "needs %d bytes, the file ended after %d", to-from, got)
	}
	return nil, fmt.Errorf("read header: %w", err)
}
