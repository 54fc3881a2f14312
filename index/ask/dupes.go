package ask

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"slices"

	"pakbox/index"
)

// Same is a property that files can share.
type Same string

// Properties that files can share.
const (
	SameBytes  Same = "bytes"
	SameBody   Same = "body"   // the uncompressed body of GBX files; headers may differ
	SameUID    Same = "uid"    // the UID of maps
	SameLayout Same = "layout" // all blocks of maps; one map may be shifted against the other
	SameItem   Same = "item"   // a file that is embedded in maps
	NearLayout Same = "near"   // many of the blocks of maps
)

// Sames lists all properties.
var Sames = []Same{SameBytes, SameBody, SameUID, SameLayout, SameItem, NearLayout}

// Group is a group of files that share a property.
type Group struct {
	By    Same     `json:"by"`
	What  string   `json:"what"` // the shared UID or the name of the item; "" if there is no name
	Size  *int64   `json:"size"` // bytes of the shared content, if known
	Files []string `json:"files"`
	Alike *float64 `json:"alike"` // for NearLayout: the part of their blocks that the maps share, from 0 to 1
}

// groups has the parts of the query for each property: the table and column of the shared
// value, the collation of the column's index, the size of the shared content, and its
// name.
var groups = map[Same]struct{ table, key, collation, size, what string }{
	SameBytes:  {"files", "blake3", "binary", "f.size", "''"},
	SameBody:   {"files", "body_blake3", "binary", "null", "''"},
	SameUID:    {"maps", "uid", "nocase", "null", "s.uid"},
	SameLayout: {"maps", "shifted_hash", "binary", "null", "''"},
	SameItem:   {"embedded", "blake3", "binary", "s.size", "s.name"},
}

// Dupes finds files that share a property. In groups other than SameBytes, files with
// equal bytes count as one file. Files in archives and replays count if inside is true.
// Files of NearLayout share at least the part least of their blocks.
//
// Values that occur several times are found in the column's index alone, in its order.
// Then only their rows are read, in the order in which they are stored.
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
		select s.%[2]s, %[5]s, %[6]s, f.path, f.blake3 from %[1]s s cross join files f on f.file = s.file
		where s.rowid in (select t.rowid from several cross join %[1]s t on t.%[2]s = several.key collate %[4]s where t.%[2]s != '') and f.size > 0%[7]s`,
		g.table, g.key, parent, g.collation, g.size, g.what, outer)
	found := map[string][]member{}
	err := x.each(ctx, query, nil, func(values []driver.Value) {
		m := member{what: text(values[2]), path: text(values[3])}
		if size, ok := values[1].(int64); ok {
			m.size = &size
		}
		copy(m.content[:], text(values[4]))
		key := text(values[0])
		found[key] = append(found[key], m)
	})
	var out []Group
	for _, members := range found {
		if group := grouped(by, members); len(group.Files) > 1 {
			out = append(out, group)
		}
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(len(b.Files), len(a.Files)), slices.Compare(a.Files, b.Files), cmp.Compare(a.What, b.What))
	})
	return out, err
}

// text is a value as text; null is none.
func text(v driver.Value) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

// member is a file in a group.
type member struct {
	size    *int64
	what    string
	path    string
	content index.Hash
}

// grouped makes a group of files. If all files have the same bytes the group is empty,
// unless by is SameBytes.
func grouped(by Same, members []member) Group {
	slices.SortFunc(members, func(a, b member) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.what, b.what)) })
	group := Group{By: by, What: members[0].what, Size: members[0].size}
	several := by == SameBytes
	for _, m := range members {
		several = several || m.content != members[0].content
		if n := len(group.Files); n == 0 || group.Files[n-1] != m.path {
			group.Files = append(group.Files, m.path)
		}
	}
	if !several {
		group.Files = nil
	}
	return group
}
