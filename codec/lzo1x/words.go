//go:build (amd64 || arm64) && !checked

package lzo1x

import "unsafe"

// The fast path of the decoder looks once whether there is room for all that an
// instruction may touch. The compiler cannot see that, and its own checks of
// each word take a tenth of the time. Where the processor takes words as files
// have them, this does without. Everywhere else, and with the build tag checked,
// words_checked.go has them; the tests pass with both.

// place is a byte of a slice.
type place = unsafe.Pointer

// at is the place of b[i].
func at(b []byte, i int) place { return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i) }

// load64 returns the word i bytes behind p.
func load64(p place, i int) uint64 { return *(*uint64)(unsafe.Add(p, i)) }

// store64 puts a word i bytes behind p.
func store64(p place, i int, v uint64) { *(*uint64)(unsafe.Add(p, i)) = v }

// store32 puts a half word i bytes behind p.
func store32(p place, i int, v uint32) { *(*uint32)(unsafe.Add(p, i)) = v }

// load8 returns the byte i bytes behind p.
func load8(p place, i int) byte { return *(*byte)(unsafe.Add(p, i)) }

// store8 puts a byte i bytes behind p.
func store8(p place, i int, v byte) { *(*byte)(unsafe.Add(p, i)) = v }
