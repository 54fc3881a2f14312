package gbx

import (
	"encoding/binary"
	"sync"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
)

// SetBody says how the body is to be stored from now on: uncompressed, or
// compressed at a level. It discards the form that the file was read with.
func (f *File) SetBody(compressed bool, level lzo1x.Level) {
	f.BodyCompression = 'U'
	if compressed {
		f.BodyCompression = 'C'
	}
	f.level = level
	f.found = nil
}

// buffers keeps slices for bodies that are needed for a moment.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// newBuffer returns an empty slice with room for n bytes; buffers takes it
// back.
func newBuffer(n int) *[]byte {
	b := buffers.Get().(*[]byte)
	if cap(*b) < n {
		*b = uncleared(n)
	}
	*b = (*b)[:0]
	return b
}

// appendCompressed appends the sizes and the compressed form of a body. The
// stream is made elsewhere, because before it is made nobody knows how much
// room it takes.
func appendCompressed(out, body []byte, level lzo1x.Level) []byte {
	const sizes = 8
	buffer := newBuffer(sizes + lzo1x.MaxCompressedLen(len(body)))
	defer buffers.Put(buffer)
	stored := lzo1x.AppendCompress((*buffer)[:sizes], body, level)
	binary.LittleEndian.PutUint32(stored[0:], uint32(len(body)))
	binary.LittleEndian.PutUint32(stored[4:], uint32(len(stored)-sizes))
	return append(out, stored...)
}

// SetText says whether the file is to be a text file. Not every file can be:
// what is not understood cannot be written in the other form, and a text file
// has no header chunks.
func (f *File) SetText(text bool) error {
	if f.Text() == text {
		return nil
	}
	if err := f.understood(); err != nil {
		return err
	}
	if text && len(f.Chunks) > 0 {
		return fault.New(fault.Unsupported, "a text file has no header chunks, and this file has %d", len(f.Chunks))
	}
	f.Format = 'B'
	if text {
		f.Format, f.BodyCompression = 'T', 'U'
	}
	if f.UserData.Raw == nil {
		f.UserData.Raw = []byte{}
	}
	f.found = nil
	return nil
}

// understood reports an opaque region of the body as an error.
func (f *File) understood() error {
	for _, o := range f.Coverage().Opaque {
		return fault.At(fault.Unsupported, o.Offset, "", "chunk %v is not understood and cannot be converted: %s", o.Chunk, o.Reason)
	}
	return nil
}
