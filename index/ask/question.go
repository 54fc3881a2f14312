package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pakbox/index/sqlite"
	"pakbox/internal/condition"
	"pakbox/internal/lib/hint"
)

// question is a search for files in SQL, while it is put together.
type question struct {
	clauses []clause
	match   []string // of the full-text index by words
	grams   []string // of the one by three letters
	tables  []string // with one row for a file, which are joined
	few     bool     // a list or the full-text index leads the way, and finds few files
}

// newQuestion asks for the files for which all conditions hold.
func newQuestion(words []string) (*question, error) {
	q := &question{}
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
	made, err := c.clause()
	if err != nil {
		return err
	}
	if match := c.match(); match != "" {
		q.match = append(q.match, match)
	} else if grams := c.grams(); grams != "" {
		q.grams = append(q.grams, grams)
	}
	q.clauses = append(q.clauses, made)
	q.use(c.word)
	return nil
}

// use notes the tables that a word needs.
func (q *question) use(w *Word) {
	for _, c := range w.columns {
		if !c.several() && c.table != "files" && !slices.Contains(q.tables, c.table) {
			q.tables = append(q.tables, c.table)
		}
	}
}

// word finds a word whose value is needed.
func (q *question) word(name string) (*Word, error) {
	w, err := wordNamed(name)
	if err == nil {
		q.use(w)
	}
	return w, err
}

// fewFiles is a number of files that SQLite sorts sooner than it walks through
// all files in order.
const fewFiles = 10_000

// lead chooses the way to the files. A search in texts leads, because it finds
// few files. Without one the shortest list leads. But where only the first files
// are wanted, and each list is long, SQLite walks through all files in order:
// it soon finds enough.
func (x *Index) lead(ctx context.Context, q *question, limit int) error {
	if err := x.complete(ctx, q); err != nil {
		return err
	}
	if q.few = len(q.match)+len(q.grams) > 0; q.few {
		return nil
	}
	best, least := -1, int64(fewFiles)
	for i, c := range q.clauses {
		if c.list == "" {
			continue
		}
		var n int64
		err := x.db.QueryRowContext(ctx, fmt.Sprintf("select count(*) from (select 1 from (%s) limit %d)", c.list, fewFiles), c.listArgs...).Scan(&n)
		if err != nil {
			return mistake(ctx, err)
		}
		if n < least || best < 0 && limit == 0 {
			best, least = i, n
		}
	}
	if best >= 0 {
		c := &q.clauses[best]
		q.few, c.test, c.args = true, "files.file in ("+c.list+")", c.listArgs
	}
	return nil
}

// optional are the tables whose rows are only made on request, with the flags of
// index that do.
var optional = map[string]string{"findings": "--lint and --verify", "check_verdicts": "--check"}

// complete refuses a question about rows that the index was not asked to make. An
// index whose making was stopped is not searched by three letters yet.
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
				return hint.Usagef("%s: the index was made without %s, and has none", c.word.Name, flags).Hint("make it with %s", flags)
			}
		}
	}
	return nil
}

// from is the part of the question that says which files, with its values.
func (q *question) from() (text string, args []any) {
	text = "\nfrom files"
	var where []string
	const found = "\nfrom %[1]s cross join texts on texts.id = %[1]s.rowid cross join files on files.file = texts.file"
	match, grams := strings.Join(q.match, " AND "), strings.Join(q.grams, " AND ")
	switch {
	case match != "":
		text = fmt.Sprintf(found, "search")
		where, args = append(where, "search match ?"), append(args, match)
		if grams != "" {
			where, args = append(where, "texts.id in (select rowid from grams where grams match ?)"), append(args, grams)
		}
	case grams != "":
		text = fmt.Sprintf(found, "grams")
		where, args = append(where, "grams match ?"), append(args, grams)
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

// sorted is an expression to sort by. The + keeps SQLite from walking through all
// files in order: a few are sorted sooner.
func (q *question) sorted(expression string) string {
	if q.few {
		return "+" + expression
	}
	return expression
}
