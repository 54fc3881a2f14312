package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"

	"pakbox/index"
)

// scanInto makes what Scan needs to read a row of the table.
func (t *table) scanInto(row reflect.Value) ([]any, func() error) {
	into := make([]any, len(t.Columns))
	var after []func() error
	for i, c := range t.Columns {
		field := row.Field(i)
		switch c.Kind {
		case index.Bytes:
			var b []byte
			into[i] = &b
			after = append(after, func() error { return setBytes(field, b) })
		case index.Integers:
			var text string
			into[i] = &text
			after = append(after, func() error { return json.Unmarshal([]byte(text), field.Addr().Interface()) })
		default:
			into[i] = field.Addr().Interface()
		}
	}
	return into, func() error {
		for _, f := range after {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	}
}

func setBytes(field reflect.Value, b []byte) error {
	if b == nil {
		return nil
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	if len(b) != field.Len() {
		return fmt.Errorf("%d bytes where %d belong", len(b), field.Len())
	}
	reflect.Copy(field, reflect.ValueOf(b))
	return nil
}

// All goes over the rows of a table in the order of the files' paths, those of
// one file as they were made. It yields pointers to rows, which are used again.
func All(ctx context.Context, db *sql.DB, name string) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		t, ok := tableNamed(name)
		if !ok {
			yield(nil, fmt.Errorf("there is no table %s", name))
			return
		}
		query := fmt.Sprintf("select %s from files order by path", t.columns)
		if name != "files" {
			query = fmt.Sprintf("select %s from files f cross join %s t on t.file = f.file order by f.path, t.rowid", prefixed("t.", t.Columns), name)
		}
		for row, err := range t.rows(ctx, db, query) {
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Tables gives the rows of each table as All does.
func Tables(ctx context.Context, db *sql.DB) func(table string) iter.Seq2[any, error] {
	return func(table string) iter.Seq2[any, error] { return All(ctx, db, table) }
}

func tableNamed(name string) (*table, bool) {
	for _, t := range newTables() {
		if t.Name == name {
			return &t, true
		}
	}
	return nil, false
}

func prefixed(prefix string, columns []index.Column) (list string) {
	for i, c := range columns {
		if i > 0 {
			list += ", "
		}
		list += prefix + quote(c.Name)
	}
	return list
}

// rows goes over what a query of the table's columns gives.
func (t *table) rows(ctx context.Context, q querier, query string, args ...any) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		found, err := q.QueryContext(ctx, query, args...)
		if err != nil {
			yield(nil, err)
			return
		}
		defer found.Close()
		for found.Next() {
			row := reflect.New(t.Row)
			into, after := t.scanInto(row.Elem())
			err := found.Scan(into...)
			if err == nil {
				err = after()
			}
			if !yield(row.Interface(), err) || err != nil {
				return
			}
		}
		if err := found.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// load returns the rows of a file and of those in it.
func load(ctx context.Context, q querier, path string) (*index.Rows, error) {
	files, err := treeOf(ctx, q, index.Key(path))
	if err != nil {
		return nil, err
	}
	out := &index.Rows{}
	for _, t := range newTables() {
		of := t.Of(out)
		for _, file := range files {
			query := fmt.Sprintf("select %s from %s where file = ? order by rowid", t.columns, t.Name)
			for row, err := range t.rows(ctx, q, query, file) {
				if err != nil {
					return nil, err
				}
				of.Set(reflect.Append(of, reflect.ValueOf(row).Elem()))
			}
		}
	}
	return out, nil
}

// SameContent returns the path, and what was seen, of a file of the file
// system with that content. It may be called from several goroutines.
func (d *DB) SameContent(ctx context.Context, hash index.Hash) ([]State, error) {
	found, err := d.read.QueryContext(ctx, "select path from files where blake3 = ? and parent is null", hash[:])
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
		for s, err := range states(ctx, d.read, "where key = ?", key(path)) {
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	return list, found.Err()
}

// Load returns the rows of a file of the file system and of those in it. It
// may be called from several goroutines.
func (d *DB) Load(ctx context.Context, path string) (*index.Rows, error) {
	tx, err := d.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // it only made all that was read of one moment
	return load(ctx, tx, path)
}

// states goes over what was seen of files.
func states(ctx context.Context, q querier, where string, args ...any) iter.Seq2[State, error] {
	return func(yield func(State, error) bool) {
		found, err := q.QueryContext(ctx, "select key, size, mtime_ns, ctime_ns, device, scan, scan_start_ns, version, asked, siblings from pakbox_state "+where, args...)
		if err != nil {
			yield(State{}, err)
			return
		}
		defer found.Close()
		for found.Next() {
			var s State
			var k sql.RawBytes
			var siblings sql.NullString
			err := found.Scan(&k, &s.Size, &s.MtimeNS, &s.CtimeNS, &s.Device, &s.Scan, &s.ScanStartNS, &s.Version, &s.Asked, &siblings)
			s.Path, s.Siblings = pathOf(k), siblings.String
			if !yield(s, err) || err != nil {
				return
			}
		}
		if err := found.Err(); err != nil {
			yield(State{}, err)
		}
	}
}

// statesAtOnce is how many are read before the next transaction may end: a
// reader that stays keeps the log from being taken in.
const statesAtOnce = 10000

// Below goes over what was seen of a file, or of those in a folder, in the
// order of a walk through sorted folders.
func (d *DB) Below(ctx context.Context, root string) iter.Seq2[State, error] {
	return func(yield func(State, error) bool) {
		first, last := key(root), append(key(root), 1) // behind all that begin with root and a slash
		switch root {
		case ".":
			first, last = []byte{1}, []byte{0xFF} // not those from the top
		case "/":
			first, last = []byte{0}, []byte{1}
		}
		for {
			n := 0
			for s, err := range states(ctx, d.read, fmt.Sprintf("where key >= ? and key < ? order by key limit %d", statesAtOnce), first, last) {
				n++
				if !yield(s, err) || err != nil {
					return
				}
				first = append(key(s.Path), 0)
			}
			if n < statesAtOnce {
				return
			}
		}
	}
}
