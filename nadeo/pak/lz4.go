package pak

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"pakbox/codec/lz4"
	"pakbox/fault"
)

// Version 18 compresses in chunks: a 16-bit length and an LZ4 block. A block unpacks to
// 4,096 bytes, the last one to the rest. A match may refer to all output of the last 64
// KiB. Before the first byte of the output lies a dictionary that every game has.
const (
	lz4Chunk    = 4096
	lz4MaxBlock = 4128 // the most bytes of a block for 4,096 bytes
	lz4Window   = 64 << 10
)

var errLZ4 = errors.New("bad LZ4 stream")

// lz4Reader unpacks a chunk when its first byte is read.
type lz4Reader struct {
	src     io.Reader
	left    int64 // compressed bytes not read yet
	size    int64 // output bytes not produced yet
	dict    bool
	history []byte
	block   [lz4MaxBlock]byte
	rest    []byte
	err     error
}

func newLZ4Reader(src io.Reader, compressed, size int64, dict []byte) *lz4Reader {
	r := &lz4Reader{src: src, left: compressed, size: size, dict: len(dict) > 0}
	r.history = append(make([]byte, 0, 2*lz4Window), dict...)
	return r
}

func (r *lz4Reader) Buffered() []byte { return r.rest }

func (r *lz4Reader) Ended() bool { return r.size == 0 && r.left == 0 }

func (r *lz4Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(r.rest) == 0 {
		if r.err == nil {
			r.err = r.next()
		}
		if r.err != nil {
			return 0, r.err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *lz4Reader) next() error {
	if r.size == 0 {
		if r.left != 0 {
			return fmt.Errorf("%w: %d bytes follow the last chunk", errLZ4, r.left)
		}
		return io.EOF
	}
	block, err := r.readBlock()
	if err != nil {
		return err
	}
	if len(r.history)+lz4Chunk > cap(r.history) {
		r.history = append(r.history[:0], r.history[len(r.history)-lz4Window:]...)
	}
	from := max(0, len(r.history)-lz4Window)
	end := len(r.history) + int(min(lz4Chunk, r.size))
	out := r.history[len(r.history):end]
	n, err := lz4.DecompressAfter(r.history[from:end], len(r.history)-from, block)
	if err != nil || n != len(out) {
		if !r.dict && r.wouldNeedDictionary(block, len(out)) {
			return fault.New(fault.KeyRequired, "the content is compressed with the game's LZ4 dictionary, which is not known")
		}
		return fmt.Errorf("%w: a chunk does not unpack to %d bytes", errLZ4, len(out))
	}
	r.history = r.history[:len(r.history)+n]
	r.rest = out
	r.size -= int64(n)
	return nil
}

func (r *lz4Reader) readBlock() ([]byte, error) {
	var prefix [2]byte
	if r.left < 2 {
		return nil, fmt.Errorf("%w: %d bytes of content are missing", errLZ4, r.size)
	}
	if _, err := io.ReadFull(r.src, prefix[:]); err != nil {
		return nil, unexpected(err)
	}
	n := int64(binary.LittleEndian.Uint16(prefix[:]))
	if r.left -= 2; n > lz4MaxBlock || n > r.left {
		return nil, fmt.Errorf("%w: a chunk of %d bytes", errLZ4, n)
	}
	if _, err := io.ReadFull(r.src, r.block[:n]); err != nil {
		return nil, unexpected(err)
	}
	r.left -= n
	return r.block[:n], nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// wouldNeedDictionary reports whether a block that cannot be unpacked could be unpacked
// with some dictionary.
func (r *lz4Reader) wouldNeedDictionary(block []byte, size int) bool {
	before := append(make([]byte, dictionarySize), r.history...)
	before = before[max(0, len(before)-lz4Window):]
	n, err := lz4.DecompressAfter(append(before, make([]byte, size)...), len(before), block)
	return err == nil && n == size
}

// packLZ4 compresses data. No chunk refers to earlier ones, so that any reader can unpack
// them, with or without the dictionary.
func packLZ4(data []byte) []byte {
	var packed []byte
	for len(data) > 0 {
		chunk := data[:min(lz4Chunk, len(data))]
		data = data[len(chunk):]
		start := len(packed) + 2
		packed, _ = lz4.AppendCompress(append(packed, 0, 0), chunk, lz4.Fast) // fails only for an invalid level
		binary.LittleEndian.PutUint16(packed[start-2:], uint16(len(packed)-start))
	}
	return packed
}
