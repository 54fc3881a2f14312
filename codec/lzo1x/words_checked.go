//go:build checked || !(amd64 || arm64)

package lzo1x

import "encoding/binary"

type place = []byte

func at(b []byte, i int) place { return b[i:] }

func load64(p place, i int) uint64 { return binary.LittleEndian.Uint64(p[i : i+8]) }

func store64(p place, i int, v uint64) { binary.LittleEndian.PutUint64(p[i:i+8], v) }

func store32(p place, i int, v uint32) { binary.LittleEndian.PutUint32(p[i:i+4], v) }

func load8(p place, i int) byte { return p[i] }

func store8(p place, i int, v byte) { p[i] = v }
