package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pakbox/index"
)

// Same is what files can have in common.
type Same string

// What files can have in common.
const (
	SameBytes  Same = "bytes"
	SameBody   Same = "body"   // of GBX files, uncompressed; the headers differ
	SameUID    Same = "uid"    // of maps
	SameLayout Same = "layout" // blocks of maps, wherever they stand
	SameItem   Same = "item"   // a file that maps bring along
	NearLayout Same = "near"   // many of the blocks of maps
)

// Sames lists all of them.
var Sames = []Same{SameBytes, SameBody, SameUID, SameLayout, SameItem, NearLayout}

// Group is files that have something in common.
type Group struct {
	By    Same     `json:"by"`
	What  string   `json:"what"` // the UID, the name of the item; "" where there is no name
	Size  *int64   `json:"size"` // of the content they share, where that is known
	Files []string `json:"files"`
	Alike *float64 `json:"alike"` // of near ones, the part of their blocks that they share
}

// groups are the questions: what is shared, the size of that, and what names it.
var groups = map[Same]struct{ key, size, what, from string }{
	SameBytes:  {"f.blake3", "f.size", "''", "files f where f.size > 0"},
	SameBody:   {"f.body_blake3", "null", "''", "files f where f.body_blake3 is not null"},
	SameUID:    {"m.uid", "null", "m.uid", "maps m join files f using (file) where m.uid != ''"},
	SameLayout: {"m.shifted_hash", "null", "''", "maps m join files f using (file) where m.shifted_hash is not null"},
	SameItem:   {"e.blake3", "e.size", "e.name", "embedded e join files f using (file) where e.blake3 is not null"},
}

// Dupes finds files that have something in common. Those of the same bytes are
// one file in all other groups. Files in archives and replays count if inside
// is true. Near ones share at least that part of their blocks.
func (x *Index) Dupes(ctx context.Context, by Same, inside bool, least float64) ([]Group, error) {
	if by == NearLayout {
		return x.near(ctx, inside, least)
	}
	g := groups[by]
	where := ""
	if !inside {
		where = " and f.parent is null"
	}
	distinct := "f.blake3"
	if by == SameBytes {
		distinct = "f.path"
	}
	query := fmt.Sprintf(`with shared as (select %[1]s as key, %[2]s as size, %[3]s as what, f.path as path, %[6]s as content from %[4]s%[5]s),
		several as (select key from shared group by key having count(distinct content) > 1)
		select hex(key), max(size), min(what), path from shared join several using (key) group by key, path order by key, path`,
		g.key, g.size, g.what, g.from, where, distinct)
	var out []Group
	var key, last, what, path string
	var size *int64
	err := x.each(ctx, query, nil, []any{&key, &size, &what, &path}, func() {
		if len(out) == 0 || key != last {
			out = append(out, Group{By: by, What: what, Size: size})
			last = key
		}
		group := &out[len(out)-1]
		group.Files = append(group.Files, path)
	})
	slices.SortStableFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(len(b.Files), len(a.Files)), cmp.Compare(a.Files[0], b.Files[0]), cmp.Compare(a.What, b.What))
	})
	return out, err
}

// laidOut is a map that is compared with others.
type laidOut struct {
	path string
	hash [256]byte
}

// near finds pairs of maps that share many of their blocks. Of maps with the
// same layout only the first is compared.
func (x *Index) near(ctx context.Context, inside bool, least float64) ([]Group, error) {
	where := " and f.parent is null"
	if inside {
		where = ""
	}
	var all []laidOut
	var m laidOut
	var hash []byte
	query := "select min(f.path), m.minhash from maps m join files f using (file) where m.minhash is not null" + where + " group by m.shifted_hash order by 1"
	err := x.each(ctx, query, nil, []any{&m.path, &hash}, func() {
		copy(m.hash[:], hash)
		all = append(all, m)
	})
	if err != nil {
		return nil, err
	}
	var out []Group
	for a, b := range candidates(all) {
		if alike := index.Similarity(all[a].hash[:], all[b].hash[:]); alike >= least {
			out = append(out, Group{By: NearLayout, Files: []string{all[a].path, all[b].path}, Alike: &alike})
		}
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(*b.Alike, *a.Alike), cmp.Compare(a.Files[0], b.Files[0]), cmp.Compare(a.Files[1], b.Files[1]))
	})
	return out, ctx.Err()
}

// band is how many bytes of a MinHash must be the same for two maps to be
// compared at all: two numbers. Of the 32 bands, maps with half of their blocks
// in common share one in all but one of ten thousand cases.
const band = 8

// candidates goes over pairs of maps that have a band in common, each once.
func candidates(all []laidOut) func(yield func(a, b int) bool) {
	return func(yield func(a, b int) bool) {
		for at := 0; at < len(laidOut{}.hash); at += band {
			same := map[[band]byte][]int{}
			for i := range all {
				key := [band]byte(all[i].hash[at:])
				for _, other := range same[key] {
					if !metBefore(&all[i], &all[other], at) && !yield(other, i) {
						return
					}
				}
				same[key] = append(same[key], i)
			}
		}
	}
}

// metBefore reports whether an earlier band made two maps candidates.
func metBefore(a, b *laidOut, at int) bool {
	for k := 0; k < at; k += band {
		if [band]byte(a.hash[k:]) == [band]byte(b.hash[k:]) {
			return true
		}
	}
	return false
}
