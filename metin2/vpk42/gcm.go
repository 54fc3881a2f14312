package vpk42

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/bits"
)

// The AES-GCM of the standard library needs a message as a whole. An entry may have two
// gigabytes, so this file works in pieces. The counter mode is the library's, and so is
// the fast part of the authentication: a polynomial in H, the encryption of zero, with
// the ciphertext blocks as coefficients. The library computes this polynomial for one
// piece when the piece is passed as additional data. One slow multiplication then adds it
// to the sum of the pieces before.

// gcmPiece is the number of bytes that are authenticated at a time.
const gcmPiece = 256 << 10

// gcmStream encrypts or decrypts a message piece by piece.
type gcmStream struct {
	aead    cipher.AEAD
	ctr     cipher.Stream
	nonce   []byte
	mask    element // mask that hides the tag
	inverse element // inverse of H
	power   element // power of H that shifts the sum by a whole piece
	h       element
	sum     element
	n       uint64 // bytes of ciphertext so far
	pending []byte // ciphertext that does not fill a piece yet
}

func newGCMStream(k *keys, nonce []byte) *gcmStream {
	g := &gcmStream{aead: k.aead, nonce: nonce, pending: make([]byte, 0, gcmPiece)}
	counter := append(append(make([]byte, 0, aes.BlockSize), nonce...), 0, 0, 0, 2)
	g.ctr = cipher.NewCTR(k.block, counter)
	zero := make([]byte, aes.BlockSize)
	k.block.Encrypt(zero, zero)
	g.h = toElement(zero)
	g.inverse = g.h.inverse()
	g.power = g.h.to(gcmPiece / aes.BlockSize)
	g.mask = toElement(g.aead.Seal(nil, nonce, nil, nil)) // without data the polynomial is zero, so the tag is the mask
	return g
}

// seal encrypts p into dst, which may be p.
func (g *gcmStream) seal(dst, p []byte) {
	g.ctr.XORKeyStream(dst, p)
	g.authenticate(dst[:len(p)])
}

// open decrypts p into dst, which may be p. The content is authentic only if the tag
// matches in the end.
func (g *gcmStream) open(dst, p []byte) {
	g.authenticate(p)
	g.ctr.XORKeyStream(dst, p)
}

func (g *gcmStream) authenticate(ciphertext []byte) {
	g.n += uint64(len(ciphertext))
	for len(ciphertext) > 0 {
		n := min(len(ciphertext), gcmPiece-len(g.pending))
		g.pending = append(g.pending, ciphertext[:n]...)
		ciphertext = ciphertext[n:]
		if len(g.pending) == gcmPiece {
			g.add(g.power)
		}
	}
}

// add adds the pending piece to the sum. power is H to the number of blocks in the piece.
func (g *gcmStream) add(power element) {
	tag := toElement(g.aead.Seal(nil, g.nonce, nil, g.pending))
	// Undo what the library did after the last block: it added the length, multiplied by
	// H and added the mask.
	poly := tag.plus(g.mask).times(g.inverse).plus(element{uint64(len(g.pending)) * 8, 0})
	g.sum = g.sum.times(power).plus(poly)
	g.pending = g.pending[:0]
}

// tag returns the tag at the end of the message.
func (g *gcmStream) tag() []byte {
	if len(g.pending) > 0 {
		blocks := (len(g.pending) + aes.BlockSize - 1) / aes.BlockSize
		g.add(g.h.to(blocks))
	}
	return g.sum.plus(element{0, g.n * 8}).times(g.h).plus(g.mask).bytes()
}

// element is an element of GF(2^128), with the bits in GCM's order: the first bit of the
// first byte is the lowest power.
type element struct{ hi, lo uint64 }

func toElement(b []byte) element {
	return element{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

func (x element) bytes() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, x.hi), x.lo)
}

func (x element) plus(y element) element { return element{x.hi ^ y.hi, x.lo ^ y.lo} }

func (x element) times(y element) (product element) {
	for i := range 128 {
		word := x.hi
		if i >= 64 {
			word = x.lo
		}
		if word>>(63-i%64)&1 != 0 {
			product = product.plus(y)
		}
		carry := y.lo & 1
		y.lo = y.lo>>1 | y.hi<<63
		y.hi >>= 1
		if carry != 0 {
			y.hi ^= 0xe1 << 56 // the polynomial that GCM reduces by
		}
	}
	return product
}

// one is the neutral element of multiplication.
var one = element{1 << 63, 0}

// to raises x to the power n.
func (x element) to(n int) element {
	power := one
	for i := bits.Len(uint(n)) - 1; i >= 0; i-- {
		power = power.times(power)
		if n>>i&1 != 0 {
			power = power.times(x)
		}
	}
	return power
}

// inverse returns 1/x, which is x to the power of 2^128 - 2.
func (x element) inverse() element {
	inverse := one
	square := x
	for range 127 {
		square = square.times(square)
		inverse = inverse.times(square)
	}
	return inverse
}
