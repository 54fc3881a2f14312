//go:build checked || !(amd64 || arm64)

// Package words reads and writes words of a byte slice, with bounds checks; see
// words.go.
package words

import "encoding/binary"

type Place = []byte

func At(b []byte, i int) Place { return b[i:] }

func Load64(p Place, i int) uint64 { return binary.LittleEndian.Uint64(p[i : i+8]) }

func Load16(p Place, i int) uint16 { return binary.LittleEndian.Uint16(p[i : i+2]) }

func Load8(p Place, i int) byte { return p[i] }

func Store64(p Place, i int, v uint64) { binary.LittleEndian.PutUint64(p[i:i+8], v) }

func Store32(p Place, i int, v uint32) { binary.LittleEndian.PutUint32(p[i:i+4], v) }

func Store8(p Place, i int, v byte) { p[i] = v }

func Copy16(to, from Place, i int) { *(*[16]byte)(to[i:]) = *(*[16]byte)(from[i:]) }
