package tree

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"

	"pakbox/gbx"
)

// SamePlaces reports whether two files are coded to the same bytes, and every
// value of one lies where the value of the same name lies in the other. Then
// all values are the same.
func SamePlaces(a, b *gbx.File) (bool, error) {
	for _, code := range []func(*gbx.File) ([]byte, error){(*gbx.File).EncodeHeader, (*gbx.File).EncodeBody} {
		x, err := code(a)
		if err != nil {
			return false, err
		}
		y, err := code(b)
		if err != nil || !bytes.Equal(x, y) {
			return false, err
		}
	}
	x, y := new(places), new(places)
	x.sum.SetSeed(seed)
	y.sum.SetSeed(seed)
	if err := a.Walk(x); err != nil {
		return false, err
	}
	if err := b.Walk(y); err != nil {
		return false, err
	}
	return x.sum.Sum64() == y.sum.Sum64(), nil
}

// places is a visitor that sums up names and places.
type places struct{ sum maphash.Hash }

func (p *places) add(name string, offset, length int64) {
	var place [16]byte
	binary.LittleEndian.PutUint64(place[:], uint64(offset))
	binary.LittleEndian.PutUint64(place[8:], uint64(length))
	p.sum.WriteString(name)
	p.sum.Write(place[:])
}

func (p *places) Value(string, any)                              {}
func (p *places) Coded(name string, _ any, offset, length int64) { p.add(name, offset, length) }
func (p *places) Begin(name string, _ any, offset int64)         { p.add(name, offset, -1) }
func (p *places) End(offset int64)                               { p.add("", offset, -2) }
func (p *places) Inside(found, coded []byte, err error) bool     { return false }
