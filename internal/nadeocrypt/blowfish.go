// Package nadeocrypt is the encryption of NadeoPak files: Blowfish on
// little-endian words, with 16 rounds or 8, in a chaining mode that a reader
// feeds with what it has read.
//
// The stream class of the engine is CClassicBufferCrypted (ManiaPlanet
// internals, "Streams"). It works in pages of 256 bytes. When the first byte
// of a page is needed, the chaining value is combined with ivXor, a 64-bit
// accumulator that the reader of the stream has been mixing values into, and
// the accumulator starts again from zero. So the plaintext of a page depends
// on what was made of the plaintext before it, and on when: a page must not be
// decrypted before its first byte is asked for. [Reader] keeps that promise.
package nadeocrypt

import (
	"encoding/binary"
	"math/big"
	"sync"
)

// KeySize is the length of a key in bytes.
const KeySize = 16

// BlockSize is the length of a cipher block in bytes.
const BlockSize = 8

// A Variant is one of the ways in which versions of the format differ.
type Variant struct {
	Rounds int  // of Blowfish: 16, or 8
	Folded bool // the chaining value is folded with the one before it
}

// ForVersion returns the variant of a NadeoPak version: chaining is folded
// from version 12 on, version 18 halves the rounds.
func ForVersion(version uint32) Variant {
	v := Variant{Rounds: 16, Folded: version >= 12}
	if version >= 18 {
		v.Rounds = 8
	}
	return v
}

// Cipher is Blowfish with a key. Blocks are uint64 values, read from bytes in
// little-endian order; Blowfish's left half is the low word.
type Cipher struct {
	Variant
	s [4][256]uint32
	p [18]uint32 // Rounds+2 are used
}

// NewCipher expands a key. It costs about 500 blocks; keep the cipher.
func NewCipher(key [KeySize]byte, v Variant) *Cipher {
	c := &Cipher{Variant: v}
	digits := piDigits()
	copy(c.p[:], digits[:18])
	for i := range c.s {
		copy(c.s[i][:], digits[18+256*i:])
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

// decrypt2 decrypts two blocks side by side: the rounds of one block wait for
// each other, the rounds of two do not.
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

// piDigits are the first words of the fraction of pi, which is what Blowfish
// begins with: 18 for P and 1,024 for the S-boxes. The series of the
// Chudnovskys gives 47 bits with every term; summed up by halves, they take a
// few milliseconds, of which there must not be more: listing a pack takes ten.
var piDigits = sync.OnceValue(func() []uint32 {
	const words, guard = 18 + 4*256, 64
	const bits = words*32 + guard
	_, q, t := chudnovsky(0, bits/47+1)
	// pi = 426880 √10005 q / t
	root := new(big.Int).Lsh(big.NewInt(10005), 2*bits)
	pi := root.Sqrt(root).Mul(root, big.NewInt(426880))
	pi.Mul(pi, q).Quo(pi, t)
	pi.Sub(pi, new(big.Int).Lsh(big.NewInt(3), bits)).Rsh(pi, guard)
	digits := make([]uint32, words)
	for i, b := 0, pi.FillBytes(make([]byte, words*4)); i < words; i++ {
		digits[i] = binary.BigEndian.Uint32(b[i*4:])
	}
	return digits
})

// chudnovsky sums up the terms from a to b: t/q is their sum, p the product of
// their numerators, which the terms behind them are multiplied by.
func chudnovsky(a, b int64) (p, q, t *big.Int) {
	if b-a > 1 {
		m := (a + b) / 2
		p1, q1, t1 := chudnovsky(a, m)
		p2, q2, t2 := chudnovsky(m, b)
		t1.Mul(t1, q2)
		t2.Mul(t2, p1)
		return p1.Mul(p1, p2), q1.Mul(q1, q2), t1.Add(t1, t2)
	}
	p, q = big.NewInt(1), big.NewInt(1)
	if a > 0 {
		p = big.NewInt((6*a - 5) * (2*a - 1) * (6*a - 1))
		q = big.NewInt(a * a * a)
		q.Mul(q, big.NewInt(640320*640320/24)).Mul(q, big.NewInt(640320))
	}
	t = new(big.Int).Mul(p, big.NewInt(13591409+545140134*a))
	if a%2 == 1 {
		t.Neg(t)
	}
	return p, q, t
}
