package gbx

import (
	"context"
	"encoding/binary"
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
	// IDVersion is the version of the IDs in the body, 0 without IDs.
	IDVersion uint32
	// Rest holds the bytes of the body after the main node. Games write none.
	Rest []byte
	// Trailer holds the bytes of the file after a compressed body.
	Trailer []byte

	reg    *Registry
	found  []byte // bytes of the file
	body   []byte // the uncompressed body of the file
	bodyAt int    // offset of the body in found, or of the sizes before a compressed body
	nodes  int    // highest node index in the body, plus one
	level  lzo1x.Level

	misfits bool // bytes left a known layout
}

// Open reads a whole file. Unknown chunks become opaque regions; an error means
// that the container is damaged. The File does not use ra.
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

// Parse is [Open] for a file in memory, which must not change afterwards.
func Parse(data []byte, reg *Registry) (*File, error) {
	return decode(context.Background(), data, reg, nil)
}

// Trace is a slow Parse with a visitor that sees each value of the body when it is read.
// It helps to find the first field where a sheet is wrong.
func Trace(data []byte, reg *Registry, v Visitor) (*File, error) {
	return decode(context.Background(), data, reg, v)
}

// Reparse reads the file again from its bytes, as if nothing had been changed. It is a
// faster [Parse], because the body is not decompressed again: both files refer to its
// bytes.
func (f *File) Reparse() (*File, error) {
	if f.found == nil {
		return nil, fault.New(fault.Unsupported, "the file was not read, or has another form now")
	}
	x := newCoder(f.reg)
	defer x.release()
	budget := budgetFor(int64(len(f.found)))
	again, err := readHeader(x, f.found, &budget)
	if err != nil {
		return nil, err
	}
	again.body = f.body
	if again.IsCompressed() { // unpackBody has checked the sizes
		budget -= int64(len(f.body))
		stored := int(binary.LittleEndian.Uint32(f.found[f.bodyAt+4:]))
		again.Trailer = f.found[f.bodyAt+8+stored:]
	}
	again.decodeBody(x, &budget, nil)
	return again, nil
}

// decode reads a file. Between the steps it checks whether ctx is cancelled.
func decode(ctx context.Context, data []byte, reg *Registry, v Visitor) (*File, error) {
	x := newCoder(reg)
	defer x.release()
	budget := budgetFor(int64(len(data)))
	f, err := readHeader(x, data, &budget)
	if err != nil {
		return nil, err
	}
	if err := f.unpackBody(&budget); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.decodeBody(x, &budget, v)
	return f, ctx.Err()
}

func readHeader(x *Coder, data []byte, budget *int64) (f *File, err error) {
	f = &File{reg: x.reg, found: data}
	f.bodyAt, err = f.parseHeader(x, data, 0, budget)
	return f, err
}

// parseHeader reads the header and returns its end. leftOut is the number of bytes of
// heavy header chunks that are missing from data.
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
	// One byte of LZO expands to at most 255 bytes.
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

func (f *File) decodeBody(x *Coder, budget *int64, v Visitor) {
	x.read(f.body, f.IsText(), budget)
	x.nodes.external, x.nodes.claimed = f.Refs.slots(), f.NumNodes
	x.watch = v
	x.feed, _ = v.(Feeder)
	x.refresh()
	f.Body = &Node{Class: f.Class}
	x.nodes.set(1, f.Body)
	x.node(f.Body)
	f.IDVersion, f.nodes = x.scope.version, len(x.nodes.nodes)-1
	f.Rest = f.body[x.pos:]
	f.misfits = x.misfits > 0
}

// HasMisfits reports whether bytes of the file left the layout that a sheet gives.
// [File.Coverage] lists them.
func (f *File) HasMisfits() bool { return f.misfits }

// Registry returns the registry that the file was read or made with.
func (f *File) Registry() *Registry { return f.reg }

// MinNumNodes returns the smallest value for the header's NumNodes that the original body
// allows: the highest index of a node, plus one.
func (f *File) MinNumNodes() int { return f.nodes }

// Source returns the bytes that the file was read from; nil for a new file, and
// after [File.SetCompression] or [File.SetText].
func (f *File) Source() []byte { return f.found }

// BodyBytes returns the uncompressed body that the file was read from.
func (f *File) BodyBytes() []byte { return f.body }

// PackedBody returns the compressed body of the file, without the sizes before it.
func (f *File) PackedBody() []byte {
	if !f.IsCompressed() || f.found == nil {
		return nil
	}
	return f.found[f.bodyAt+8 : len(f.found)-len(f.Trailer)]
}
