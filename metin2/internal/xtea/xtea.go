// Package xtea is the XTEA block cipher (Needham and Wheeler, "Tea extensions", 1997; 32
// rounds) with little-endian words and without chaining, as in Metin2's packs.
// golang.org/x/crypto/xtea has big-endian words.
package xtea

import "encoding/binary"

// BlockSize is the size of a block in bytes.
const BlockSize = 8

const (
	rounds = 32
	delta  = 0x9E3779B9
)

// Cipher is XTEA with one key. It is safe for concurrent use.
type Cipher struct {
	// Each half round adds the running sum plus a word of the key; these are the sums.
	k0, k1 [rounds]uint32
}

// New returns the cipher for a key of four words.
func New(key [4]uint32) *Cipher {
	c := new(Cipher)
	sum := uint32(0)
	for i := range rounds {
		c.k0[i] = sum + key[sum&3]
		sum += delta
		c.k1[i] = sum + key[sum>>11&3]
	}
	return c
}

// Encrypt encrypts whole blocks of src into dst, which may be the same memory.
func (c *Cipher) Encrypt(dst, src []byte) {
	for ; len(src) >= lanes*BlockSize; dst, src = dst[lanes*BlockSize:], src[lanes*BlockSize:] {
		a0, a1, b0, b1, c0, c1, d0, d1 := load(src)
		for i := range rounds {
			k0, k1 := c.k0[i], c.k1[i]
			a0 += (a1<<4 ^ a1>>5) + a1 ^ k0
			b0 += (b1<<4 ^ b1>>5) + b1 ^ k0
			c0 += (c1<<4 ^ c1>>5) + c1 ^ k0
			d0 += (d1<<4 ^ d1>>5) + d1 ^ k0
			a1 += (a0<<4 ^ a0>>5) + a0 ^ k1
			b1 += (b0<<4 ^ b0>>5) + b0 ^ k1
			c1 += (c0<<4 ^ c0>>5) + c0 ^ k1
			d1 += (d0<<4 ^ d0>>5) + d0 ^ k1
		}
		store(dst, a0, a1, b0, b1, c0, c1, d0, d1)
	}
	if len(src) > 0 {
		c.rest(dst, src, c.Encrypt)
	}
}

// Decrypt is the inverse of Encrypt.
func (c *Cipher) Decrypt(dst, src []byte) {
	for ; len(src) >= lanes*BlockSize; dst, src = dst[lanes*BlockSize:], src[lanes*BlockSize:] {
		a0, a1, b0, b1, c0, c1, d0, d1 := load(src)
		for i := rounds - 1; i >= 0; i-- {
			k0, k1 := c.k0[i], c.k1[i]
			a1 -= (a0<<4 ^ a0>>5) + a0 ^ k1
			b1 -= (b0<<4 ^ b0>>5) + b0 ^ k1
			c1 -= (c0<<4 ^ c0>>5) + c0 ^ k1
			d1 -= (d0<<4 ^ d0>>5) + d0 ^ k1
			a0 -= (a1<<4 ^ a1>>5) + a1 ^ k0
			b0 -= (b1<<4 ^ b1>>5) + b1 ^ k0
			c0 -= (c1<<4 ^ c1>>5) + c1 ^ k0
			d0 -= (d1<<4 ^ d1>>5) + d1 ^ k0
		}
		store(dst, a0, a1, b0, b1, c0, c1, d0, d1)
	}
	if len(src) > 0 {
		c.rest(dst, src, c.Decrypt)
	}
}

// rest processes the last blocks, fewer than lanes.
func (c *Cipher) rest(dst, src []byte, crypt func(dst, src []byte)) {
	var buf [lanes * BlockSize]byte
	copy(buf[:], src)
	crypt(buf[:], buf[:])
	copy(dst, buf[:len(src)])
}

// lanes is the number of blocks processed in parallel. The steps of one block wait for
// each other; blocks do not.
const lanes = 4

// load reads the words of the blocks into separate variables, which stay in registers.
func load(b []byte) (a0, a1, b0, b1, c0, c1, d0, d1 uint32) {
	le := binary.LittleEndian
	_ = b[31]
	return le.Uint32(b), le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:]),
		le.Uint32(b[16:]), le.Uint32(b[20:]), le.Uint32(b[24:]), le.Uint32(b[28:])
}

func store(b []byte, a0, a1, b0, b1, c0, c1, d0, d1 uint32) {
	le := binary.LittleEndian
	_ = b[31]
	le.PutUint32(b, a0)
	le.PutUint32(b[4:], a1)
	le.PutUint32(b[8:], b0)
	le.PutUint32(b[12:], b1)
	le.PutUint32(b[16:], c0)
	le.PutUint32(b[20:], c1)
	le.PutUint32(b[24:], d0)
	le.PutUint32(b[28:], d1)
}
