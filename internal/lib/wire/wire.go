// Package wire reads little-endian binary data from files that may be damaged or
// hostile.
//
// A [Reader] is a cursor over bytes in memory. It keeps the first error. After an
// error every read returns a zero value, so that a decoder reads a whole record
// and checks [Reader.Err] once. A count must be checked at once, because the
// decoder allocates memory for it: [Reader.Count] returns an error for a count
// that does not fit into the remaining bytes.
package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"pakbox/fault"
)

// Reader is a cursor over a byte slice. The zero value is an empty input.
type Reader struct {
	data []byte
	pos  int
	base int64
	err  *fault.Error
}

// NewReader returns a cursor over data, which starts at offset base of the file.
func NewReader(data []byte, base int64) *Reader {
	return &Reader{data: data, base: base}
}

// Err returns the first error, or nil. It is a *fault.Error.
func (r *Reader) Err() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// Offset returns the file offset of the next byte.
func (r *Reader) Offset() int64 { return r.base + int64(r.pos) }

// Len returns the number of bytes that remain.
func (r *Reader) Len() int { return len(r.data) - r.pos }

// Fail records an error about the field at offset, if it is the first.
func (r *Reader) Fail(kind fault.Kind, offset int64, field, format string, args ...any) {
	if r.err == nil {
		r.fail(fault.At(kind, offset, field, format, args...))
	}
}

func (r *Reader) fail(err *fault.Error) {
	r.err = err
	r.pos = len(r.data)
}

// Bytes returns the next n bytes without a copy; nil after an error.
func (r *Reader) Bytes(n int, field string) []byte {
	if n < 0 || n > len(r.data)-r.pos || r.err != nil {
		r.short(n, field)
		return nil
	}
	b := r.data[r.pos : r.pos+n : r.pos+n]
	r.pos += n
	return b
}

// short records the error of Bytes. It is a separate function so that the compiler
// inlines Bytes.
func (r *Reader) short(n int, field string) {
	switch {
	case r.err != nil:
	case n < 0:
		r.Fail(fault.Corrupt, r.Offset(), field, "negative length %d", n)
	default:
		r.fail(fault.Short(r.Offset(), field, int64(n), int64(r.Len())))
	}
}

// Skip moves past n bytes.
func (r *Reader) Skip(n int, field string) { r.Bytes(n, field) }

// U8 reads one byte.
func (r *Reader) U8(field string) uint8 {
	if b := r.Bytes(1, field); b != nil {
		return b[0]
	}
	return 0
}

// U16 reads a 16-bit word.
func (r *Reader) U16(field string) uint16 {
	if b := r.Bytes(2, field); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// U32 reads a 32-bit word.
func (r *Reader) U32(field string) uint32 {
	if b := r.Bytes(4, field); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// U64 reads a 64-bit word.
func (r *Reader) U64(field string) uint64 {
	if b := r.Bytes(8, field); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// I8 reads a signed byte.
func (r *Reader) I8(field string) int8 { return int8(r.U8(field)) }

// I16 reads a signed 16-bit word.
func (r *Reader) I16(field string) int16 { return int16(r.U16(field)) }

// I32 reads a signed 32-bit word.
func (r *Reader) I32(field string) int32 { return int32(r.U32(field)) }

// I64 reads a signed 64-bit word.
func (r *Reader) I64(field string) int64 { return int64(r.U64(field)) }

// F32 reads a 32-bit float.
func (r *Reader) F32(field string) float32 { return math.Float32frombits(r.U32(field)) }

// Count reads a 32-bit number of elements. It records an error if the remaining bytes
// cannot hold that many elements of minSize bytes.
func (r *Reader) Count(minSize int, field string) int {
	at := r.Offset()
	n := r.U32(field)
	if r.err == nil && int64(n) > int64(r.Len()/minSize) {
		r.Fail(fault.Truncated, at, field, "%d elements take at least %d bytes each, and %d bytes remain", n, minSize, r.Len())
		return 0
	}
	return int(n)
}

// ReadAt reads n bytes at off from a file of the given size. It checks the range before
// it allocates.
func ReadAt(ra io.ReaderAt, size, off, n int64, field string) ([]byte, error) {
	if off < 0 || n < 0 || off > size || n > size-off {
		return nil, fault.At(fault.Truncated, off, field, "needs %d bytes, the file has %d", n, size)
	}
	if n > math.MaxInt32 && math.MaxInt == math.MaxInt32 {
		return nil, fault.At(fault.Limit, off, field, "%d bytes are too many for this machine", n)
	}
	b := make([]byte, n)
	if err := Fill(b, ra, off, field); err != nil {
		return nil, err
	}
	return b, nil
}

// Fill reads len(b) bytes at off from a file into b.
func Fill(b []byte, ra io.ReaderAt, off int64, field string) error {
	got, err := ra.ReadAt(b, off)
	switch {
	case got == len(b):
		return nil
	case err == io.EOF || err == nil:
		return fault.At(fault.Truncated, off+int64(got), field, "needs %d bytes, and the file ends after %d", len(b), got)
	}
	return fmt.Errorf("read %s: %w", field, err)
}

// Content is a file in memory whose bytes can be used without a copy.
type Content []byte

// ReadAt implements io.ReaderAt.
func (c Content) ReadAt(p []byte, off int64) (int, error) { return bytes.NewReader(c).ReadAt(p, off) }

// Whole returns the bytes of the file.
func (c Content) Whole() []byte { return c }

// Whole returns the bytes of a file of this size if it is in memory, such as a [Content];
// otherwise nil.
func Whole(ra io.ReaderAt, size int64) []byte {
	if c, ok := ra.(interface{ Whole() []byte }); ok {
		if data := c.Whole(); int64(len(data)) == size {
			return data
		}
	}
	return nil
}
