package vpk42

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"pakbox/codec/lz4"
	"pakbox/fault"
)

// Algorithm is the value of the header field CompressionAlgorithm of version 2.
type Algorithm uint8

// The algorithms that 42pak knows.
const (
	None      Algorithm = 0
	LZ4       Algorithm = 1
	Zstandard Algorithm = 2
	Brotli    Algorithm = 3
)

var algorithmNames = [...]string{"none", "lz4", "zstd", "brotli"}

// String returns the name that the command line uses.
func (a Algorithm) String() string {
	if int(a) < len(algorithmNames) {
		return algorithmNames[a]
	}
	return fmt.Sprintf("unknown algorithm %d", uint8(a))
}

// ParseAlgorithm is the inverse of String.
func ParseAlgorithm(name string) (Algorithm, error) {
	for a, n := range algorithmNames {
		if n == name {
			return Algorithm(a), nil
		}
	}
	return None, fault.New(fault.UnsupportedAlgorithm, "unknown compression %q", name)
}

// known reports whether a is a compression that this package implements.
func (a Algorithm) known() bool { return a == LZ4 || a == Zstandard || a == Brotli }

// prefixSize is the length of the original size in front of every compressed stream.
const prefixSize = 4

// compressFunc appends the compressed src to dst. It is safe for concurrent use.
type compressFunc func(dst, src []byte) ([]byte, error)

// newCompressor returns the function that compresses at that level, or nil if data is
// stored uncompressed. Levels out of range count as the nearest valid one, as in 42pak,
// because headers may hold any level.
func newCompressor(algorithm Algorithm, level int) compressFunc {
	if level <= 0 {
		return nil
	}
	switch algorithm {
	case LZ4:
		return func(dst, src []byte) ([]byte, error) { return lz4.AppendCompress(dst, src, levelLZ4(level)) }
	case Zstandard:
		return newZstd(level)
	case Brotli:
		return newBrotli(level)
	}
	return nil
}

// levelLZ4 uses the level of liblz4 with the same number. 42pak maps its twelve levels to
// six; readers see no difference.
func levelLZ4(level int) lz4.Level {
	return min(lz4.Level(level), lz4.Max)
}

// newZstd maps levels 1 to 19 to the four levels of the library.
func newZstd(level int) compressFunc {
	writer := func(more ...zstd.EOption) *zstd.Encoder {
		w, err := zstd.NewWriter(nil, append(more, zstd.WithEncoderCRC(false), zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(min(level, 19))))...)
		if err != nil {
			panic(err) // only wrong options fail, and these are constant
		}
		return w
	}
	// Some decoders need the size of the content. A frame of fewer than 256 bytes states
	// it only if it is a single segment (RFC 8878, 3.1.1.1).
	usual, small := writer(), writer(zstd.WithSingleSegment(true))
	return func(dst, src []byte) ([]byte, error) {
		if len(src) < 256 {
			return small.EncodeAll(src, dst), nil
		}
		return usual.EncodeAll(src, dst), nil
	}
}

// newBrotli uses the level as the quality. 42pak does not: by mistake its levels 1, 2 and
// 3 are the qualities 1, 0 and 11, and all others fail.
func newBrotli(level int) compressFunc {
	writers := sync.Pool{New: func() any { return brotli.NewWriterLevel(nil, min(level, brotli.BestCompression)) }}
	return func(dst, src []byte) ([]byte, error) {
		w := writers.Get().(*brotli.Writer)
		defer writers.Put(w)
		out := bytes.NewBuffer(dst)
		w.Reset(out)
		if _, err := w.Write(src); err != nil {
			return nil, err
		}
		err := w.Close()
		return out.Bytes(), err
	}
}

// compressBound is a buffer size in which any entry of n bytes can be compressed without
// allocating.
func compressBound(n int) int { return prefixSize + lz4.MaxCompressedLen(n) }

// compressEntry returns the compressed form of raw, with the prefix, or nil if it is not
// shorter. The result is in buf if there is room.
func compressEntry(compress compressFunc, raw, buf []byte) ([]byte, error) {
	if len(raw) <= prefixSize {
		return nil, nil
	}
	buf = binary.LittleEndian.AppendUint32(buf[:0], uint32(len(raw)))
	out, err := compress(buf, raw)
	if err != nil || len(out) >= len(raw) {
		return nil, err
	}
	return out, nil
}

// decompressEntry unpacks stored data of size bytes, at most limit, into one of the
// buffers. The size alone is not trusted: memory grows with the unpacked data.
func decompressEntry(algorithm Algorithm, stored []byte, size, limit int64, buffers *bufferPool) ([]byte, error) {
	prefix := int64(int32(binary.LittleEndian.Uint32(stored)))
	stream := stored[prefixSize:]
	switch {
	case prefix != size:
		return nil, fault.New(fault.SizeMismatch, "the data declares %d bytes, but the table declares %d", prefix, size)
	case size > limit:
		return nil, fault.New(fault.Limit, "holds %d bytes, the limit is %d", size, limit)
	}
	switch algorithm {
	case LZ4:
		return decompressLZ4(stream, size, buffers)
	case Zstandard:
		return decompressZstd(stream, size, buffers)
	default:
		return decompressBrotli(stream, size, buffers)
	}
}

// maxExpansionLZ4 is the most output for one byte of an LZ4 block: a length byte of 255.
const maxExpansionLZ4 = 255

func decompressLZ4(stream []byte, size int64, buffers *bufferPool) ([]byte, error) {
	if size > maxExpansionLZ4*int64(len(stream)) {
		return nil, fault.New(fault.Limit, "claims %d bytes in an LZ4 block of %d, which holds %d at most",
			size, len(stream), maxExpansionLZ4*int64(len(stream)))
	}
	out := buffers.get(int(size))
	n, err := lz4.Decompress(out, stream)
	if err != nil {
		buffers.put(out)
		return nil, fault.Wrap(fault.DecompressFailed, err, "LZ4 block")
	}
	if int64(n) != size {
		buffers.put(out)
		return nil, fault.New(fault.SizeMismatch, "the LZ4 block holds %d bytes, but the table declares %d", n, size)
	}
	return out, nil
}

// maxWindowZstd limits the memory of the decoder. 42pak's highest level needs 8 MiB.
const maxWindowZstd = 32 << 20

var zstdDecoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindowZstd), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // only wrong options fail, and these are constant
	}
	return d
}}

func decompressZstd(stream []byte, size int64, buffers *bufferPool) ([]byte, error) {
	d := zstdDecoders.Get().(*zstd.Decoder)
	defer zstdDecoders.Put(d)
	if size <= believable(len(stream)) {
		out := buffers.get(int(size))
		err := decompressZstdAt(d, out, stream)
		if err != nil {
			buffers.put(out)
			return nil, err
		}
		return out, nil
	}
	defer d.Reset(nil)
	if err := d.Reset(bytes.NewReader(stream)); err != nil {
		return nil, fault.Wrap(fault.DecompressFailed, err, "Zstandard stream")
	}
	return readSized(d, len(stream), size, "Zstandard stream", buffers)
}

// decompressZstdAt decodes directly into out, so that the decoder needs no window of its
// own.
func decompressZstdAt(d *zstd.Decoder, out, stream []byte) error {
	got, err := d.DecodeAll(stream, out[:0:len(out)])
	switch {
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return windowZstd(err)
	case errors.Is(err, zstd.ErrDecoderSizeExceeded) || err == nil && len(got) != len(out):
		return otherSize("Zstandard stream", int64(len(out)))
	case err != nil:
		return fault.Wrap(fault.DecompressFailed, err, "Zstandard stream")
	}
	return nil
}

func windowZstd(err error) error {
	return fault.Wrap(fault.Limit, err, "the Zstandard stream needs a window above %d bytes", maxWindowZstd)
}

func otherSize(what string, size int64) error {
	return fault.New(fault.SizeMismatch, "the %s does not hold the %d bytes that the table declares", what, size)
}

// brotliReaders keeps decoders for reuse: their windows and tables are larger than most
// entries.
var brotliReaders = sync.Pool{New: func() any { return new(brotli.Reader) }}

func decompressBrotli(stream []byte, size int64, buffers *bufferPool) ([]byte, error) {
	r := brotliReaders.Get().(*brotli.Reader)
	defer brotliReaders.Put(r)
	r.Reset(bytes.NewReader(stream)) // cannot fail
	return readSized(r, len(stream), size, "Brotli stream", buffers)
}

// believable is the memory that is reserved for a stream before any of it is decoded. Up
// to 4 MiB cost little, because the buffer of a false claim is reused.
func believable(stored int) int64 { return max(4<<20, 64*int64(stored)) }

// readSized reads exactly size bytes from a decoder. Memory grows with the decoded bytes,
// because these streams can claim any size.
func readSized(r io.Reader, stored int, size int64, what string, buffers *bufferPool) ([]byte, error) {
	// One extra byte shows that a stream is too long.
	out := buffers.get(int(min(size+1, believable(stored))))[:0]
	fail := func(err error) ([]byte, error) {
		buffers.put(out)
		return nil, err
	}
	for {
		n, err := r.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		switch {
		case err == io.EOF && int64(len(out)) == size:
			return out, nil
		case err == io.EOF || int64(len(out)) > size:
			return fail(otherSize(what, size))
		case errors.Is(err, zstd.ErrWindowSizeExceeded):
			return fail(windowZstd(err))
		case err != nil:
			return fail(fault.Wrap(fault.DecompressFailed, err, "%s", what))
		}
		if len(out) == cap(out) {
			grown := buffers.get(int(min(size+1, 2*int64(cap(out)))))
			copy(grown, out)
			buffers.put(out)
			out = grown[:len(out)]
		}
	}
}
