package index

import (
	"encoding/binary"
	"iter"
	"math"
	"sync"

	"pakbox/gbx"
	"pakbox/nadeo/maps"
)

// Two maps with the same layout hash have the same blocks in the same places. MinHash
// finds maps that share many blocks: each of 64 hash functions keeps the smallest value
// over all pairs of block name and place. The part of equal values in two maps is about
// the part of blocks that they share.

// minHashes is the number of hash functions.
const minHashes = 64

// factors make 64 hash functions from one: each multiplies the hash by an odd number.
var factors = sync.OnceValue(func() (list [minHashes]uint64) {
	for i := range list {
		list[i] = mix(uint64(i+1)*gamma) | 1
	}
	return list
})

// gridBlock is the name, place and direction of a block on the grid.
type gridBlock struct {
	name      uint64 // hash of the name
	coord     gbx.Int3
	direction byte
}

// layout has the hashes of the blocks of a map, from one pass over the blocks.
type layout struct {
	names  blockNames
	blocks []gridBlock
	free   sum // sum over blocks off the grid, with their places in metres
	count  uint64
}

// layoutOf hashes the n blocks of a map.
func layoutOf(blocks iter.Seq[*maps.Block], n int) *layout {
	l := &layout{blocks: make([]gridBlock, 0, n)}
	for b := range blocks {
		l.count++
		h := l.names.add(b.Name, 1)
		if !b.Free {
			l.blocks = append(l.blocks, gridBlock{h, b.Coord, byte(b.Direction)})
			continue
		}
		for _, v := range [2]gbx.Vec3{b.Position, b.YawPitchRoll} {
			for _, n := range [3]float32{v.X, v.Y, v.Z} {
				h = mix(h + uint64(math.Float32bits(n)) + gamma)
			}
		}
		l.free.add(h)
	}
	return l
}

// set sets the columns for finding maps with the same blocks.
func (l *layout) set(row []any) {
	if l.count == 0 {
		return
	}
	low := gbx.Int3{X: math.MaxInt32, Z: math.MaxInt32}
	for i := range l.blocks {
		c := &l.blocks[i].coord
		low.X, low.Z = min(low.X, c.X), min(low.Z, c.Z)
	}
	there, shifted := l.free, l.free
	places := make([]uint64, len(l.blocks))
	for i := range l.blocks {
		b := &l.blocks[i]
		places[i] = placed(b.name, b.coord)
		there.add(mix(places[i] + uint64(b.direction) + gamma))
		shifted.add(mix(placed(b.name, gbx.Int3{X: b.coord.X - low.X, Y: b.coord.Y, Z: b.coord.Z - low.Z}) + uint64(b.direction) + gamma))
	}
	mapsTable.set(row, "layout_hash", there.hash(l.count))
	mapsTable.set(row, "shifted_hash", shifted.hash(l.count))
	if len(places) > 0 {
		numbers := make([]byte, 0, 4*minHashes)
		for _, f := range factors() {
			numbers = binary.LittleEndian.AppendUint32(numbers, uint32(least(places, f)>>32))
		}
		mapsTable.set(row, "minhash", numbers)
	}
}

// least is the smallest product of a place and the factor. Two independent minima let the
// processor work on both at once.
func least(places []uint64, factor uint64) uint64 {
	a, b := uint64(math.MaxUint64), uint64(math.MaxUint64)
	for ; len(places) >= 2; places = places[2:] {
		a, b = min(a, places[0]*factor), min(b, places[1]*factor)
	}
	if len(places) > 0 {
		a = min(a, places[0]*factor)
	}
	return min(a, b)
}

// placed mixes a place into a hash.
func placed(h uint64, c gbx.Int3) uint64 {
	h = mix(h + (uint64(uint32(c.X))<<32 | uint64(uint32(c.Z))))
	return mix(h + uint64(uint32(c.Y)))
}

// sum is a hash of a set: it does not depend on the order of the elements.
type sum [2]uint64

func (s *sum) add(h uint64) {
	s[0] += h
	s[1] += mix(h + gamma)
}

func (s *sum) hash(count uint64) Hash {
	var out []byte
	for _, n := range [...]uint64{count, s[0], s[1]} {
		out = binary.LittleEndian.AppendUint64(out, n)
	}
	return hashOf(out)
}

// blockNames counts blocks by their names, and hashes each name once.
type blockNames struct {
	at   map[string]int
	list []blockName
	last int // blocks with the same name often follow each other
}

type blockName struct {
	name  string
	hash  uint64
	count int64
}

// add counts n blocks of a name, and returns the hash of the name.
func (b *blockNames) add(name string, n int64) uint64 {
	if len(b.list) == 0 || b.list[b.last].name != name {
		i, known := b.at[name]
		if !known {
			if b.at == nil {
				b.at = map[string]int{}
			}
			i = len(b.list)
			b.at[name] = i
			b.list = append(b.list, blockName{name: name, hash: mix(hashName(name))})
		}
		b.last = i
	}
	b.list[b.last].count += n
	return b.list[b.last].hash
}

// Similarity estimates the part of their blocks that two maps share, from 0 to 1. It is
// the part of equal numbers in their MinHashes. A map without blocks has no numbers.
func Similarity(a, b []byte) float64 {
	if len(a) != 4*minHashes || len(b) != 4*minHashes {
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
