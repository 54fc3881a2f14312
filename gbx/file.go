package gbx

import (
	"context"
	"io"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/wire"
)

// File is a GBX file.
type File struct {
	Header
	// Body is the main node. Its class is Header.Class.
	Body *Node
	// IDVersion is the version of the body's IDs, 0 if it holds none.
	IDVersion uint32
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

// Open reads a whole file, unless ctx ends before. What the registry does not
// know becomes opaque regions; an error means that the container itself is
// damaged. The File needs ra no longer.
func Open(ctx context.Context, ra io.ReaderAt, size int64, reg *Registry) (*File, error) {
	if data := wire.Whole(ra, size); data != nil {
		return decode(ctx, data, reg, nil)
	}
	data, err := wire.ReadAt(bulk.ReaderAt(ctx, ra), size, 0, size, "file")
	if err != nil {
		return nil, err
	}
	return decode(ctx, data, reg, nil)
}

// Parse is [Open] for a file in memory. The File keeps data and shares it.
func Parse(data []byte, reg *Registry) (*File, error) {
	return decode(context.Background(), data, reg, nil)
}

// Trace is Parse with a visitor that sees the values of the body as they are
// read, also those of chunks that then turn out wrong. It is slow; it shows
// where a chunk sheet and a file part ways.
func Trace(data []byte, reg *Registry, v Visitor) (*File, error) {
	return decode(context.Background(), data, reg, v)
}

// decode reads a file step by step, as long as ctx goes on.
func decode(ctx context.Context, data []byte, reg *Registry, v Visitor) (*File, error) {
	x := newCoder(reg)
	defer x.release()
	f := &File{reg: reg, found: data}
	budget := int64(memoryBase) + memoryFactor*int64(len(data))
	end, err := f.parseHeader(x, data, 0, &budget)
	if err != nil {
		return nil, err
	}
	f.bodyAt = end
	if err := f.unpackBody(&budget); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.decodeBody(x, &budget, v)
	return f, ctx.Err()
}

// parseHeader reads the header from the beginning of a file, from which so
// many bytes of heavy chunks were left out, and returns where it ends.
func (h *Header) parseHeader(x *Coder, data []byte, leftOut int64, budget *int64) (int, error) {
	r := wire.NewReader(data, 0)
	if err := h.parseLetters(r); err != nil {
		return 0, err
	}
	x.read(data, h.IsText(), budget)
	x.pos, x.leftOut = int(r.Offset()), leftOut
	h.code(x)
	if x.err != nil {
		return 0, x.err
	}
	return x.pos, nil
}

// unpackBody finds and uncompresses the body.
func (f *File) unpackBody(budget *int64) error {
	if !f.IsCompressed() {
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
	body := make([]byte, size)
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
func (f *File) decodeBody(x *Coder, budget *int64, v Visitor) {
	x.read(f.body, f.IsText(), budget)
	x.nodes.external, x.nodes.claimed = f.Refs.slots(), f.NumNodes
	x.watch = v
	x.feed, _ = v.(Feeder)
	x.refresh()
	f.Body = &Node{Class: f.Class}
	x.nodes.set(1, f.Body)
	x.node(f.Body)
	f.IDVersion = x.scope.version
	f.Rest = f.body[x.pos:]
}

// Found returns the file as it was read; nil if it was not, and after a change
// of how it is stored.
func (f *File) Found() []byte { return f.found }

// BodyBytes returns the uncompressed body as found.
func (f *File) BodyBytes() []byte { return f.body }

// PackedBody returns the compressed body as found, without its sizes; nil if
// the body is not compressed.
func (f *File) PackedBody() []byte {
	if !f.IsCompressed() || f.found == nil {
		return nil
	}
	return f.found[f.bodyAt+8 : len(f.found)-len(f.Trailer)]
}
