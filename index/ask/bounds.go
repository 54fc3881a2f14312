package ask

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
)

// bound is a test that leaves out values of a column below or above another, with that one.
type bound struct {
	column wordColumn
	test   string
	arg    any
}

// between makes the list of the files for which this and another condition hold. The bounds
// of one column with one row for each file narrow a list together. A file with several
// values may have one within each bound and none within both: such files are listed beside
// those with a value within both.
func (c *clause) between(by *clause) {
	if first := &c.bounds[0]; len(c.bounds) == 1 && !first.column.several() {
		c.list, c.listArgs = c.list+" and "+by.bounds[0].test, slices.Concat(c.listArgs, by.listArgs)
		return
	}
	var lists []string
	var args []any
	add := func(text string, more ...any) { lists, args = append(lists, text), append(args, more...) }
	for i, a := range c.bounds {
		b, table := by.bounds[i], a.column.table
		add(fmt.Sprintf("select file from %s where %s and %s", table, a.test, b.test), a.arg, b.arg)
		if a.column.several() {
			add(fmt.Sprintf("select file from %s group by file having count(*) > 1 and max(%s) and max(%s)", table, a.test, b.test), a.arg, b.arg)
		}
		for j := range i {
			// The + keeps SQLite from the indexes of the columns, in which each bound alone leaves many.
			a2, b2 := c.bounds[j], by.bounds[j]
			add(fmt.Sprintf("select %[1]s.file from %[1]s cross join %[2]s on %[2]s.file = %[1]s.file where +%[3]s and +%[4]s or +%[5]s and +%[6]s",
				table, a2.column.table, a.test, b2.test, b.test, a2.test), a.arg, b2.arg, b.arg, a2.arg)
		}
	}
	c.list, c.listArgs, c.bounds, c.once = strings.Join(lists, " union all "), args, nil, true
}

// listed counts the files in the list of a clause, up to fewFiles. A list that takes long is
// gone through once: if it has few files, they become the list.
func (x *Index) listed(ctx context.Context, c *clause) (int64, error) {
	if !c.once {
		return x.count(ctx, "select 1 from ("+c.list+")", c.listArgs)
	}
	var files []int64
	err := x.each(ctx, fmt.Sprintf("select file from (%s) limit %d", c.list, fewFiles), c.listArgs, func(values []driver.Value) {
		file, _ := values[0].(int64)
		files = append(files, file)
	})
	if err == nil && len(files) < fewFiles {
		c.list, c.listArgs, c.once = "select value from json_each(?)", []any{jsonList(files)}, false
	}
	return int64(len(files)), err
}
