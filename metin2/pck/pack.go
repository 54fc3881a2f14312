package pck

import (
	"bytes"
	"context"
	"crypto/cipher"
	"crypto/sha256"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"pakbox/internal/lib/bulk"
)

// packer compresses the content of entries.
type packer struct {
	settings
	encoders sync.Pool
	small    sync.Pool // encoders for less than 256 bytes
}

func newPacker(s settings) *packer {
	p := &packer{settings: s}
	encoder := func(more ...zstd.EOption) any {
		e, err := zstd.NewWriter(nil, append(more, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(s.level)), zstd.WithEncoderCRC(true), zstd.WithEncoderConcurrency(1))...)
		if err != nil {
			panic(err) // only wrong options fail, and these are constant
		}
		return e
	}
	p.encoders.New = func() any { return encoder() }
	// A frame of less than 256 bytes states its content size only if it is a single
	// segment.
	p.small.New = func() any { return encoder(zstd.WithSingleSegment(true)) }
	return p
}

// packed is content ready to be written.
type packed struct {
	data  []byte
	size  int64
	nonce [nonceSize]byte
}

// pack reads, compresses and encrypts an entry in memory.
func (p *packer) pack(ctx context.Context, src *source) (done packed, err error) {
	content, err := src.item.ReadAll(ctx)
	if err != nil {
		return done, err
	}
	done.size = int64(len(content))
	encoders := &p.encoders
	if done.size < 256 {
		encoders = &p.small
	}
	enc := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(enc)
	done.data = enc.EncodeAll(content, nil)
	if len(done.data) == 0 {
		done.data = emptyFrame
	}
	if src.record.encrypted != 0 {
		done.nonce, _ = nonceOf(context.Background(), src.item.Name, bytes.NewReader(content)) // cannot fail: the content is in memory
		newCipher(p.key, done.nonce[:]).XORKeyStream(done.data, done.data)
	}
	return done, nil
}

// emptyFrame is a Zstandard frame without content. Encoders write nothing for empty
// content.
var emptyFrame = []byte{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x01, 0x00, 0x00}

// stream packs an entry into out piece by piece. An encrypted entry is read twice: the
// nonce depends on the content.
func (p *packer) stream(ctx context.Context, out io.Writer, src *source) (stored int64, err error) {
	if src.record.encrypted != 0 {
		rc, err := src.item.Open()
		if err != nil {
			return 0, err
		}
		src.record.nonce, err = nonceOf(ctx, src.item.Name, rc)
		rc.Close()
		if err != nil {
			return 0, err
		}
		out = &cipher.StreamWriter{S: newCipher(p.key, src.record.nonce[:]), W: out}
	}
	count := &counter{w: out}
	enc := p.encoders.Get().(*zstd.Encoder)
	defer p.encoders.Put(enc)
	enc.Reset(count)
	n, err := src.item.CopyTo(ctx, enc)
	if closeErr := enc.Close(); err == nil {
		err = closeErr
	}
	enc.Reset(nil)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		if _, err := count.Write(emptyFrame); err != nil {
			return 0, err
		}
	}
	src.record.size = uint64(n)
	return count.n, nil
}

// counter counts the bytes written through it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// nonceOf derives a nonce from the name and the content. Equal packs get equal bytes, and
// different content never shares a nonce.
func nonceOf(ctx context.Context, name string, content io.Reader) (nonce [nonceSize]byte, err error) {
	h := sha256.New()
	io.WriteString(h, name+"\x00")
	_, err = bulk.Copy(ctx, h, content)
	copy(nonce[:], h.Sum(nil))
	return nonce, err
}
