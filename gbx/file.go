package gbx

import (
	"bytes"
	"io"
	"slices"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
	"pakbox/internal/wire"
)

// File is a GBX file.
type File struct {
	Header
	// Body is the main node. Its class is Header.Class.
	Body *Node
	// IdVersion is the version of the body's Ids, 0 if it holds none.
	IdVersion uint32
	// Rest is what follows the main node in the body: nothing, in every file
	// a game wrote.
	Rest []byte
	// Trailer is what follows a compressed body in the file.
	Trailer []byte

	reg    *Registry
	found  []byte // the file as found
	body   []byte // the uncompressed body as found
	bodyAt int    // where the body, or its sizes, begin in found
	level  lzo1x.Level
}

// memoryFactor and memoryBase bound what decoding may allocate: so many times
// the file's size plus a fixed amount.
const (
	memoryFactor = 16
	memoryBase   = 64 << 20
)

// Read reads a whole file. What the registry does not know becomes opaque
// regions; an error means that the container itself is damaged.
func Read(ra io.ReaderAt, size int64, reg *Registry) (*File, error) {
	data, err := wire.ReadAt(ra, size, 0, size, "file")
	if err != nil {
		return nil, err
	}
	return Parse(data, reg)
}

// Parse reads a whole file from memory. The File keeps data and shares it.
func Parse(data []byte, reg *Registry) (*File, error) { return Trace(data, reg, nil) }

// Trace is Parse with a visitor that sees the values of the body as they are
// read, also those of chunks that then turn out wrong. It is slow; it shows
// where a chunk sheet and a file part ways.
func Trace(data []byte, reg *Registry, v Visitor) (*File, error) {
	f := &File{reg: reg, found: data}
	budget := int64(memoryBase) + memoryFactor*int64(len(data))
	end, err := f.parseHeader(data, 0, reg, &budget)
	if err != nil {
		return nil, err
	}
	f.bodyAt = end
	if err := f.unpackBody(&budget); err != nil {
		return nil, err
	}
	f.decodeBody(&budget, v)
	return f, nil
}

// parseHeader reads the header from the beginning of a file, from which so
// many bytes of heavy chunks were left out, and returns where it ends.
func (h *Header) parseHeader(data []byte, leftOut int64, reg *Registry, budget *int64) (int, error) {
	r := wire.NewReader(data, 0)
	if err := h.parseLetters(r); err != nil {
		return 0, err
	}
	x := newReader(data, h.Text(), reg, budget)
	defer x.release()
	x.pos, x.leftOut = int(r.Offset()), leftOut
	h.code(x)
	if x.err != nil {
		return 0, x.err
	}
	return x.pos, nil
}

// unpackBody finds and uncompresses the body.
func (f *File) unpackBody(budget *int64) error {
	if !f.Compressed() {
		f.body = f.found[f.bodyAt:]
		return nil
	}
	r := wire.NewReader(f.found[f.bodyAt:], int64(f.bodyAt))
	size := r.U32("uncompressedSize")
	packed := r.Bytes(int(r.U32("compressedSize")), "body")
	if r.Err() != nil {
		return r.Err()
	}
	// A byte of LZO gives at most 255 bytes.
	if int64(size) > 255*int64(len(packed))+64 || int64(size) > *budget {
		return fault.At(fault.Limit, int64(f.bodyAt), "uncompressedSize",
			"a body of %d bytes cannot come from %d", size, len(packed))
	}
	*budget -= int64(size)
	body := uncleared[byte](int(size))
	n, err := lzo1x.Decompress(body, packed)
	if err == nil && n != len(body) {
		return fault.At(fault.SizeMismatch, int64(f.bodyAt), "uncompressedSize", "the body has %d bytes, not %d", n, size)
	}
	if err != nil {
		e := fault.Wrap(fault.DecompressFailed, err, "body")
		e.Offset = int64(f.bodyAt) + 8
		return e
	}
	f.body = body
	f.Trailer = f.found[int(r.Offset()):]
	return nil
}

// decodeBody decodes the main node and everything below it.
func (f *File) decodeBody(budget *int64, v Visitor) {
	x := newReader(f.body, f.Text(), f.reg, budget)
	defer x.release()
	x.nodes.external, x.nodes.claimed = f.Refs.slots(), f.NumNodes
	x.watch = v
	x.feed, _ = v.(Feeder)
	x.refresh()
	f.Body = &Node{Class: f.Class}
	x.nodes.set(1, f.Body)
	x.node(f.Body)
	f.IdVersion = x.scope.version
	f.Rest = f.body[x.pos:]
}

// BodyBytes returns the uncompressed body as found.
func (f *File) BodyBytes() []byte { return f.body }

// EncodeBody codes the body from its values.
func (f *File) EncodeBody() ([]byte, error) {
	b, _, err := f.encodeBody(nil, make([]byte, 0, len(f.body)+64))
	return b, err
}

// EncodeHeader codes the header from its values.
func (f *File) EncodeHeader() ([]byte, error) { return f.encodeHeader(nil, f.NumNodes, nil) }

// Walk codes the header and then the body from their values and shows them to
// the visitor on the way. Offsets are relative to the file for the header and
// to the uncompressed body for the body.
func (f *File) Walk(v Visitor) error {
	if _, err := f.encodeHeader(v, f.NumNodes, nil); err != nil {
		return err
	}
	_, _, err := f.encodeBody(v, nil)
	return err
}

// encodeBody appends the body to out, and counts the nodes.
func (f *File) encodeBody(v Visitor, out []byte) ([]byte, uint32, error) {
	x := newWriter(f.Text(), f.reg, v)
	defer x.release()
	x.out = out
	x.nodes.external, x.nodes.claimed = f.Refs.slots(), f.NumNodes
	if f.IdVersion == idVersionSkipper {
		x.scope.version = idVersionSkipper
	}
	x.nodes.set(1, f.Body)
	x.node(f.Body)
	if x.err != nil {
		return nil, 0, x.err
	}
	x.unwind(0)
	return append(x.out, f.Rest...), x.nodes.claimed, nil
}

// encodeHeader appends the header to out.
func (f *File) encodeHeader(v Visitor, numNodes uint32, out []byte) ([]byte, error) {
	x := newWriter(f.Text(), f.reg, v)
	defer x.release()
	x.out = f.appendLetters(out)
	h := f.Header
	h.NumNodes = numNodes
	h.code(x)
	return x.out, x.Err()
}

// Encode returns the file as bytes. A file that was not changed gives the
// bytes it was read from; after a change only what changed, and what must
// follow, differs.
func (f *File) Encode() ([]byte, error) {
	buffer := newBuffer(len(f.body) + 64)
	defer buffers.Put(buffer)
	body, numNodes, err := f.encodeBody(nil, *buffer)
	if err != nil {
		return nil, err
	}
	*buffer = body
	front := newBuffer(f.bodyAt + 64)
	defer buffers.Put(front)
	header, err := f.encodeHeader(nil, numNodes, *front)
	if err != nil {
		return nil, err
	}
	*front = header
	switch {
	case f.found != nil && f.sameBody(body):
		if bytes.Equal(header, f.found[:f.bodyAt]) {
			return f.found, nil
		}
		return joined(header, f.found[f.bodyAt:]), nil
	case f.Compressed():
		return f.compressed(header, body), nil
	}
	return joined(header, body, f.Trailer), nil
}

// compressed returns a file with its body compressed.
func (f *File) compressed(header, body []byte) []byte {
	buffer := newBuffer(len(header) + 8 + lzo1x.MaxCompressedLen(len(body)) + len(f.Trailer))
	all := append(*buffer, header...)
	all = appendCompressed(all, body, f.level)
	all = append(all, f.Trailer...)
	// The pictures and archives in large files fill the buffer.
	if len(all) > cap(all)/4*3 {
		return slices.Clip(all)
	}
	defer buffers.Put(buffer)
	return joined(all)
}

// joined returns a slice with the content of all parts.
func joined(parts ...[]byte) []byte {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	all := uncleared[byte](n)
	n = 0
	for _, p := range parts {
		n += copy(all[n:], p)
	}
	return all
}

// sameBody reports whether body says what the body as found says. Usually the
// bytes are the same; where coding is not exact, the body as found is decoded
// and coded once more to tell an edit from such a difference.
func (f *File) sameBody(body []byte) bool {
	if bytes.Equal(body, f.body) {
		return true
	}
	fresh := &File{Header: f.Header, reg: f.reg, found: f.found, body: f.body}
	budget := int64(memoryBase) + memoryFactor*int64(len(f.found))
	fresh.decodeBody(&budget, nil)
	again, err := fresh.EncodeBody()
	return err == nil && bytes.Equal(again, body)
}

// WriteTo writes the file.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	b, err := f.Encode()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(b)
	return int64(n), err
}

// PackedBody returns the compressed body as found, without its sizes; nil if
// the body is not compressed.
func (f *File) PackedBody() []byte {
	if !f.Compressed() || f.found == nil {
		return nil
	}
	return f.found[f.bodyAt+8 : len(f.found)-len(f.Trailer)]
}
