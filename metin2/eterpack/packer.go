package eterpack

import (
	"pakbox/metin2/internal/xtea"
)

// packer is a program that makes packs. It is recognised by the way it fills the sizes of
// a record. The client uses the header of the crypted object, so every way is valid.
type packer string

const (
	ymir      packer = "Ymir"
	eterNexus packer = "EterNexus" // probably this program
	tight     packer = "tight"     // no unused bytes between entries
	headless  packer = "headless"  // the sizes are those of content and stream, without the header
)

// packers are tried in this order. An entry that fits several counts for the most common
// one.
var packers = []packer{ymir, eterNexus, tight, headless}

// lays reports whether the packer would give an entry the sizes in r. h is the header of
// its object; raw entries have none.
func (p packer) lays(r *record, h objectHeader) bool {
	if r.kind > typeEncrypted {
		return p == ymir && r.laidInSlot()
	}
	object := int64(r.dataSize) // size of a raw entry
	if r.kind != typeRaw {
		object = h.size()
	}
	compressed := int64(h.compressedSize)
	switch p {
	case ymir:
		if h.encryptSize != 0 {
			object += objectSpare
			if int64(h.encryptSize) != roundUp(compressed+encryptExtra, xtea.BlockSize) {
				return false
			}
		}
		return r.laidInSlot() && int64(r.dataSize) == object
	case eterNexus:
		n := roundUp(object, slotUnit)
		return r.kind == typeCompress && r.position%slotUnit == 0 && int64(r.slotSize) == object &&
			(int64(r.dataSize) == n || int64(r.dataSize) == n+slotUnit)
	case tight:
		return r.slotSize == r.dataSize && int64(r.dataSize) == object &&
			(h.encryptSize == 0 || int64(h.encryptSize) == roundUp(compressed+innerMagicSize, xtea.BlockSize))
	default:
		if r.kind == typeRaw {
			return r.slotSize == r.dataSize
		}
		return r.slotSize == int32(h.realSize) && int64(r.dataSize) == object-objectHeaderSize
	}
}

// laidInSlot reports whether the data lies in a slot of whole units with at least one
// unused byte.
func (r *record) laidInSlot() bool {
	return r.position%slotUnit == 0 && r.slotSize%slotUnit == 0 && int64(r.slotSize) >= slotSize(int64(r.dataSize))
}

func roundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }

// packerOf returns the packer that fits an entry; "" if none does.
func packerOf(r *record, h objectHeader) packer {
	for _, p := range packers {
		if p.lays(r, h) {
			return p
		}
	}
	return ""
}
