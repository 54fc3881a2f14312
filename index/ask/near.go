package ask

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"math/bits"
	"slices"

	"pakbox/index"
)

// bands is the number of parts in which MinHashes are compared. Each band has two
// numbers. Two maps are compared only if they share a band. Of maps that share half of
// their blocks, one pair in ten thousand is missed.
const bands = 32

// layouts has the MinHashes of maps with different layouts. They are stored band by band,
// because a million maps are processed one band at a time.
type layouts struct {
	paths []string
	bands [bands][]uint64
}

// near finds pairs of maps that share many blocks. Of maps with the same layout only one
// is compared: the one with the first path.
func (x *Index) near(ctx context.Context, inside bool, least float64) ([]Group, error) {
	query := "select f.path, m.shifted_hash, m.minhash from maps m cross join files f on f.file = m.file where m.minhash is not null"
	if !inside {
		query += " and f.parent is null"
	}
	var all layouts
	first := map[index.Hash]int{} // from a layout to its map
	var path, layout, minHash sql.RawBytes
	err := x.each(ctx, query, nil, []any{&path, &layout, &minHash}, func() {
		var key index.Hash
		copy(key[:], layout)
		at, known := first[key]
		switch {
		case known && all.paths[at] <= string(path):
		case known:
			all.paths[at] = string(path)
		default:
			first[key] = len(all.paths)
			all.add(string(path), minHash)
		}
	})
	if err != nil {
		return nil, err
	}
	first = nil
	var out []Group
	for a, b := range all.candidates {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if alike := index.Similarity(all.minHash(a), all.minHash(b)); alike >= least {
			files := []string{all.paths[a], all.paths[b]}
			slices.Sort(files)
			out = append(out, Group{By: NearLayout, Files: files, Alike: &alike})
		}
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(*b.Alike, *a.Alike), cmp.Compare(a.Files[0], b.Files[0]), cmp.Compare(a.Files[1], b.Files[1]))
	})
	return out, ctx.Err()
}

// add adds a map.
func (l *layouts) add(path string, minHash []byte) {
	l.paths = append(l.paths, path)
	var whole [8 * bands]byte // a damaged index may have fewer bytes
	copy(whole[:], minHash)
	for i := range l.bands {
		l.bands[i] = append(l.bands[i], binary.LittleEndian.Uint64(whole[8*i:]))
	}
}

// minHash returns the MinHash of a map.
func (l *layouts) minHash(at int) []byte {
	out := make([]byte, 0, 8*bands)
	for _, band := range &l.bands {
		out = binary.LittleEndian.AppendUint64(out, band[at])
	}
	return out
}

// candidates iterates over the pairs of maps that share a band. Each pair occurs once.
func (l *layouts) candidates(yield func(a, b int) bool) {
	once, twice := newMarks(len(l.paths)), newMarks(len(l.paths))
	for at, band := range &l.bands {
		clear(once)
		clear(twice)
		for _, v := range band {
			if once.has(v) {
				twice.set(v)
			}
			once.set(v)
		}
		same := map[uint64][]int{}
		for i, v := range band {
			if !twice.has(v) { // most values occur only once
				continue
			}
			for _, other := range same[v] {
				if !l.metBefore(i, other, at) && !yield(other, i) {
					return
				}
			}
			same[v] = append(same[v], i)
		}
	}
}

// metBefore reports whether two maps share a band before at.
func (l *layouts) metBefore(a, b, at int) bool {
	for _, band := range l.bands[:at] {
		if band[a] == band[b] {
			return true
		}
	}
	return false
}

// marks is a set of values, with one bit for each. Two values may share a bit.
type marks []uint64

// newMarks returns a set for n values, with at least 16 bits for each.
func newMarks(n int) marks { return make(marks, 1<<bits.Len(uint(n)/4)) }

func (m marks) place(v uint64) (word int, bit uint64) {
	v = v * 0x9E3779B97F4A7C15 >> 16 // the upper bits are well mixed
	return int(v>>6) & (len(m) - 1), 1 << (v & 63)
}

func (m marks) has(v uint64) bool {
	word, bit := m.place(v)
	return m[word]&bit != 0
}

func (m marks) set(v uint64) {
	word, bit := m.place(v)
	m[word] |= bit
}
