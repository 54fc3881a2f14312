package eterpack

import (
	"bytes"
	"fmt"

	"pakbox/codec/lz4"
	"pakbox/codec/lzo1x"
)

// codec is the compression of crypted objects. No field of an object names it. The
// client's own is LZO1X; builds that changed to LZ4 kept the mark of the object.
type codec string

const (
	codecLZO codec = "lzo"
	codecLZ4 codec = "lz4"
)

// lzoEnd is the end marker of every LZO1X stream. An LZ4 block ends with literals, so it
// ends with these bytes only if the content does.
var lzoEnd = []byte{0x11, 0, 0}

// decompress unpacks stream into exactly size bytes and returns the codec that did. A
// codec fits if it gives that many bytes, uses up the stream, and accept, if not nil,
// returns true. If both fit, first wins. Earlier results do not matter, because then the
// answer would depend on the order of reading.
//
// If before is not nil, it is memory that ends where the stream begins. An LZO1X stream
// may then be decoded in place: into before and over the stream.
func decompress(before, stream []byte, size int, first codec, accept func([]byte) bool) ([]byte, codec, error) {
	if len(stream) == 0 && size == 0 {
		return nil, first, nil // some packers store an empty file so
	}
	order := []codec{codecLZ4}
	switch {
	case !bytes.HasSuffix(stream, lzoEnd):
	case first == codecLZ4:
		order = []codec{codecLZ4, codecLZO}
	default:
		order = []codec{codecLZO, codecLZ4}
	}
	if before != nil && order[0] == codecLZO {
		if out := decodeWithin(before, stream, size); out != nil {
			return out, codecLZO, nil
		}
	}
	out := make([]byte, size)
	var failure error
	for _, c := range order {
		err := c.decode(out, stream)
		if err == nil && accept != nil && !accept(out) {
			err = fmt.Errorf("%s: the content is not what is expected here", c)
		}
		if err == nil {
			return out, c, nil
		}
		if failure == nil {
			failure = err
		}
	}
	return nil, "", failure
}

// decodeWithin decodes an LZO1X stream of exactly size bytes in place: into before and
// over the stream. If that is impossible, it returns nil.
func decodeWithin(before, stream []byte, size int) []byte {
	room := before[:len(before)+len(stream)]
	if delay, n, err := lzo1x.DecompressGap(stream, size); err != nil || n != size || delay > len(before) || size > len(room) {
		return nil
	}
	if _, err := lzo1x.Decompress(room[:size], stream); err != nil {
		return nil
	}
	return room[:size]
}

// decode fills dst from the whole stream.
func (c codec) decode(dst, stream []byte) (err error) {
	n := 0
	if c == codecLZO {
		n, err = lzo1x.Decompress(dst, stream)
	} else if len(stream) > 0 {
		n, err = lz4.Decompress(dst, stream)
	} else {
		err = fmt.Errorf("lz4: the block is empty")
	}
	if err == nil && n != len(dst) {
		err = fmt.Errorf("%s: the stream holds %d bytes, not %d", c, n, len(dst))
	}
	return err
}

// bound is the most bytes that n compressed bytes can take.
func (c codec) bound(n int) int {
	if c == codecLZO {
		return lzo1x.MaxCompressedLen(n)
	}
	return lz4.MaxCompressedLen(n)
}

// lead is the least distance from the start of a stream to its n bytes of input in the
// same buffer.
func (c codec) lead(n int) int {
	if c == codecLZO {
		return lzo1x.CompressGap(n)
	}
	return lz4.CompressGap(n)
}

// bestLZO is the level from which the better LZO1X encoder is used. There are only two,
// and the better one is many times slower, so moderate levels use the fast one.
const bestLZO = 7

// compress appends the compressed content to dst.
func (c codec) compress(dst, content []byte, level int) ([]byte, error) {
	if c == codecLZ4 {
		return lz4.AppendCompress(dst, content, lz4.Level(max(level, 1)))
	}
	effort := lzo1x.Fast
	if level >= bestLZO {
		effort = lzo1x.Best
	}
	return lzo1x.AppendCompress(dst, content, effort)
}
