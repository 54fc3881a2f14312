package index

import (
	"encoding/binary"
	"math"

	"pakbox/gbx"
	"pakbox/trackmania"
)

// Two maps with the same layout hash have the same blocks in the same places.
// MinHash finds those that have many in common: 64 hash functions each keep the
// smallest value over all (name, place); the part of the 64 that two maps share
// is about the part of their blocks that they share.

// minHashes is how many hash functions there are.
const minHashes = 64

// setLayout sets the columns that tell maps with the same blocks.
func setLayout(row *Map, blocks []trackmania.Block) {
	if len(blocks) == 0 {
		return
	}
	names := map[string]uint64{}
	low := gbx.Int3{X: math.MaxInt32, Z: math.MaxInt32}
	for i := range blocks {
		b := &blocks[i]
		if _, known := names[b.Name]; !known {
			names[b.Name] = hashName(b.Name)
		}
		if !b.Free {
			low.X, low.Z = min(low.X, b.Coord.X), min(low.Z, b.Coord.Z)
		}
	}
	row.LayoutHash = layoutHash(blocks, names, gbx.Int3{})
	row.ShiftedHash = layoutHash(blocks, names, low)
	row.MinHash = minHash(blocks, names)
}

// layoutHash hashes blocks as seen from a corner, in whatever order they are.
// Blocks that stand free of the grid count with their place in metres, wherever
// the corner is.
func layoutHash(blocks []trackmania.Block, names map[string]uint64, corner gbx.Int3) *Hash {
	var sums [4]uint64 // of hashes of each: they do not depend on the order
	for i := range blocks {
		b := &blocks[i]
		h := names[b.Name]
		if b.Free {
			for _, v := range [2]gbx.Vec3{b.Position, b.YawPitchRoll} {
				for _, n := range [3]float32{v.X, v.Y, v.Z} {
					h = mix(h + uint64(math.Float32bits(n)) + gamma)
				}
			}
		} else {
			h = mix(placed(h, b.Coord, corner) + uint64(byte(b.Direction)) + gamma)
		}
		for k := range sums {
			h += gamma
			sums[k] += mix(h)
		}
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(blocks)))
	for _, s := range sums {
		out = binary.LittleEndian.AppendUint64(out, s)
	}
	return hashOf(out)
}

// placed mixes a place into a hash.
func placed(h uint64, c, corner gbx.Int3) uint64 {
	for _, n := range [3]int32{c.X - corner.X, c.Y - corner.Y, c.Z - corner.Z} {
		h = mix(h + uint64(uint32(n)) + gamma)
	}
	return h
}

// minHash keeps the smallest values over the blocks on the grid; nil if there
// are none. One hash of a block is spread to all functions by odd factors.
func minHash(blocks []trackmania.Block, names map[string]uint64) *[4 * minHashes]byte {
	var least [minHashes]uint32
	for i := range least {
		least[i] = math.MaxUint32
	}
	found := false
	for i := range blocks {
		k := &blocks[i]
		if k.Free {
			continue
		}
		found = true
		seed := placed(names[k.Name], k.Coord, gbx.Int3{})
		for f := range least {
			seed += gamma
			least[f] = min(least[f], uint32(mix(seed)>>32))
		}
	}
	if !found {
		return nil
	}
	var out [4 * minHashes]byte
	for i, n := range least {
		binary.LittleEndian.PutUint32(out[4*i:], n)
	}
	return &out
}

// Similarity is about the part of their blocks that two maps share, from 0 to 1:
// the part of the numbers of MinHash that are the same.
func Similarity(a, b *[4 * minHashes]byte) float64 {
	if a == nil || b == nil {
		return 0
	}
	same := 0
	for i := 0; i < len(a); i += 4 {
		if [4]byte(a[i:]) == [4]byte(b[i:]) {
			same++
		}
	}
	return float64(same) / minHashes
}

// hashName is FNV-1a.
func hashName(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h
}

// gamma is the step of SplitMix64.
const gamma = 0x9E3779B97F4A7C15

// mix is the last step of SplitMix64.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
