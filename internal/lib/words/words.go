//go:build (amd64 || arm64) && !checked

// Package words reads and writes words of a byte slice without bounds checks.
//
// The fast loops of the decoders in codec check once that there is room for
// everything an instruction may touch. The compiler cannot see that, and its own
// check of each word takes a tenth of the time. This file leaves those checks out
// on processors that store words as files do, in little-endian order and at any
// address. On other processors, and with the build tag checked, checked.go keeps
// them. The tests of the decoders run with both.
package words

import "unsafe"

// Place is a byte of a slice.
type Place = unsafe.Pointer

// At returns the place of b[i].
func At(b []byte, i int) Place { return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) }

// Load64 returns the word i bytes behind p.
func Load64(p Place, i int) uint64 { return *(*uint64)(unsafe.Add(p, i)) }

// Load16 returns the quarter word i bytes behind p.
func Load16(p Place, i int) uint16 { return *(*uint16)(unsafe.Add(p, i)) }

// Load8 returns the byte i bytes behind p.
func Load8(p Place, i int) byte { return *(*byte)(unsafe.Add(p, i)) }

// Store64 writes a word i bytes behind p.
func Store64(p Place, i int, v uint64) { *(*uint64)(unsafe.Add(p, i)) = v }

// Store32 writes a half word i bytes behind p.
func Store32(p Place, i int, v uint32) { *(*uint32)(unsafe.Add(p, i)) = v }

// Store8 writes a byte i bytes behind p.
func Store8(p Place, i int, v byte) { *(*byte)(unsafe.Add(p, i)) = v }

// Copy16 copies 16 bytes from one place to another, i bytes behind each. It reads
// all of them before it writes.
func Copy16(to, from Place, i int) {
	*(*[16]byte)(unsafe.Add(to, i)) = *(*[16]byte)(unsafe.Add(from, i))
}
