package ask

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"

	"pakbox/index"
)

// bands is the number of parts in which MinHashes are compared. Each band has two
// numbers. Two maps are compared only if they share a band. Of maps that share half of
// their blocks, one pair in ten thousand is missed.
const bands = 32

// layouts has the MinHashes of maps with different layouts. They are stored band by band,
// because a million maps are processed one band at a time.
type layouts struct {
	files []int64         // the key of a map's file
	same  map[int][]int64 // of those that have the layout of another map, by its place
	bands [bands][]uint64
}

// near finds pairs of maps that share many of their blocks. Maps of the same layout
// are compared once, as the first of them.
func (x *Index) near(ctx context.Context, inside bool, least float64) ([]Group, error) {
	all, err := x.layouts(ctx, inside)
	if err != nil {
		return nil, err
	}
	type pair struct {
		a, b  int
		alike float64
	}
	var pairs []pair
	met := map[int]string{} // maps of pairs, with the path of each
	for a, b := range all.candidates {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if alike := index.Similarity(all.minHash(a), all.minHash(b)); alike >= least {
			pairs = append(pairs, pair{a, b, alike})
			met[a], met[b] = "", ""
		}
	}
	if err := x.firstPaths(ctx, all, met); err != nil {
		return nil, err
	}
	var out []Group
	for i := range pairs {
		p := &pairs[i]
		files := []string{met[p.a], met[p.b]}
		slices.Sort(files)
		out = append(out, Group{By: NearLayout, Files: files, Alike: &p.alike})
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(*b.Alike, *a.Alike), cmp.Compare(a.Files[0], b.Files[0]), cmp.Compare(a.Files[1], b.Files[1]))
	})
	return out, ctx.Err()
}

// layouts reads the MinHashes of all maps. Few files lie in others: these are found first,
// so that the row of a map's file need not be read.
func (x *Index) layouts(ctx context.Context, inside bool) (*layouts, error) {
	inner := map[int64]bool{}
	if !inside {
		err := x.each(ctx, "select file from files where parent is not null", nil, func(values []driver.Value) {
			key, _ := values[0].(int64)
			inner[key] = true
		})
		if err != nil {
			return nil, err
		}
	}
	all := &layouts{same: map[int][]int64{}}
	first := map[index.Hash]int{} // of the maps of a layout
	err := x.each(ctx, "select file, shifted_hash, minhash from maps where minhash is not null", nil, func(values []driver.Value) {
		file, _ := values[0].(int64)
		if inner[file] {
			return
		}
		var key index.Hash
		layout, _ := values[1].([]byte)
		copy(key[:], layout)
		if at, known := first[key]; known {
			all.same[at] = append(all.same[at], file)
			return
		}
		first[key] = len(all.files)
		minHash, _ := values[2].([]byte)
		all.add(file, minHash)
	})
	return all, err
}

// firstPaths finds the paths of maps; of maps with the same layout, the first.
func (x *Index) firstPaths(ctx context.Context, all *layouts, met map[int]string) error {
	at := map[int64]int{}
	keys := []byte{'['}
	for i := range met {
		for _, file := range append(all.same[i], all.files[i]) {
			at[file] = i
			keys = append(strconv.AppendInt(keys, file, 10), ',')
		}
	}
	if len(met) == 0 {
		return nil
	}
	keys[len(keys)-1] = ']'
	return x.each(ctx, "select file, path from files where file in (select value from json_each(?))", []any{string(keys)}, func(values []driver.Value) {
		file, _ := values[0].(int64)
		if path, i := text(values[1]), at[file]; met[i] == "" || path < met[i] {
			met[i] = path
		}
	})
}

// add adds a map.
func (l *layouts) add(file int64, minHash []byte) {
	n := len(l.files)
	l.files = append(l.files, file)
	var whole [8 * bands]byte // a damaged index may have less
	copy(whole[:], minHash)
	for i := range l.bands {
		if n == cap(l.bands[i]) {
			l.bands[i] = slices.Grow(l.bands[i], n+1024)
		}
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
	once, twice := newMarks(len(l.files)), newMarks(len(l.files))
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
