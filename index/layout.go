package index

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/zeebo/blake3"

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
	sorted := slices.Clone(blocks)
	slices.SortFunc(sorted, compareBlocks)
	row.LayoutHash = layoutHash(sorted, gbx.Int3{})
	low := gbx.Int3{X: math.MaxInt32, Z: math.MaxInt32}
	for i := range sorted {
		if !sorted[i].Free {
			low.X, low.Z = min(low.X, sorted[i].Coord.X), min(low.Z, sorted[i].Coord.Z)
		}
	}
	row.ShiftedHash = layoutHash(sorted, low)
	row.MinHash = minHash(sorted)
}

func compareBlocks(a, b trackmania.Block) int {
	return cmp.Or(
		strings.Compare(a.Name, b.Name),
		cmp.Compare(a.Coord.X, b.Coord.X), cmp.Compare(a.Coord.Y, b.Coord.Y), cmp.Compare(a.Coord.Z, b.Coord.Z),
		cmp.Compare(a.Direction, b.Direction),
		compareVectors(a.Position, b.Position), compareVectors(a.YawPitchRoll, b.YawPitchRoll))
}

func compareVectors(a, b gbx.Vec3) int {
	return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z))
}

// layoutHash hashes sorted blocks as seen from a corner. Blocks that stand
// free of the grid count with their place in metres, wherever the corner is.
func layoutHash(sorted []trackmania.Block, corner gbx.Int3) *Hash {
	h := blake3.New()
	var b []byte
	for i := range sorted {
		k := &sorted[i]
		b = append(append(b[:0], k.Name...), 0)
		if k.Free {
			for _, v := range []gbx.Vec3{k.Position, k.YawPitchRoll} {
				for _, n := range []float32{v.X, v.Y, v.Z} {
					b = binary.LittleEndian.AppendUint32(b, math.Float32bits(n))
				}
			}
		} else {
			b = appendCoord(b, k.Coord, corner)
			b = append(b, byte(k.Direction))
		}
		h.Write(b)
	}
	hash := Hash(h.Sum(nil))
	return &hash
}

func appendCoord(b []byte, c, corner gbx.Int3) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(c.X-corner.X))
	b = binary.LittleEndian.AppendUint32(b, uint32(c.Y-corner.Y))
	return binary.LittleEndian.AppendUint32(b, uint32(c.Z-corner.Z))
}

// minHash keeps the smallest values over the blocks on the grid; nil if there
// are none. One hash of a block is spread to all functions by odd factors.
func minHash(sorted []trackmania.Block) *[4 * minHashes]byte {
	var least [minHashes]uint32
	for i := range least {
		least[i] = math.MaxUint32
	}
	found := false
	for i := range sorted {
		k := &sorted[i]
		if k.Free {
			continue
		}
		found = true
		seed := blockHash(k)
		for f := range least {
			seed += 0x9E3779B97F4A7C15
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

// blockHash is FNV-1a over a block's name and place.
func blockHash(k *trackmania.Block) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(k.Name); i++ {
		h = (h ^ uint64(k.Name[i])) * 1099511628211
	}
	for _, n := range []int32{k.Coord.X, k.Coord.Y, k.Coord.Z} {
		for shift := 0; shift < 32; shift += 8 {
			h = (h ^ uint64(uint32(n)>>shift&0xFF)) * 1099511628211
		}
	}
	return h
}

// mix is the last step of SplitMix64.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
