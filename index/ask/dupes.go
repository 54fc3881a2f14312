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

// groups are the questions: the table and column of what is shared, the
// collation of the column's index, the size of what is shared, and what names it.
var groups = map[Same]struct{ table, key, collation, size, what string }{
	SameBytes:  {"files", "blake3", "binary", "f.size", "''"},
	SameBody:   {"files", "body_blake3", "binary", "null", "''"},
	SameUID:    {"maps", "uid", "nocase", "null", "s.uid"},
	SameLayout: {"maps", "shifted_hash", "binary", "null", "''"},
	SameItem:   {"embedded", "blake3", "binary", "s.size", "s.name"},
}

// Dupes finds files that have something in common. Those of the same bytes are
// one file in all other groups. Files in archives and replays count if inside
// is true. Near ones share at least that part of their blocks.
//
// What is there several times is found in the column's index alone, in its order.
// Only the rows of that are read.
func (x *Index) Dupes(ctx context.Context, by Same, inside bool, least float64) ([]Group, error) {
	if by == NearLayout {
		return x.near(ctx, inside, least)
	}
	g := groups[by]
	outer, parent := "", ""
	if !inside {
		outer = " and f.parent is null"
		if g.table == "files" {
			parent = " and parent is null"
		}
	}
	query := fmt.Sprintf(`with several(key) as (select %[2]s from %[1]s where %[2]s is not null and %[2]s != ''%[3]s group by %[2]s collate %[4]s having count(*) > 1)
		select hex(s.%[2]s), %[5]s, %[6]s, f.path, hex(f.blake3) from several cross join %[1]s s on s.%[2]s = several.key collate %[4]s cross join files f on f.file = s.file
		where s.%[2]s != '' and f.size > 0%[7]s order by 1, 4, 3`,
		g.table, g.key, parent, g.collation, g.size, g.what, outer)
	var out []Group
	var key, last, what, path, content string
	var size *int64
	contents := map[string]bool{} // of the last group
	end := func() {               // takes a group of one content back
		if n := len(out) - 1; n >= 0 && (len(out[n].Files) < 2 || by != SameBytes && len(contents) < 2) {
			out = out[:n]
		}
		clear(contents)
	}
	err := x.each(ctx, query, nil, []any{&key, &size, &what, &path, &content}, func() {
		if key != last {
			end()
			out = append(out, Group{By: by, What: what, Size: size})
			last = key
		}
		contents[content] = true
		group := &out[len(out)-1]
		if n := len(group.Files); n == 0 || group.Files[n-1] != path {
			group.Files = append(group.Files, path)
		}
	})
	end()
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
