package crypt

import (
	"encoding/binary"
	"errors"
	"io"
)

// Algorithm is the engine's number for a kind of encryption.
type Algorithm int

// The algorithms of CClassicBufferCrypted that packs use. The engine's number 0 is a
// third one, with xor, which no document describes.
const (
	CBC Algorithm = 1 // Blowfish, chained, with ivXor
	CTR Algorithm = 2 // Blowfish in counter mode
)

// Reader decrypts a stream: eight bytes of initialisation vector, then size bytes padded
// to whole blocks. It decrypts a page when its first byte is requested, so that every Mix
// before takes effect.
type Reader struct {
	src     io.Reader
	alg     Algorithm
	chain   chain
	started bool
	x       IVXor
	pos     int64 // plaintext bytes of the pages decrypted so far
	size    int64
	page    [PageSize]byte
	rest    []byte
	err     error
}

// NewReader returns a reader of the stream src with size bytes of content.
func NewReader(src io.Reader, c *Cipher, alg Algorithm, size int64) *Reader {
	return &Reader{src: src, alg: alg, chain: chain{c: c}, size: size}
}

// Mix adds a value to the accumulator, for the next page.
func (r *Reader) Mix(word uint32) { r.x.MixWord(word) }

// Read returns the rest of the current page, or decrypts the next. It never
// crosses a page.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(r.rest) == 0 {
		if r.err == nil {
			r.err = r.nextPage()
		}
		if r.err != nil {
			return 0, r.err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Buffered returns the bytes of the current page that were not read yet.
func (r *Reader) Buffered() []byte { return r.rest }

// Ended reports whether the last page has been decrypted.
func (r *Reader) Ended() bool { return r.pos >= r.size }

func (r *Reader) nextPage() error {
	if r.pos >= r.size {
		return io.EOF
	}
	if !r.started {
		var iv [BlockSize]byte
		if err := r.fill(iv[:]); err != nil {
			return err
		}
		r.chain.iv, r.started = binary.LittleEndian.Uint64(iv[:]), true
	}
	n := min(PageSize, r.size-r.pos)
	page := r.page[:Padded(n)]
	if r.alg == CTR {
		page = page[:n]
	}
	if err := r.fill(page); err != nil {
		return err
	}
	if r.alg == CTR {
		r.chain.c.XORKeyStream(page, page, r.chain.iv, r.pos)
	} else {
		r.chain.decryptPage(page, page, r.x)
		r.x = 0
	}
	r.pos += n
	r.rest = page[:n]
	return nil
}

func (r *Reader) fill(p []byte) error {
	_, err := io.ReadFull(r.src, p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Recorder takes the place of a [Reader] when a stream is encrypted. It returns plaintext
// and records the value of each page for [Cipher.EncryptStream].
type Recorder struct {
	plain []byte
	rest  []byte
	x     IVXor
	next  int
	pages Pages
}

// NewRecorder returns a recorder of the stream plain.
func NewRecorder(plain []byte) *Recorder { return &Recorder{plain: plain, pages: Pages{}} }

// Mix adds a value to the accumulator.
func (r *Recorder) Mix(word uint32) { r.x.MixWord(word) }

// Read returns the rest of the current page.
func (r *Recorder) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(r.rest) == 0 {
		if len(r.plain) == 0 {
			return 0, io.EOF
		}
		n := min(PageSize, len(r.plain))
		r.rest, r.plain = r.plain[:n], r.plain[n:]
		if r.x != 0 {
			r.pages[r.next] = r.x
		}
		r.x = 0
		r.next++
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Buffered returns the bytes of the current page that were not read yet.
func (r *Recorder) Buffered() []byte { return r.rest }

// Ended reports whether the last page has been reached.
func (r *Recorder) Ended() bool { return len(r.plain) == 0 }

// Pages returns the recorded values.
func (r *Recorder) Pages() Pages { return r.pages }
