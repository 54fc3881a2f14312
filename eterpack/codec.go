package eterpack

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/pierrec/lz4/v4"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
)

// codec is a compression that crypted objects use. Nothing in an object tells
// which: LZO1X is the client's own, and builds that changed to LZ4 kept the
// mark of the container.
type codec string

const (
	codecLZO codec = "lzo"
	codecLZ4 codec = "lz4"
)

// lzoEnd is the end marker of every LZO1X stream. An LZ4 block ends with
// literals, so it has these bytes at its end only where the content does.
var lzoEnd = []byte{0x11, 0, 0}

// decompress unpacks stream into exactly size bytes and tells which codec
// did. A codec fits if it gives that many bytes, uses up the stream, and
// accept, if there is one, agrees. Where both fit the one named first is
// believed: never which of them worked before, because then the answer would
// depend on the order of reading.
func decompress(stream []byte, size int, first codec, accept func([]byte) bool) ([]byte, codec, error) {
	order := []codec{codecLZ4}
	switch {
	case !bytes.HasSuffix(stream, lzoEnd):
	case first == codecLZ4:
		order = []codec{codecLZ4, codecLZO}
	default:
		order = []codec{codecLZO, codecLZ4}
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

// decode fills dst from all of stream.
func (c codec) decode(dst, stream []byte) (err error) {
	n := 0
	if c == codecLZO {
		n, err = lzo1x.Decompress(dst, stream)
	} else if len(stream) > 0 {
		n, err = lz4.UncompressBlock(stream, dst)
	} else {
		err = fmt.Errorf("lz4: the block is empty")
	}
	if err == nil && n != len(dst) {
		err = fmt.Errorf("%s: the stream holds %d bytes, not %d", c, n, len(dst))
	}
	return err
}

// bound is the most bytes that n bytes can take.
func (c codec) bound(n int) int {
	if c == codecLZO {
		return lzo1x.MaxCompressedLen(n)
	}
	return lz4.CompressBlockBound(n)
}

// compress appends the stream for content to dst.
func (c codec) compress(dst, content []byte, level int) ([]byte, error) {
	if c == codecLZO {
		return compressLZO(dst, content, level), nil
	}
	if len(content) == 0 {
		return append(dst, 0), nil // one token that says: no literals, no match
	}
	dst = slices.Grow(dst, c.bound(len(content)))
	n, err := lz4.CompressBlock(content, dst[len(dst):cap(dst)], nil)
	if err != nil {
		return nil, fault.Wrap(fault.Limit, err, "LZ4")
	}
	return dst[:len(dst)+n], nil
}

// compressLZO appends an LZO1X stream of literals alone.
func compressLZO(dst, content []byte, level int) []byte {
	switch n := len(content); {
	case n == 0:
	case n <= 238:
		dst = append(dst, byte(17+n))
	default:
		dst = append(dst, 0)
		for n -= 18; n > 255; n -= 255 {
			dst = append(dst, 0)
		}
		dst = append(dst, byte(n))
	}
	dst = append(dst, content...)
	return append(dst, lzoEnd...)
}
