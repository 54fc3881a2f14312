package crypt

import (
	"encoding/binary"
	"math/bits"
)

// PageSize is the number of bytes after which ivXor takes effect again.
const PageSize = 256

// IVXor is the accumulator ivXor. Only bits 0, 2, 4 and 6 of mixed bytes have an effect.
type IVXor uint64

// Mix adds bytes to the accumulator (CalcIVXor in the specification).
func (x *IVXor) Mix(p ...byte) {
	for _, b := range p {
		*x = IVXor(bits.RotateLeft64(uint64(*x), 13) ^ uint64(b|0xaa))
	}
}

// MixWord adds a 32-bit value, low byte first.
func (x *IVXor) MixWord(w uint32) { x.Mix(byte(w), byte(w>>8), byte(w>>16), byte(w>>24)) }

// chain is the state of one encrypted stream.
type chain struct {
	c  *Cipher
	iv uint64
}

// follow moves the chaining value past a block of ciphertext.
func (ch *chain) follow(cipherBlock uint64) {
	if ch.c.Folded {
		ch.iv = ch.iv>>47 ^ ch.iv*9 ^ cipherBlock
	} else {
		ch.iv = cipherBlock
	}
}

// decryptPage decrypts at most one page of whole blocks.
func (ch *chain) decryptPage(dst, src []byte, x IVXor) {
	ch.iv ^= uint64(x)
	for len(src) >= 2*BlockSize {
		a, b := binary.LittleEndian.Uint64(src), binary.LittleEndian.Uint64(src[8:])
		pa, pb := ch.c.decrypt2(a, b)
		binary.LittleEndian.PutUint64(dst, pa^ch.iv)
		ch.follow(a)
		binary.LittleEndian.PutUint64(dst[8:], pb^ch.iv)
		ch.follow(b)
		src, dst = src[16:], dst[16:]
	}
	if len(src) > 0 {
		a := binary.LittleEndian.Uint64(src)
		binary.LittleEndian.PutUint64(dst, ch.c.Decrypt(a)^ch.iv)
		ch.follow(a)
	}
}

func (ch *chain) encryptPage(dst, src []byte, x IVXor) {
	ch.iv ^= uint64(x)
	for ; len(src) > 0; src, dst = src[8:], dst[8:] {
		b := ch.c.Encrypt(binary.LittleEndian.Uint64(src) ^ ch.iv)
		binary.LittleEndian.PutUint64(dst, b)
		ch.follow(b)
	}
}

// Pages holds the accumulator's value at the pages where it is not zero.
type Pages map[int]IVXor

// DecryptStream decrypts whole blocks of a stream for which the values of all pages are
// known. dst and src may be the same.
func (c *Cipher) DecryptStream(dst, src []byte, iv uint64, pages Pages) {
	NewDecrypter(c, iv, pages).Decrypt(dst, src)
}

// Decrypter decrypts a stream in pieces of whole pages.
type Decrypter struct {
	chain chain
	pages Pages
	page  int
}

// NewDecrypter returns a decrypter of a stream from its beginning.
func NewDecrypter(c *Cipher, iv uint64, pages Pages) *Decrypter {
	return &Decrypter{chain: chain{c, iv}, pages: pages}
}

// Decrypt decrypts the next piece. Only the last one may end inside a page.
func (d *Decrypter) Decrypt(dst, src []byte) {
	for ; len(src) > 0; d.page++ {
		n := min(PageSize, len(src))
		d.chain.decryptPage(dst[:n], src[:n], d.pages[d.page])
		dst, src = dst[n:], src[n:]
	}
}

// EncryptStream is the inverse of [Cipher.DecryptStream].
func (c *Cipher) EncryptStream(dst, src []byte, iv uint64, pages Pages) {
	ch := chain{c, iv}
	for page := 0; len(src) > 0; page++ {
		n := min(PageSize, len(src))
		ch.encryptPage(dst[:n], src[:n], pages[page])
		dst, src = dst[n:], src[n:]
	}
}

// XORKeyStream encrypts or decrypts in counter mode from offset off on. The mask of block
// k of page b is the encryption of iv + 8 + 256*b + k, without chaining.
func (c *Cipher) XORKeyStream(dst, src []byte, iv uint64, off int64) {
	var mask [BlockSize]byte
	for i := range src {
		at := off + int64(i)
		if i == 0 || at%BlockSize == 0 {
			page, block := at/PageSize, at%PageSize/BlockSize
			binary.LittleEndian.PutUint64(mask[:], c.Encrypt(iv+8+uint64(page*PageSize+block)))
		}
		dst[i] = src[i] ^ mask[at%BlockSize]
	}
}

// Padded returns n rounded up to whole blocks.
func Padded(n int64) int64 { return (n + BlockSize - 1) &^ (BlockSize - 1) }
