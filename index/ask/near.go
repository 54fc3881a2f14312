package ask

import (
	"cmp"
	"context"
	"database/sql/driver"
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
	files []int64         // the key of a map's file
	same  map[int][]int64 // of those that have the layout of another map, by its place
	hash  []uint64        // the beginning of the layout's hash
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
		out = append(out, Group{By: NearLayout, Files: files, Similarity: &p.alike})
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(*b.Similarity, *a.Similarity), cmp.Compare(a.Files[0], b.Files[0]), cmp.Compare(a.Files[1], b.Files[1]))
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
	n := 0
	if err := x.db.QueryRowContext(ctx, "select count(*) from maps").Scan(&n); err != nil {
		return nil, mistake(ctx, err)
	}
	all := newLayouts(n)
	err := x.each(ctx, "select file, shifted_hash, minhash from maps where minhash is not null", nil, func(values []driver.Value) {
		file, _ := values[0].(int64)
		if !inner[file] {
			layout, _ := values[1].([]byte)
			minHash, _ := values[2].([]byte)
			all.add(file, layout, minHash)
		}
	})
	all.join()
	return all, err
}

// newLayouts makes room for n maps: lists that grow would need twice the memory.
func newLayouts(n int) *layouts {
	l := &layouts{files: make([]int64, 0, n), same: map[int][]int64{}, hash: make([]uint64, 0, n)}
	for i := range l.bands {
		l.bands[i] = make([]uint64, 0, n)
	}
	return l
}

// add adds a map.
func (l *layouts) add(file int64, layout, minHash []byte) {
	var whole [8 + 8*bands]byte // a damaged index may have less
	copy(whole[:8], layout)
	copy(whole[8:], minHash)
	l.files = append(l.files, file)
	l.hash = append(l.hash, binary.LittleEndian.Uint64(whole[:]))
	for i := range l.bands {
		l.bands[i] = append(l.bands[i], binary.LittleEndian.Uint64(whole[8+8*i:]))
	}
}

// join makes one of the maps with the same layout: the first of them.
func (l *layouts) join() {
	several := newMarks(len(l.hash))
	repeated(l.hash, newMarks(len(l.hash)), several)
	first, n := map[uint64]int{}, 0
	for i, v := range l.hash {
		if several.has(v) { // most layouts occur only once
			if at, known := first[v]; known {
				l.same[at] = append(l.same[at], l.files[i])
				continue
			}
			first[v] = n
		}
		if l.files[n] = l.files[i]; n < i {
			for _, band := range &l.bands {
				band[n] = band[i]
			}
		}
		n++
	}
	l.files, l.hash = l.files[:n], nil
	for i := range l.bands {
		l.bands[i] = l.bands[i][:n]
	}
}

// firstPaths finds the paths of maps; of maps with the same layout, the first.
func (x *Index) firstPaths(ctx context.Context, all *layouts, met map[int]string) error {
	at := map[int64]int{}
	var files []int64
	for i := range met {
		for _, file := range append(all.same[i], all.files[i]) {
			at[file], files = i, append(files, file)
		}
	}
	return x.paths(ctx, "file", files, true, func(file, _ int64, path string, _ index.Hash) {
		if i := at[file]; met[i] == "" || path < met[i] {
			met[i] = path
		}
	})
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
	var same sharing
	for at, band := range &l.bands {
		repeated(band, once, twice)
		same.list = same.list[:0]
		for i, v := range band {
			if twice.has(v) { // most values occur only once
				same.list = append(same.list, sharer{value: v, at: int32(i)})
			}
		}
		for a, b := range same.pairs {
			if !l.metBefore(a, b, at) && !yield(a, b) {
				return
			}
		}
	}
}

// sharing finds the maps that share a value. Its memory serves one band after the other.
type sharing struct {
	list []sharer
	last []int32 // a hash table: the last map of a value, as its place in list and one; 0 for none
}

// sharer is a map with a value that others may share.
type sharer struct {
	value  uint64
	at     int32 // place of the map
	before int32 // the map before it with this value, as in sharing.last
}

// pairs iterates over the pairs of maps that share a value.
func (s *sharing) pairs(yield func(a, b int) bool) {
	size := 1 << bits.Len(uint(2*len(s.list)))
	if size > len(s.last) {
		s.last = make([]int32, size)
	}
	last := s.last[:size]
	clear(last)
	for i := range s.list {
		m := &s.list[i]
		slot := int(mixed(m.value)) & (size - 1)
		for last[slot] != 0 && s.list[last[slot]-1].value != m.value {
			slot = (slot + 1) & (size - 1)
		}
		m.before = last[slot]
		for other := m.before; other != 0; other = s.list[other-1].before {
			if !yield(int(s.list[other-1].at), int(m.at)) {
				return
			}
		}
		last[slot] = int32(i + 1)
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

// repeated marks the values that occur in twice if they do so several times. once is the
// memory for it.
func repeated(values []uint64, once, twice marks) {
	clear(once)
	clear(twice)
	for _, v := range values {
		word, bit := once.place(v)
		if once[word]&bit != 0 {
			twice[word] |= bit
		}
		once[word] |= bit
	}
}

// newMarks returns a set for n values, with at least 16 bits for each.
func newMarks(n int) marks { return make(marks, 1<<bits.Len(uint(n)/4)) }

func (m marks) place(v uint64) (word int, bit uint64) {
	v = mixed(v)
	return int(v>>6) & (len(m) - 1), 1 << (v & 63)
}

// mixed spreads the bits of a value: the upper ones of the product are well mixed.
func mixed(v uint64) uint64 { return v * 0x9E3779B97F4A7C15 >> 16 }

func (m marks) has(v uint64) bool {
	word, bit := m.place(v)
	return m[word]&bit != 0
}
