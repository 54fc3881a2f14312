//go:build (amd64 || arm64) && !checked

// Package words reads and writes words of a byte slice without bounds checks.
//
// The decoders check the space for a whole instruction once. Checking each word would
// take a tenth of the time. Processors other than amd64 and arm64, and the build tag
// checked, use checked.go. The tests run with both.
package words

import "unsafe"

// Place is a pointer to a byte of a slice.
type Place = unsafe.Pointer

// At returns a pointer to b[i].
func At(b []byte, i int) Place { return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) }

// Load64 returns the 64-bit word i bytes after p.
func Load64(p Place, i int) uint64 { return *(*uint64)(unsafe.Add(p, i)) }

// Load16 returns the 16-bit word i bytes after p.
func Load16(p Place, i int) uint16 { return *(*uint16)(unsafe.Add(p, i)) }

// Load8 returns the byte i bytes after p.
func Load8(p Place, i int) byte { return *(*byte)(unsafe.Add(p, i)) }

// Store64 writes a 64-bit word i bytes after p.
func Store64(p Place, i int, v uint64) { *(*uint64)(unsafe.Add(p, i)) = v }

// Store32 writes a 32-bit word i bytes after p.
func Store32(p Place, i int, v uint32) { *(*uint32)(unsafe.Add(p, i)) = v }

// Store8 writes a byte i bytes after p.
func Store8(p Place, i int, v byte) { *(*byte)(unsafe.Add(p, i)) = v }

// Copy16 copies 16 bytes, i bytes after each pointer. It reads all before it writes.
func Copy16(to, from Place, i int) {
	*(*[16]byte)(unsafe.Add(to, i)) = *(*[16]byte)(unsafe.Add(from, i))
}
