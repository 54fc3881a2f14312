package ask

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"pakbox/fact/condition"
	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/sqlite"
)

// question is an SQL query for files that is being built.
type question struct {
	clauses []clause
	match   []string // conditions for the full-text index by words
	grams   []string // conditions for the full-text index by three letters
	tables  []string // tables to join that have one row for each file
	few     bool     // SQLite starts from a list or a full-text index, and sorts the files found
	byText  bool     // SQLite starts from a full-text index
	paired  bool     // a file has the same rowid in the tables texts and files

	filled map[string]bool // the tables that have rows: the others are left out
}

// newQuestion builds a query for the files that meet all conditions.
func newQuestion(words []string, filled map[string]bool) (*question, error) {
	q := &question{filled: filled}
	for _, text := range words {
		c, err := parseCondition(text)
		if err == nil {
			err = q.add(c)
		}
		if err != nil {
			return nil, err
		}
	}
	return q, nil
}

// add adds a condition.
func (q *question) add(c asked) error {
	if c.word == nil {
		q.match = append(q.match, phrase(condition.Fold(c.Value))+" *")
		return nil
	}
	whole := c.word
	if some := whole.among(q.filled); len(some.columns) > 0 {
		c.word = some
	}
	made, err := c.clause()
	if err != nil && c.word != whole { // the value may suit a column of a table without rows
		c.word = whole
		made, err = c.clause()
	}
	if err != nil {
		return err
	}
	made.word = whole
	if match := c.match(); match != "" {
		q.match = append(q.match, match)
	} else if grams := c.grams(); grams != "" {
		q.grams = append(q.grams, grams)
	}
	q.narrow(&made)
	q.clauses = append(q.clauses, made)
	q.use(c.word)
	return nil
}

// narrow makes one list of those of two conditions that bound the same word. Two bounds may
// leave few files between them, each alone leaves many.
func (q *question) narrow(by *clause) {
	for i := range q.clauses {
		if c := &q.clauses[i]; c.word.Name == by.word.Name && len(c.bounds) == len(by.bounds) && c.bounds != nil && by.bounds != nil {
			c.between(by)
			by.list, by.bounds = "", nil
			return
		}
	}
}

// use adds the tables that a word needs.
func (q *question) use(w *Word) {
	for _, c := range w.columns {
		if !c.several() && c.table != "files" && !slices.Contains(q.tables, c.table) {
			q.tables = append(q.tables, c.table)
		}
	}
}

// value finds a word and adds the tables that it needs. It returns the word, and an SQL
// expression for its value of a file.
func (q *question) value(name string) (*Word, string, error) {
	w, err := wordNamed(name)
	if err != nil {
		return nil, "", err
	}
	some := w.among(q.filled)
	q.use(some)
	return w, some.value(), nil
}

// filled returns the tables that have rows. Looking for the rows of a file in an empty table
// takes a tenth of a search that finds many files, for each such table.
func (x *Index) filled(ctx context.Context) (map[string]bool, error) {
	tables := index.Tables()
	list := make([]string, len(tables))
	for i, t := range tables {
		list[i] = "exists(select 1 from " + t.Name + ")"
	}
	filled := map[string]bool{}
	err := x.each(ctx, "select "+strings.Join(list, ", "), nil, func(values []driver.Value) {
		for i, v := range values {
			filled[tables[i].Name] = v != int64(0)
		}
	})
	return filled, err
}

// fewFiles is the number of files below which sorting them is faster than walking through
// all files in order.
const fewFiles = 10_000

// lead decides where SQLite starts. It starts from a full-text index if this finds few
// files; otherwise from the shortest list of files, if that is short. If all of them are
// long, there are two cases. If limit asks only for the first files, SQLite walks through
// all files in order and soon finds enough. Otherwise it starts from the full-text index,
// as it also does for a limit with sorting.
func (x *Index) lead(ctx context.Context, q *question, limit int, sorted bool) error {
	if err := x.complete(ctx, q); err != nil {
		return err
	}
	texts := len(q.match)+len(q.grams) > 0
	if texts {
		n, err := x.textCount(ctx, q)
		if err != nil {
			return err
		}
		if q.byText = n < fewFiles; q.byText {
			q.few = true
			return nil
		}
	}
	best, least := -1, int64(fewFiles)
	for i, c := range q.clauses {
		if c.list == "" {
			continue
		}
		n, err := x.listed(ctx, &q.clauses[i])
		if err != nil {
			return err
		}
		if n < least || best < 0 && limit == 0 && !texts {
			best, least = i, n
		}
	}
	switch {
	case best >= 0:
		c := &q.clauses[best]
		q.few, c.test, c.args = true, "files.file in ("+c.list+")", c.listArgs
	case texts && (limit == 0 || sorted):
		q.few, q.byText = true, true
	}
	return nil
}

// count counts the rows of a query, up to fewFiles.
func (x *Index) count(ctx context.Context, query string, args []any) (n int64, err error) {
	query = fmt.Sprintf("select count(*) from (%s limit %d)", query, fewFiles)
	if err := x.db.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		return 0, mistake(ctx, err)
	}
	return n, nil
}

// textCount counts the files that the leading full-text index finds, up to fewFiles. It
// also sets paired: whether a file has the same rowid in texts and files. Normally it
// has, because both tables get and lose their rows together. But a program that copies an
// index may renumber the rows of files without gaps. Then the highest numbers are equal
// only if that program found no gaps.
func (x *Index) textCount(ctx context.Context, q *question) (int64, error) {
	if err := x.db.QueryRowContext(ctx, "select (select max(rowid) from files) is (select max(id) from texts)").Scan(&q.paired); err != nil {
		return 0, mistake(ctx, err)
	}
	table, match := "search", strings.Join(q.match, " AND ")
	if match == "" {
		table, match = "grams", strings.Join(q.grams, " AND ")
	}
	return x.count(ctx, fmt.Sprintf("select 1 from %[1]s where %[1]s match ?", table), []any{match})
}

// optional are the tables whose rows are made only on request, with the flags of index
// that request them.
var optional = map[string]string{"findings": "--lint and --verify", "check_verdicts": "--check"}

// complete returns an error if the question needs rows that the index was made without.
// If making the index was stopped, it drops the search by three letters, whose index does
// not exist yet.
func (x *Index) complete(ctx context.Context, q *question) error {
	if len(q.grams) > 0 {
		var has bool
		if err := x.db.QueryRowContext(ctx, "select exists(select 1 from sqlite_schema where name = 'grams_insert')").Scan(&has); err != nil {
			return mistake(ctx, err)
		}
		if !has {
			q.grams = nil
		}
	}
	for _, c := range q.clauses {
		for _, column := range c.word.columns {
			flags, ok := optional[column.table]
			if !ok {
				continue
			}
			var some bool
			if err := x.db.QueryRowContext(ctx, "select exists(select 1 from "+column.table+")").Scan(&some); err != nil {
				return mistake(ctx, err)
			}
			asked, err := sqlite.About(ctx, x.db, column.table)
			if err != nil {
				return mistake(ctx, err)
			}
			if !some && asked == "" {
				return fault.Usagef("%s: the index was made without %s, and has none", c.word.Name, flags).Hint("make it with %s", flags)
			}
		}
	}
	return nil
}

// from returns the part of the query that selects files, with its values.
func (q *question) from() (text string, args []any) {
	text = "\nfrom files"
	var where []string
	byText := q.byText
	for _, by := range []struct {
		table   string
		matches []string
	}{{"search", q.match}, {"grams", q.grams}} {
		switch {
		case len(by.matches) == 0:
			continue
		case byText: // start from the first one
			byText = false
			text = "\nfrom " + by.table + " cross join texts on texts.id = " + by.table + ".rowid cross join files on files.file = texts.file"
			if q.paired {
				text = "\nfrom " + by.table + " cross join files on files.rowid = " + by.table + ".rowid"
			}
			where = append(where, by.table+" match ?")
		default: // the + keeps SQLite from starting here
			test := "+files.file in (select file from texts where id in (select rowid from %[1]s where %[1]s match ?))"
			if q.paired {
				test = "+files.rowid in (select rowid from %[1]s where %[1]s match ?)"
			}
			where = append(where, fmt.Sprintf(test, by.table))
		}
		args = append(args, strings.Join(by.matches, " AND "))
	}
	for _, table := range q.tables {
		text += fmt.Sprintf("\n\tleft join %[1]s on %[1]s.file = files.file", table)
	}
	for _, c := range q.clauses {
		where, args = append(where, "("+c.test+")"), append(args, c.args...)
	}
	if len(where) > 0 {
		text += "\nwhere " + strings.Join(where, "\n\tand ")
	}
	return text, args
}

// sorted returns an expression to sort by. The + keeps SQLite from walking through all
// files in order: sorting a few files is faster.
func (q *question) sorted(expression string) string {
	if q.few {
		return "+" + expression
	}
	return expression
}
