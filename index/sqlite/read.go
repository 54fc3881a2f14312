package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"pakbox/index"
)

// All iterates over the rows of a table in the order of the files' paths. Rows of the
// same file keep their order. The slice of a row is reused for the next row.
func All(ctx context.Context, db *sql.DB, of *index.Table) iter.Seq2[[]any, error] {
	t := newTable(of)
	query := fmt.Sprintf("select %s from files order by path, path_raw", t.columns)
	if t.Name != "files" {
		query = fmt.Sprintf("select %s from files f cross join %s t on t.file = f.file order by f.path, f.path_raw, t.rowid", prefixed("t.", t.names), t.Name)
	}
	return t.rows(ctx, db, query)
}

// Tables returns a function that iterates over the rows of a table like All.
func Tables(ctx context.Context, db *sql.DB) func(*index.Table) iter.Seq2[[]any, error] {
	return func(t *index.Table) iter.Seq2[[]any, error] { return All(ctx, db, t) }
}

func prefixed(prefix string, names []string) string {
	return prefix + strings.Join(names, ", "+prefix)
}

// rows iterates over the rows of a query for the table's columns. The slice of a row is
// reused for the next row.
func (t *table) rows(ctx context.Context, q querier, query string, args ...any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		found, err := q.QueryContext(ctx, query, args...)
		if err != nil {
			yield(nil, err)
			return
		}
		defer found.Close()
		cells, into, row := make([]any, len(t.names)), make([]any, len(t.names)), make([]any, len(t.Columns()))
		for i := range cells {
			into[i] = &cells[i]
		}
		for found.Next() {
			err := found.Scan(into...)
			for i := 0; i < len(cells) && err == nil; i++ {
				at := t.of[i]
				switch raw, ok := cells[i].([]byte); {
				case i == 0 || t.of[i-1] != at:
					row[at], err = stored(&t.Columns()[at], cells[i])
				case ok: // the bytes of the name in the column before
					row[at] = string(raw)
				}
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
		if err := found.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// stored converts a value from SQLite to the type of the column: SQLite stores flags as
// numbers and lists as JSON.
func stored(c *index.Column, x any) (any, error) {
	switch v := x.(type) {
	case int64:
		if c.Type == index.Boolean {
			return v != 0, nil
		}
	case string:
		if c.Type == index.Integers {
			list := []*int64{}
			err := json.Unmarshal([]byte(v), &list)
			return list, err
		}
	case []byte:
		if len(v) != c.Size {
			return nil, fmt.Errorf("%s has %d bytes where %d belong", c.Name, len(v), c.Size)
		}
	}
	return x, nil
}

// load returns all rows of files.
func load(ctx context.Context, q querier, files []int64) (*index.Rows, error) {
	out := &index.Rows{}
	for _, t := range newTables() {
		if err := t.load(ctx, q, files, t.columns, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// load adds the rows of files from one table. columns is an SQL list for the columns of
// the table.
func (t *table) load(ctx context.Context, q querier, files []int64, columns string, out *index.Rows) error {
	query := fmt.Sprintf("select %s from %s where file = ? order by rowid", columns, t.Name)
	for _, file := range files {
		for row, err := range t.rows(ctx, q, query, file) {
			if err != nil {
				return err
			}
			out.AddRow(t.Table, row)
		}
	}
	return nil
}

// SameContent returns the states of files on disk with that content. It returns only some
// of them if there are very many, because it is called for every new copy. It may be
// called from several goroutines. While an index is made for the first time it returns
// nothing: without SQLite indexes it would have to search all files.
func (d *DB) SameContent(ctx context.Context, hash index.Hash) ([]State, error) {
	if !d.indexed.Load() {
		return nil, nil
	}
	found, err := d.same.QueryContext(ctx, hash[:])
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var list []State
	for found.Next() {
		var path string
		if err := found.Scan(&path); err != nil {
			return nil, err
		}
		states, err := d.states(ctx, "where key = ?", key(path))
		if err != nil {
			return nil, err
		}
		list = append(list, states...)
	}
	return list, found.Err()
}

// Load returns the rows of a file on disk and of the files in it. It may be called from
// several goroutines.
func (d *DB) Load(ctx context.Context, path string) (*index.Rows, error) {
	tx, err := d.read.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // the transaction only gave a consistent view
	files, err := treeOf(ctx, tx, index.Key(path))
	if err != nil {
		return nil, err
	}
	return load(ctx, tx, files)
}

// stateColumns are the columns of a State, in the order of readState.
const stateColumns = "key, seen, siblings"

// readState makes a State of the columns.
func readState(v []driver.Value) (s State) {
	key, _ := v[0].([]byte) // this driver returns a copy that may be changed
	s.Path = pathOf(key)
	seen, _ := v[1].([]byte)
	for i, n := range s.numbers() {
		if len(seen) >= 8*(i+1) {
			*n = int64(binary.LittleEndian.Uint64(seen[8*i:]))
		}
	}
	s.Siblings, _ = v[2].(string)
	return s
}

// states reads the states of files. It calls the driver directly, which is twice as fast,
// because there are as many states as files.
func (d *DB) states(ctx context.Context, where string, args ...any) (list []State, err error) {
	conn, err := d.read.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	named := make([]driver.NamedValue, len(args))
	for i, a := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	err = conn.Raw(func(c any) error {
		found, err := c.(driver.QueryerContext).QueryContext(ctx, "select "+stateColumns+" from pakbox_state "+where, named)
		if err != nil {
			return err
		}
		defer found.Close()
		row := make([]driver.Value, len(found.Columns()))
		for {
			switch err := found.Next(row); err {
			case nil:
				list = append(list, readState(row))
			case io.EOF:
				return nil
			default:
				return err
			}
		}
	})
	return list, err
}

// statesAtOnce is the number of states that are read in one query. A longer query would
// keep SQLite from emptying its log.
const statesAtOnce = 5000

// Below iterates over the states of a file, or of all files in a folder, in the order of
// a walk through sorted folders, in batches. It reads ahead in the background.
func (d *DB) Below(ctx context.Context, root string) iter.Seq2[[]State, error] {
	return func(yield func([]State, error) bool) {
		all := ctx
		ctx, cancel := context.WithCancel(all)
		defer cancel()
		type batch struct {
			list []State
			err  error
		}
		batches := make(chan batch, 1)
		go func() {
			defer close(batches)
			first, last := between(root)
			for more := true; more; {
				list, err := d.states(ctx, fmt.Sprintf("where key >= ? and key < ? order by key limit %d", statesAtOnce), first, last)
				if more = err == nil && len(list) == statesAtOnce; more {
					first = append(key(list[len(list)-1].Path), 0)
				}
				select {
				case batches <- batch{list, err}:
				case <-ctx.Done():
					return
				}
			}
		}()
		for b := range batches {
			if !yield(b.list, b.err) || b.err != nil {
				return
			}
		}
		if err := all.Err(); err != nil { // the reader may have stopped before it could send the error
			yield(nil, err)
		}
	}
}

// between returns the first key at or below a path, and the key behind the last one.
func between(root string) (first, last []byte) {
	switch root {
	case ".":
		return []byte{1}, []byte{0xFF} // relative paths only; absolute ones begin with byte 0
	case "/":
		return []byte{0}, []byte{1}
	}
	return key(root), append(key(root), 1) // behind all keys that begin with root and a slash
}
