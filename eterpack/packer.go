package eterpack

import (
	"pakbox/internal/lib/xtea"
)

// packer is a program that makes packs, known by how it fills the fields of a
// record. The client goes by the crypted object's own header, so none of these
// ways is wrong.
type packer string

const (
	ymir      packer = "Ymir"
	eterNexus packer = "EterNexus" // probably
	tight     packer = "tight"     // without room between entries
	headless  packer = "headless"  // sizes are those of content and stream
)

// packers are tried in this order, so that an entry that fits several counts
// for the most common.
var packers = []packer{ymir, eterNexus, tight, headless}

// lays reports whether the packer gives an entry the sizes that r has. h is the
// header of its object; raw entries have none.
func (p packer) lays(r *record, h objectHeader) bool {
	if r.kind > typeEncrypted {
		return p == ymir && r.laidInSlot()
	}
	object := int64(r.dataSize) // of a raw entry
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

// laidInSlot reports whether the data lies in a slot of whole units that has at
// least one byte more than needed.
func (r *record) laidInSlot() bool {
	return r.position%slotUnit == 0 && r.slotSize%slotUnit == 0 && int64(r.slotSize) >= slotSize(int64(r.dataSize))
}

func roundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }

// packerOf finds who laid an entry out; "" if it is nobody known.
func packerOf(r *record, h objectHeader) packer {
	for _, p := range packers {
		if p.lays(r, h) {
			return p
		}
	}
	return ""
}
