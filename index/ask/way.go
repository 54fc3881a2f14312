package ask

import (
	"context"
	"fmt"
	"strings"
)

// way is a list of files that SQLite has at hand, in an index or as a table: all
// for which a condition holds, and perhaps others. To go through such a list is
// less work than to go through all files and ask what each is.
type way struct {
	list string // in SQL
	args []any
}

// way is that of a condition, if it has one.
func (c condition) way() (way, bool) {
	if c.operator != "=" || strings.Contains(c.text, "*") {
		return way{}, false
	}
	switch {
	case c.word.Name == "kind":
		list, known := filesOfKind[strings.ToLower(c.text)]
		if !known {
			list = "select file from files where false"
		}
		return way{list: list}, true
	case c.word.listed:
		var w way
		var lists []string
		for _, column := range c.word.columns {
			table, name, _ := strings.Cut(column, ".")
			lists = append(lists, fmt.Sprintf("select file from %s where %s = ? collate nocase", single[table], name))
			w.args = append(w.args, c.text)
		}
		w.list = strings.Join(lists, " union all ")
		return w, true
	}
	return way{}, false
}

// fewFiles is how many files are sooner sorted than found on the way through all
// in order, of which only the first are wanted.
const fewFiles = 10_000

// lead makes the shortest list of files the one that is gone through. Where only
// some of the files are wanted, and each list has many, all files are gone
// through in order: enough of them will be found soon.
func (x *Index) lead(ctx context.Context, q *question, limit int) error {
	if q.few {
		return nil
	}
	best, least := -1, int64(fewFiles)
	for i, w := range q.ways {
		var n int64
		err := x.db.QueryRowContext(ctx, fmt.Sprintf("select count(*) from (select 1 from (%s) limit %d)", w.list, fewFiles), w.args...).Scan(&n)
		if err != nil {
			return mistake(ctx, err)
		}
		if n < least || best < 0 && limit == 0 {
			best, least = i, n
		}
	}
	if best >= 0 {
		w := q.ways[best]
		q.few = true
		q.where, q.args = append(q.where, "f.file in ("+w.list+")"), append(q.args, w.args...)
	}
	return nil
}
