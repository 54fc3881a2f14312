package ask

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strconv"

	"pakbox/index"
)

// Likeness is a property that files can share.
type Likeness string

// Properties that files can share.
const (
	SameBytes  Likeness = "bytes"
	SameBody   Likeness = "body"   // the uncompressed body of GBX files; headers may differ
	SameUID    Likeness = "uid"    // the UID of maps
	SameLayout Likeness = "layout" // all blocks of maps; one map may be shifted against the other
	SameItem   Likeness = "item"   // a file that is embedded in maps
	NearLayout Likeness = "near"   // many of the blocks of maps
)

// Sames lists all properties.
var Sames = []Likeness{SameBytes, SameBody, SameUID, SameLayout, SameItem, NearLayout}

// Group is a group of files that share a property.
type Group struct {
	By         Likeness `json:"by" doc:"what the files have in common"`
	What       string   `json:"what" doc:"the shared UID or the name of the item; empty without a name"`
	Size       *int64   `json:"size" doc:"size of the shared content in bytes, if known"`
	Files      []string `json:"files" doc:"paths of the files"`
	Similarity *float64 `json:"alike" doc:"for layouts: the share of blocks that the maps have in common, from 0 to 1"`
}

// groups has the parts of the query for each property: the table and column of the shared
// value, the collation of the column's index, and the column that finds the file. own are
// the size of the shared content and its name, if rows have them: otherwise the index is
// all that is read of the table.
var groups = map[Likeness]struct{ table, key, collation, file, own string }{
	SameBytes:  {"files", "blake3", "binary", "rowid", ""},
	SameBody:   {"files", "body_blake3", "binary", "rowid", ""},
	SameUID:    {"maps", "uid", "nocase", "file", "null, s.uid"},
	SameLayout: {"maps", "shifted_hash", "binary", "file", ""},
	SameItem:   {"embedded", "blake3", "binary", "file", "s.size, s.name"},
}

// Dupes finds files that share a property. In groups other than SameBytes, files with
// equal bytes count as one file. Files in archives and replays count if inside is true.
// Files of NearLayout share at least the part least of their blocks.
//
// Values that occur several times are found in the column's index alone, in its order.
// Then the rows of their files are read, in the order in which they are stored.
func (x *Index) Dupes(ctx context.Context, by Likeness, inside bool, least float64) ([]Group, error) {
	if by == NearLayout {
		return x.near(ctx, inside, least)
	}
	g := groups[by]
	where := g.key + " is not null"
	if by == SameUID {
		where = g.key + " != ''"
	} else if !inside && g.table == "files" {
		where += " and parent is null"
	}
	query := fmt.Sprintf("with several(key) as (select %[2]s from %[1]s where %[4]s group by %[2]s collate %[3]s having count(*) > 1)\n", g.table, g.key, g.collation, where)
	rows := fmt.Sprintf("from several cross join %[1]s t on t.%[2]s = several.key collate %[3]s where t.%[4]s", g.table, g.key, g.collation, where)
	if g.own == "" {
		query += fmt.Sprintf("select t.%s, t.%s, null, '' %s", g.key, g.file, rows)
	} else {
		query += fmt.Sprintf("select s.%s, s.%s, %s from %s s where s.rowid in (select t.rowid %s)", g.key, g.file, g.own, g.table, rows)
	}
	type share struct {
		key    string
		file   int64
		member member
	}
	var shares []share
	var files []int64
	err := x.each(ctx, query, nil, func(values []driver.Value) {
		one := share{key: text(values[0]), member: member{what: text(values[3])}}
		one.file, _ = values[1].(int64)
		if size, ok := values[2].(int64); ok {
			one.member.size = &size
		}
		if last := len(shares) - 1; last >= 0 && shares[last].key == one.key {
			one.key = shares[last].key // many files may share a value
		}
		shares, files = append(shares, one), append(files, one.file)
	})
	if err != nil {
		return nil, err
	}
	known := make(map[int64]member, len(files))
	err = x.paths(ctx, g.file, files, inside, func(file, size int64, path string, content index.Hash) {
		if size > 0 {
			known[file] = member{size: &size, path: path, content: content}
		}
	})
	found := map[string][]member{}
	for _, s := range shares {
		file, ok := known[s.file]
		if !ok {
			continue
		}
		m := member{s.member.size, s.member.what, file.path, file.content}
		if by == SameBytes {
			m.size = file.size
		}
		found[s.key] = append(found[s.key], m)
	}
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

// filesAtOnce is the number of files that are asked for in one query.
const filesAtOnce = 100_000

// paths reads what groups say of files, which column identifies: rowid, or file. It reads
// them in the order in which they are stored. Files in others are left out unless inside is
// true.
func (x *Index) paths(ctx context.Context, column string, files []int64, inside bool, row func(file, size int64, path string, content index.Hash)) error {
	query := "select " + column + ", size, path, blake3 from files where rowid in (select value from json_each(?))"
	if column != "rowid" {
		query = "select " + column + ", size, path, blake3 from files where rowid in (select rowid from files where " + column + " in (select value from json_each(?)))"
	}
	if !inside {
		query += " and parent is null"
	}
	slices.Sort(files)
	for some := range slices.Chunk(slices.Compact(files), filesAtOnce) {
		err := x.each(ctx, query, []any{jsonList(some)}, func(values []driver.Value) {
			var content index.Hash
			copy(content[:], text(values[3]))
			file, _ := values[0].(int64)
			size, _ := values[1].(int64)
			row(file, size, text(values[2]), content)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// jsonList is a list of numbers as JSON.
func jsonList(list []int64) string {
	text := []byte{'['}
	for i, n := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, n, 10)
	}
	return string(append(text, ']'))
}

// text is a value as text; NULL becomes "".
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
func grouped(by Likeness, members []member) Group {
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
