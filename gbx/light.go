package gbx

import (
	"encoding/binary"
	"errors"
	"io"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// ReadHeader reads the header of a file and little more. Heavy chunks, usually pictures,
// are not read: their Body is an [Unread] until [Header.ReadHeavy].
func ReadHeader(ra io.ReaderAt, size int64, reg *Registry) (*Header, error) {
	// Enough for nearly all headers without their pictures.
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
		budget := budgetFor(int64(len(part)))
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

// Unread stands for a heavy header chunk that [ReadHeader] did not read.
type Unread struct{ Offset, Size int64 }

// Code returns an error, because the content was not read.
func (u *Unread) Code(x *Coder) {
	x.Fail(fault.Unsupported, "header", "a heavy chunk of %d bytes was not read", u.Size)
}

// ReadHeavy reads the heavy chunks of a header from the same file.
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
		budget := budgetFor(u.Size)
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
	end     int64 // end of the user data
}

// headerTable reads the table of header chunks from the first bytes of a file. If the
// table is damaged or absent it is empty; the parser reports the damage.
func headerTable(data []byte, size int64) (t chunkTable) {
	const userDataAt, tableAt = 17, 21 // offsets in a binary file of version 6
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

// readLight returns the beginning of a file without heavy chunks, up to rest bytes after
// the user data, and whether this is the whole file. data holds the first bytes.
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

// appendRange appends the bytes from..to of a file to part. data holds the first
// bytes.
func appendRange(part []byte, ra io.ReaderAt, data []byte, from, to int64) ([]byte, error) {
	if n := int64(len(data)); from < n {
		part = append(part, data[from:min(to, n)]...)
		from = min(to, n)
	}
	n := len(part)
	part = part[:n+int(to-from)]
	return part, wire.Fill(part[n:], ra, from, "header")
}
