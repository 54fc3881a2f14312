// Package ask answers questions about an index: in SQL, or as conditions such as
// author=nadeo or time<0:30. It also finds duplicate files and counts files by kind, year
// and so on. No question can change the index.
package ask

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pakbox/fault"
	"pakbox/index/engine"
	"pakbox/index/sqlite"
)

// Index is an open index. Its methods may be called from several goroutines.
type Index struct {
	db       *sql.DB
	attached [][2]string // names and paths of further indexes that SQL questions may use
}

// Open opens the index in a file.
func Open(ctx context.Context, path string) (*Index, error) {
	db, err := sqlite.OpenReadOnly(ctx, path)
	if err != nil {
		return nil, err
	}
	return &Index{db: db}, nil
}

// Attach makes another index available to SQL questions, with tables such as name.files.
// It must be called before the first question.
func (x *Index) Attach(ctx context.Context, name, path string) error {
	if !word().MatchString(name) || slices.Contains([]string{"main", "temp"}, strings.ToLower(name)) {
		return fault.Usagef("%q is not a name for an index", name).Hint("such as other: letters, digits and _")
	}
	if slices.ContainsFunc(x.attached, func(a [2]string) bool { return strings.EqualFold(a[0], name) }) {
		return fault.Usagef("two indexes are named %s", name)
	}
	if err := sqlite.Check(ctx, path); err != nil {
		return err
	}
	x.attached = append(x.attached, [2]string{name, path})
	return nil
}

// word matches a text that SQL accepts as a name without quotes.
var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// Close closes the index.
func (x *Index) Close() error { return x.db.Close() }

// Files counts the indexed files of the file system, without files inside others.
func (x *Index) Files(ctx context.Context) (n int64, err error) {
	err = x.each(ctx, "select ifnull(sum(files), 0) from pakbox_shares where section = 'status'", nil, func(values []sqldriver.Value) { n, _ = values[0].(int64) })
	return n, err
}

// Inside returns the number of files inside others, which have rows too.
func (x *Index) Inside(ctx context.Context) (n int64, err error) {
	files, err := x.Files(ctx)
	if err != nil {
		return 0, err
	}
	err = x.each(ctx, "select count(*) from files", nil, func(values []sqldriver.Value) { n, _ = values[0].(int64) })
	return max(0, n-files), err
}

// Result has the rows of an answer. The caller must iterate over Rows or call Close.
type Result struct {
	Columns []string
	Count   int // rows that Rows has returned

	rows     sqldriver.Rows
	conn     *sql.Conn
	attached []string
}

// Limits of SQLite for questions. A question cannot open another database, cannot write
// one (VACUUM INTO), and cannot make a value that fills the memory.
const (
	limitLength   = 0 // SQLITE_LIMIT_LENGTH
	limitAttached = 7 // SQLITE_LIMIT_ATTACHED
	longestValue  = 64 << 20
)

// SQL asks a question in SQL. It stops when ctx is cancelled.
func (x *Index) SQL(ctx context.Context, query string, args ...any) (*Result, error) {
	if err := checkPragmas(query); err != nil {
		return nil, err
	}
	conn, err := x.db.Conn(ctx)
	if err != nil {
		return nil, mistake(ctx, err)
	}
	a := &Result{conn: conn}
	err = engine.Limit(conn, limitLength, longestValue)
	if err == nil {
		err = engine.Limit(conn, limitAttached, len(x.attached))
	}
	for _, other := range x.attached {
		if err == nil {
			_, err = conn.ExecContext(ctx, fmt.Sprintf("attach ? as %q", other[0]), sqlite.ReadOnly(other[1]))
		}
		a.attached = append(a.attached, other[0])
	}
	if err == nil {
		err = engine.Limit(conn, limitAttached, 0)
	}
	if err == nil {
		a.rows, err = begin(ctx, conn, query, args)
		if _, ofSQLite := engine.Code(err); err != nil && ctx.Err() == nil && !ofSQLite { // no value was given for a ? of the question
			err = fault.Usagef("%v", err)
		}
	}
	if err != nil {
		a.Close()
		return nil, mistake(ctx, err)
	}
	a.Columns = a.rows.Columns()
	return a, nil
}

// Close ends an answer early. It may be called before the last row is read.
func (a *Result) Close() {
	if a.rows != nil {
		a.conn.Raw(func(any) error { return a.rows.Close() })
		a.rows = nil
	}
	for _, name := range a.attached { // the pool will reuse the connection
		a.conn.ExecContext(context.Background(), fmt.Sprintf("detach %q", name))
	}
	a.attached = nil
	a.conn.Close()
}

// Rows iterates over the rows. A value is nil, an int64, a float64 or a string; bytes
// become hex digits. The slice of a row is reused for the next row.
func (a *Result) Rows(ctx context.Context) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		defer a.Close()
		row, values := make([]any, len(a.Columns)), make([]sqldriver.Value, len(a.Columns))
		next := func(any) error { return a.rows.Next(values) }
		for a.rows != nil { // not after Close
			err := ctx.Err()
			if err == nil {
				err = a.conn.Raw(next)
			}
			switch {
			case err == io.EOF:
				return
			case err != nil:
				yield(nil, mistake(ctx, err))
				return
			}
			for i, v := range values {
				if row[i] = v; v != nil {
					if b, ok := v.([]byte); ok {
						row[i] = hex.EncodeToString(b)
					}
				}
			}
			a.Count++
			if !yield(row, nil) {
				return
			}
		}
	}
}

// begin asks the driver itself: a million rows take two thirds of the time that they take
// through [sql.Rows].
func begin(ctx context.Context, conn *sql.Conn, query string, args []any) (rows sqldriver.Rows, err error) {
	named := make([]sqldriver.NamedValue, len(args))
	for i, a := range args {
		named[i].Ordinal = i + 1
		if named[i].Value, err = sqldriver.DefaultParameterConverter.ConvertValue(a); err != nil {
			return nil, err
		}
	}
	err = conn.Raw(func(c any) error {
		rows, err = c.(sqldriver.QueryerContext).QueryContext(ctx, query, named)
		return err
	})
	return rows, err
}

// each asks a question of this package, and calls row with the values of each row.
func (x *Index) each(ctx context.Context, query string, args []any, row func(values []sqldriver.Value)) error {
	conn, err := x.db.Conn(ctx)
	if err != nil {
		return mistake(ctx, err)
	}
	defer conn.Close()
	rows, err := begin(ctx, conn, query, args)
	if err != nil {
		return mistake(ctx, err)
	}
	err = conn.Raw(func(any) error {
		defer rows.Close()
		values := make([]sqldriver.Value, len(rows.Columns()))
		for {
			if err := rows.Next(values); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			row(values)
		}
	})
	if err != nil {
		return mistake(ctx, err)
	}
	return nil
}

// QueryError is the cause of the error for a query that SQLite does not understand, for
// example because it names a table that does not exist.
type QueryError struct{ error }

// mistake turns SQLite's errors about a question into errors of usage, and leaves errors
// about the file.
func mistake(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	const wrong, readOnly, tooBig = 1, 8, 18 // SQLITE_ERROR, SQLITE_READONLY, SQLITE_TOOBIG
	code, ofSQLite := engine.Code(err)
	if !ofSQLite {
		return err
	}
	switch code {
	case readOnly:
		return fault.Usagef("an index is only read here: %v", err)
	case wrong:
		return fault.Wrap(fault.Usage, &QueryError{err}, "")
	case tooBig:
		return fault.Usagef("%v", err)
	}
	return fmt.Errorf("the index cannot be read: %w", err)
}
