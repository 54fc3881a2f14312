// Package nadeocrypt is the encryption of NadeoPak files: Blowfish on little-endian
// words, with 16 rounds or 8, in a chaining mode to which the reader of the stream
// contributes.
//
// The stream class of the engine is CClassicBufferCrypted (ManiaPlanet internals,
// "Streams"). It works in pages of 256 bytes. When the first byte of a page is needed,
// the chaining value is combined with ivXor. That is a 64-bit accumulator into which the
// reader of the stream has mixed values; it then starts again from zero. So the plaintext
// of a page depends on the values that were read before it. A page must not be decrypted
// before its first byte is requested. [Reader] keeps that rule.
package crypt

import (
	_ "embed"
	"encoding/binary"
)

// KeySize is the length of a key in bytes.
const KeySize = 16

// BlockSize is the length of a cipher block in bytes.
const BlockSize = 8

// Variant distinguishes versions of the format.
type Variant struct {
	Rounds int  // rounds of Blowfish: 16 or 8
	Folded bool // the chaining value is combined with the one before it
}

// ForVersion returns the variant of a NadeoPak version: folded chaining from
// version 12 on, half the rounds in version 18.
func ForVersion(version uint32) Variant {
	v := Variant{Rounds: 16, Folded: version >= 12}
	if version >= 18 {
		v.Rounds = 8
	}
	return v
}

// Cipher is Blowfish with a key. Blocks are little-endian uint64 values with the
// left half in the low word.
type Cipher struct {
	Variant
	s [4][256]uint32
	p [18]uint32 // Rounds+2 are used
}

// NewCipher expands a key. That takes as long as encrypting 500 blocks, so keep the
// cipher.
func NewCipher(key [KeySize]byte, v Variant) *Cipher {
	c := &Cipher{Variant: v}
	for i := range c.p {
		c.p[i] = piWord(i)
	}
	for i := range c.s {
		for j := range c.s[i] {
			c.s[i][j] = piWord(len(c.p) + len(c.s[i])*i + j)
		}
	}
	for i := range v.Rounds + 2 {
		c.p[i] ^= binary.LittleEndian.Uint32(key[i%4*4:])
	}
	var b uint64
	next := func() (l, r uint32) {
		b = c.Encrypt(b)
		return uint32(b), uint32(b >> 32)
	}
	for i := 0; i < v.Rounds+2; i += 2 {
		c.p[i], c.p[i+1] = next()
	}
	for i := range c.s {
		for j := 0; j < 256; j += 2 {
			c.s[i][j], c.s[i][j+1] = next()
		}
	}
	return c
}

// Encrypt encrypts one block.
func (c *Cipher) Encrypt(b uint64) uint64 {
	l, r := uint32(b)^c.p[0], uint32(b>>32)
	for i := 1; i < c.Rounds; i += 2 {
		r ^= c.f(l) ^ c.p[i]
		l ^= c.f(r) ^ c.p[i+1]
	}
	return uint64(l)<<32 | uint64(r^c.p[c.Rounds+1])
}

// Decrypt decrypts one block.
func (c *Cipher) Decrypt(b uint64) uint64 {
	l, r := uint32(b)^c.p[c.Rounds+1], uint32(b>>32)
	for i := c.Rounds; i > 0; i -= 2 {
		r ^= c.f(l) ^ c.p[i]
		l ^= c.f(r) ^ c.p[i-1]
	}
	return uint64(l)<<32 | uint64(r^c.p[0])
}

func (c *Cipher) f(x uint32) uint32 {
	return ((c.s[0][byte(x>>24)] + c.s[1][byte(x>>16)]) ^ c.s[2][byte(x>>8)]) + c.s[3][byte(x)]
}

// decrypt2 decrypts two blocks in parallel, because the rounds of one block must wait for
// each other.
func (c *Cipher) decrypt2(a, b uint64) (uint64, uint64) {
	k := c.p[c.Rounds+1]
	la, ra := uint32(a)^k, uint32(a>>32)
	lb, rb := uint32(b)^k, uint32(b>>32)
	for i := c.Rounds; i > 0; i -= 2 {
		k, m := c.p[i], c.p[i-1]
		ra ^= c.f(la) ^ k
		rb ^= c.f(lb) ^ k
		la ^= c.f(ra) ^ m
		lb ^= c.f(rb) ^ m
	}
	return uint64(la)<<32 | uint64(ra^c.p[0]), uint64(lb)<<32 | uint64(rb^c.p[0])
}

// piFraction are the first bits of the fraction of pi, which is what Blowfish
// begins with: 18 words for P and 1,024 for the S-boxes, the highest bits first.
// They are stored because computing them takes milliseconds, as long as listing a pack.
// A test computes them.
//
//go:embed pi.bin
var piFraction []byte

// piWord returns the i-th word of piFraction.
func piWord(i int) uint32 { return binary.BigEndian.Uint32(piFraction[i*4:]) }
