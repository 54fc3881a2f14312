package gbx

import (
	"pakbox/fault"
	"pakbox/gbx/classid"
	"pakbox/internal/lib/wire"
)

// Header is the part of a file before its body.
type Header struct {
	Version uint16 // 3 to 6
	// Four letters: B or T for binary or text, U for an uncompressed reference
	// table, U or C for the body, and from version 4 on R or E, whose meaning is
	// unknown.
	Format, RefCompression, BodyCompression, Unknown byte

	Class    classid.ID    // class of the main node, as in the file
	Chunks   []HeaderChunk // in version 6
	NumNodes uint32        // counts the main node, its inner nodes, and the external files
	Refs     RefTable

	// RawUserData holds user data without a table of chunks: empty, or zeros, as tools
	// write that extract files from a running game.
	RawUserData []byte
}

// HeaderChunk is one chunk of the header. Each has its own list of IDs.
type HeaderChunk struct {
	ID        classid.ID
	Heavy     bool // the games skip this chunk when they list a folder
	IDVersion uint32
	Body      Body
}

// IsText reports whether the file is a text file.
func (h *Header) IsText() bool { return h.Format == 'T' }

// IsCompressed reports whether the body is compressed.
func (h *Header) IsCompressed() bool { return h.BodyCompression == 'C' }

const (
	magic         = "GBX"
	heavyBit      = 1 << 31
	maxHeaderSize = 64 << 20
)

// parseLetters reads magic, version and letters, which text files also have.
func (h *Header) parseLetters(r *wire.Reader) error {
	if m := r.Bytes(3, "magic"); string(m) != magic {
		return fault.At(fault.NotFormat, 0, "magic", "not a GBX file")
	}
	h.Version = r.U16("version")
	if r.Err() == nil && (h.Version < 3 || h.Version > 6) {
		return fault.At(fault.UnsupportedVersion, 3, "version", "GBX version %d is not one of 3 to 6", h.Version)
	}
	h.Format = r.U8("format")
	h.RefCompression = r.U8("refTableCompression")
	h.BodyCompression = r.U8("bodyCompression")
	if h.Version >= 4 {
		h.Unknown = r.U8("unknown")
	}
	if r.Err() != nil {
		return r.Err()
	}
	switch {
	case h.Format != 'B' && h.Format != 'T':
		return fault.At(fault.BadHeader, 5, "format", "%q is neither B nor T", h.Format)
	case h.RefCompression != 'U' && h.RefCompression != 'C':
		return fault.At(fault.BadHeader, 6, "refTableCompression", "%q is neither U nor C", h.RefCompression)
	case h.BodyCompression != 'U' && h.BodyCompression != 'C':
		return fault.At(fault.BadHeader, 7, "bodyCompression", "%q is neither U nor C", h.BodyCompression)
	case h.RefCompression == 'C':
		return fault.At(fault.UnsupportedAlgorithm, 6, "refTableCompression", "compressed reference tables have never been seen")
	case h.IsText() && h.IsCompressed():
		return fault.At(fault.BadHeader, 7, "bodyCompression", "a text file cannot be compressed")
	}
	return nil
}

func (h *Header) appendLetters(b []byte) []byte {
	b = append(b, magic...)
	b = append(b, byte(h.Version), byte(h.Version>>8), h.Format, h.RefCompression, h.BodyCompression)
	if h.Version >= 4 {
		b = append(b, h.Unknown)
	}
	return b
}

// code reads or writes the header after the letters. Each header chunk has its own ID
// scope.
func (h *Header) code(x *Coder) {
	x.ClassID(&h.Class, "classID")
	if h.Version >= 6 {
		h.codeUserData(x)
	}
	x.U32(&h.NumNodes, "numNodes")
	h.Refs.code(x, h.Version)
}

func (h *Header) codeUserData(x *Coder) {
	switch {
	case x.source != nil:
		h.buildUserData(x)
	case x.writing:
		h.writeUserData(x)
	default:
		h.readUserData(x)
	}
}

// headerEntry is one row of the table of header chunks.
type headerEntry struct {
	id   classid.ID
	size uint32
}

func (e headerEntry) heavy() bool { return e.size&heavyBit != 0 }
func (e headerEntry) bytes() int  { return int(e.size &^ heavyBit) }

func (h *Header) readUserData(x *Coder) {
	size := x.word32Live(0, "userDataSize")
	if x.dead() {
		return
	}
	inside := int64(size) - x.leftOut
	if inside > int64(x.limit-x.pos) || size > maxHeaderSize {
		x.Fail(fault.Truncated, "userDataSize", "the file is cut off: the header chunks take %d bytes, and %d bytes are there", size, x.limit-x.pos)
		return
	}
	start := x.pos
	r := x.enter(int(inside))
	defer x.leave(r)
	if x.text || size < 4 {
		h.RawUserData = x.take(int(size), "userData")
		return
	}
	n := int(x.word32(0, "numHeaderChunks"))
	if n == 0 && size > 4 {
		x.pos = start
		h.RawUserData = x.take(int(size), "userData")
		return
	}
	if n > (x.limit-x.pos)/8 {
		x.Fail(fault.BadHeader, "numHeaderChunks", "%d header chunks do not fit into %d bytes", n, size)
		return
	}
	entries := make([]headerEntry, n)
	for i := range entries {
		x.ClassID(&entries[i].id, "chunkID")
		x.U32(&entries[i].size, "chunkSize")
	}
	h.Chunks = make([]HeaderChunk, n)
	for i, e := range entries {
		c := &h.Chunks[i]
		c.ID, c.Heavy = e.id, e.heavy()
		if x.leftOut > 0 && c.Heavy {
			c.Body = &Unread{Offset: x.offset(), Size: int64(e.bytes())}
			x.base += int64(e.bytes())
			continue
		}
		if e.bytes() > x.limit-x.pos {
			x.Fail(fault.BadHeader, "chunkSize", "header chunk %v takes %d bytes, and %d bytes are there", e.id, e.bytes(), x.limit-x.pos)
			return
		}
		c.read(x, e.bytes())
	}
	if x.pos != x.limit {
		x.Fail(fault.BadHeader, "userDataSize", "%d bytes follow the header chunks", x.limit-x.pos)
	}
}

func (c *HeaderChunk) read(x *Coder, size int) {
	x.scope = x.freshScope()
	c.Body = x.readSkippable(x.headerInfo(c.ID), size)
	c.IDVersion = x.scope.version
}

func (h *Header) writeUserData(x *Coder) {
	if x.text || h.RawUserData != nil {
		x.word32(uint64(len(h.RawUserData)), "userDataSize")
		x.out = append(x.out, h.RawUserData...)
		return
	}
	entries := make([]headerEntry, len(h.Chunks))
	sizeAt := len(x.out)
	total := 8 + 8*len(h.Chunks)
	x.out = append(x.out, make([]byte, total)...)
	for i := range h.Chunks {
		c := &h.Chunks[i]
		if c.Body == nil {
			x.Fail(fault.Unsupported, "header", "header chunk %v has no content", c.ID)
			return
		}
		at := len(x.out)
		x.scope = &scope{}
		if c.IDVersion == idVersionSkipper {
			x.scope.version = idVersionSkipper
		}
		groups := x.groups
		x.beginPart("header", c)
		back := x.passOver("header", c)
		c.Body.Code(x)
		if back != nil {
			back()
		}
		x.halted = false
		x.refresh()
		x.unwind(groups)
		entries[i] = headerEntry{c.ID, uint32(len(x.out) - at)}
		if c.Heavy {
			entries[i].size |= heavyBit
		}
	}
	end := len(x.out)
	table := newWriter(false, x.reg, nil)
	defer table.release()
	table.raw32(uint64(end-sizeAt-4), "userDataSize")
	table.raw32(uint64(len(entries)), "numHeaderChunks")
	for _, e := range entries {
		table.raw32(uint64(e.id), "chunkID")
		table.raw32(uint64(e.size), "chunkSize")
	}
	copy(x.out[sizeAt:], table.out)
}

// FindHeader returns the header chunk whose content has type T.
func FindHeader[T Body](h *Header) (T, bool) {
	for i := range h.Chunks {
		if b, ok := h.Chunks[i].Body.(T); ok {
			return b, true
		}
	}
	var none T
	return none, false
}
