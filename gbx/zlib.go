package gbx

import (
	"bytes"
	"compress/zlib"
	"io"
	"sync"

	"pakbox/codec/zinflate"
	"pakbox/fault"
)

// Zlib is a compressed block of a chunk. It keeps the stored stream.
type Zlib[T any, P interface {
	*T
	Body
}] struct {
	Size   uint32 // size of the content according to the file
	Stored []byte // the zlib stream
	init   T      // an empty content with the values that it needs from the chunk
	reg    *Registry
}

// Code reads or writes the two sizes and the stream.
func (z *Zlib[T, P]) Code(x *Coder, init T, name string) {
	z.init = init
	z.reg = x.reg
	x.begin(name, z)
	if x.source != nil {
		z.build(x)
		x.end()
		return
	}
	x.U32(&z.Size, "uncompressedSize")
	x.Data(&z.Stored, "compressed")
	if d, ok := x.visitor().(DeepVisitor); ok && !x.dead() && !x.unwanted("content", P(nil)) {
		z.show(x, d)
	}
	x.end()
}

// DeepVisitor is a [Visitor] that sees the contents of compressed blocks, too.
type DeepVisitor interface {
	Visitor
	// Inside is called after the values of a content. It gets the content from the file
	// and the encoded content, or the error. It returns true if the visitor has changed a
	// value.
	Inside(found, coded []byte, err error) (changed bool)
}

// Content decompresses and decodes the block.
func (z *Zlib[T, P]) Content() (P, error) {
	content, err := z.Bytes()
	if err != nil {
		return nil, err
	}
	v, _, err := z.decode(content)
	return v, err
}

// Bytes decompresses the block.
func (z *Zlib[T, P]) Bytes() ([]byte, error) { return inflate(z.Stored, z.Size) }

// inflaters keeps decoders for reuse.
var inflaters = sync.Pool{New: func() any { return new(zinflate.Inflater) }}

// inflate decompresses a stream of size bytes. Another size is an error.
func inflate(stored []byte, size uint32) ([]byte, error) {
	// One byte of deflate expands to 1032 bytes at most.
	if int64(size) > 1032*int64(len(stored))+64 {
		return nil, fault.New(fault.Limit, "a compressed block of %d bytes cannot expand to %d bytes", len(stored), size)
	}
	d := inflaters.Get().(*zinflate.Inflater)
	defer inflaters.Put(d)
	d.Reset()
	// The buffer grows with the content, so that a wrong size costs no memory. One extra
	// byte shows that a content is too long.
	const usual = 8
	most := int(size) + 1
	content := make([]byte, min(most, usual*len(stored)))
	for n := 0; ; {
		if n == len(content) {
			content = append(content, make([]byte, min(n, most-n))...)
		}
		used, end, done, err := d.Append(stored, content, n)
		got := end - n
		stored, n = stored[used:], end
		switch {
		case err == nil && !done && used+got == 0:
			err = io.ErrUnexpectedEOF
		case err == nil && n > int(size), done && n < int(size):
			return nil, fault.New(fault.SizeMismatch, "a compressed block holds %d bytes, not %d", n, size)
		}
		if err != nil {
			return nil, fault.Wrap(fault.DecompressFailed, err, "unpacking")
		}
		if done {
			return content[:n], nil
		}
	}
}

// decode decodes the content, which has its own IDs and nodes.
func (z *Zlib[T, P]) decode(content []byte) (P, uint32, error) {
	budget := budgetFor(int64(len(content)))
	x := newReader(content, false, z.reg, &budget)
	defer x.release()
	v := P(new(T))
	*v = z.init
	v.Code(x)
	if x.err == nil && !x.halted && x.pos != x.limit {
		x.Fail(fault.SizeMismatch, "", "%d bytes of the compressed block are unknown", x.limit-x.pos)
	}
	return v, x.scope.version, x.Err()
}

// encode reads or writes the content.
func (z *Zlib[T, P]) encode(v P, idVersion uint32, l lookers, out []byte) ([]byte, error) {
	x := newWriter(false, z.reg, l.watch)
	defer x.release()
	x.out, x.outline = out, l.outline
	if idVersion == idVersionSkipper {
		x.scope.version = idVersion
	}
	x.beginPart("content", v)
	v.Code(x)
	if x.err == nil {
		x.unwind(0)
	}
	return x.out, x.Err()
}

// show shows the content to the visitor, which may change it.
func (z *Zlib[T, P]) show(x *Coder, d DeepVisitor) {
	found, err := z.Bytes()
	if err != nil {
		d.Inside(nil, nil, err)
		return
	}
	v, idVersion, err := z.decode(found)
	if err != nil {
		d.Inside(found, nil, err)
		return
	}
	coded, err := z.encode(v, idVersion, lookers{x.watch, x.outline}, make([]byte, 0, len(found)+64))
	if !d.Inside(found, coded, err) || err != nil {
		return
	}
	// Encode again: an inner block may have changed after it was written.
	if coded, err = z.encode(v, idVersion, lookers{}, nil); err == nil {
		err = z.pack(coded)
	}
	if err != nil {
		x.Fail(fault.Corrupt, "content", "%s", reason(err))
	}
}

// Set replaces the content.
func (z *Zlib[T, P]) Set(v P) error {
	content, err := z.encode(v, 0, lookers{}, nil)
	if err != nil {
		return err
	}
	return z.pack(content)
}

// pack compresses a content at the level of the old stream. The second byte of the stream
// states the level.
func (z *Zlib[T, P]) pack(content []byte) error {
	level := zlib.DefaultCompression
	if len(z.Stored) > 1 && z.Stored[1]>>6 == 3 {
		level = zlib.BestCompression
	}
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	z.Size, z.Stored = uint32(len(content)), b.Bytes()
	return nil
}
