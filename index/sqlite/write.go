package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"pakbox/index"
	"pakbox/internal/lib/pathname"
)

// table writes and reads the rows of one table.
type table struct {
	*index.Table
	names   []string          // the columns in SQL: a raw one is followed by its bytes
	of      []int             // the column of the declaration that each of them is part of
	columns string            // names as a list
	insert  map[int]*sql.Stmt // insert statements by their number of rows
	remove  *sql.Stmt
	held    []any // values of rows that are not inserted yet
}

func newTables() []table {
	var list []table
	for _, t := range index.Tables() {
		list = append(list, newTable(t))
	}
	return list
}

func newTable(t *index.Table) table {
	made := table{Table: t, insert: map[int]*sql.Stmt{}}
	for i, c := range t.Columns() {
		made.names, made.of = append(made.names, quote(c.Name)), append(made.of, i)
		if c.Raw {
			made.names, made.of = append(made.names, quote(c.Name+rawEnding)), append(made.of, i)
		}
	}
	made.columns = strings.Join(made.names, ", ")
	return made
}

// rawEnding ends the name of the column with the bytes of a name that is not UTF-8. It is
// null for all others. Other programs refuse to read texts that are not UTF-8, so the
// column of the name itself has it with \xNN for each such byte.
const rawEnding = "_raw"

// stateTable is the table of the states of files.
var stateTable = index.NewTable("pakbox_state", "", func() [][]index.Column {
	return [][]index.Column{{{Name: "key"}, {Name: "seen"}, {Name: "siblings"}}}
})

func (t *table) close() {
	for _, s := range t.insert {
		s.Close()
	}
	if t.remove != nil {
		t.remove.Close()
	}
}

// batches are the numbers of rows that one statement inserts. Fewer statements cost less,
// because each makes the full-text index write its cache.
var batches = []int{64, 8, 1}

// statement returns the prepared statement that inserts n rows.
func (t *table) statement(ctx context.Context, conn *sql.Conn, n int) (*sql.Stmt, error) {
	if s := t.insert[n]; s != nil {
		return s, nil
	}
	row := "(?" + strings.Repeat(", ?", len(t.names)-1) + ")"
	text := fmt.Sprintf("insert into %s(%s) values %s%s", t.Name, t.columns, row, strings.Repeat(", "+row, n-1))
	s, err := conn.PrepareContext(ctx, text)
	if err == nil {
		t.insert[n] = s
	}
	return s, err
}

// hold keeps the values of rows for the next flush.
func (t *table) hold(cells []any) {
	columns := t.Columns()
	for i, v := range cells {
		c := &columns[i%len(columns)]
		var raw any
		switch text, isText := v.(string); {
		case c.Type == index.Integers:
			list, _ := json.Marshal(v) // cannot fail: these are integers
			v = string(list)
		case isText && !utf8.ValidString(text):
			raw, v = []byte(text), pathname.Escaped(text)
		}
		t.held = append(t.held, v)
		if c.Raw {
			t.held = append(t.held, raw)
		}
	}
}

// flush inserts held rows in batches of at least least rows. Rows that do not fill such a
// batch stay held.
func (t *table) flush(ctx context.Context, conn *sql.Conn, least int) error {
	done := 0
	for _, size := range batches {
		n := size * len(t.names)
		for ; size >= least && len(t.held)-done >= n; done += n {
			s, err := t.statement(ctx, conn, size)
			if err != nil {
				return err
			}
			if _, err := s.ExecContext(ctx, t.held[done:done+n]...); err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
		}
	}
	if done > 0 {
		left := copy(t.held, t.held[done:])
		clear(t.held[left:])
		t.held = t.held[:left]
	}
	return nil
}

// release drops the held rows.
func (t *table) release() {
	clear(t.held)
	t.held = t.held[:0]
}

// State is the state of a file on disk when it was read.
type State struct {
	Path        string
	Size        int64
	MtimeNS     int64
	CtimeNS     int64 // 0 if the system has none
	Device      int64 // 0 if the system has none
	ScanStartNS int64
	Version     int64
	Requests    int64  // bits of the rows that were made on request, such as those of --lint
	Siblings    string // state of the sibling files that it needs
}

// key is a form of the path that sorts like a walk through sorted folders.
func key(path string) []byte { return []byte(strings.ReplaceAll(path, "/", "\x00")) }

// pathOf turns a key back into its path. It changes the bytes of key.
func pathOf(key []byte) string {
	for i, c := range key {
		if c == 0 {
			key[i] = '/'
		}
	}
	return string(key)
}

// numbers returns the numbers of a State in their stored order, eight bytes each.
func (s *State) numbers() [7]*int64 {
	return [...]*int64{&s.Size, &s.MtimeNS, &s.CtimeNS, &s.Device, &s.ScanStartNS, &s.Version, &s.Requests}
}

// Put replaces the rows of a file and of the files in it. It is part of the transaction
// that the next Commit ends. Rows may be held back until then, so an error may be about
// an earlier file.
func (d *DB) Put(ctx context.Context, s State, rows *index.Rows) error {
	if err := d.begin(ctx); err != nil {
		return err
	}
	// Writing the rows of one file is quick, and a context that can be cancelled costs
	// each statement a goroutine.
	ctx = context.WithoutCancel(ctx)
	k := key(s.Path)
	// A scan puts files in the order of keys: a key behind all others is a new file.
	if bytes.Compare(k, d.last) > 0 {
		d.last = k
	} else if err := d.drop(ctx, s.Path); err != nil {
		return err
	}
	d.share(rows, 1)
	for i := range d.tables {
		t := &d.tables[i]
		t.hold(rows.Cells(t.Table))
		d.rows += rows.Len(t.Table)
	}
	var siblings any
	if s.Siblings != "" {
		siblings = s.Siblings
	}
	var seen []byte
	for _, n := range s.numbers() {
		seen = binary.LittleEndian.AppendUint64(seen, uint64(*n))
	}
	d.notes.held = append(d.notes.held, k, seen, siblings)
	d.paths[s.Path] = true
	return d.write(ctx, batches[0])
}

// write flushes all tables in batches of at least least rows.
func (d *DB) write(ctx context.Context, least int) error {
	for i := range d.tables {
		if err := d.tables[i].flush(ctx, d.conn, least); err != nil {
			return err
		}
	}
	return d.notes.flush(ctx, d.conn, least)
}

// flush writes all rows that Put held back.
func (d *DB) flush(ctx context.Context) error {
	if err := d.write(ctx, 1); err != nil {
		return err
	}
	clear(d.paths)
	return d.writeShares(ctx)
}

// release drops all rows that Put held back.
func (d *DB) release() {
	for i := range d.tables {
		d.tables[i].release()
	}
	d.notes.release()
	clear(d.paths)
	clear(d.shares)
}

// Remove removes the rows of a file and of the files in it.
func (d *DB) Remove(ctx context.Context, path string) error {
	if err := d.begin(ctx); err != nil {
		return err
	}
	return d.drop(ctx, path)
}

// drop removes the rows of a file, if there are any.
func (d *DB) drop(ctx context.Context, path string) error {
	if d.paths[path] {
		if err := d.flush(ctx); err != nil {
			return err
		}
	}
	gone, err := d.forget.ExecContext(ctx, key(path))
	if err != nil {
		return err
	}
	if n, err := gone.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if !d.indexed.Load() { // without SQLite indexes, finding the rows would mean searching all of them
		if err := d.run(ctx, append(tableIndexes(), grams...)...); err != nil {
			return err
		}
		d.indexed.Store(true)
	}
	files, err := treeOf(ctx, d.conn, index.Key(path))
	if err != nil {
		return err
	}
	if err := d.unshare(ctx, files); err != nil {
		return err
	}
	for i := range d.tables {
		t := &d.tables[i]
		if t.remove == nil {
			if t.remove, err = d.conn.PrepareContext(ctx, fmt.Sprintf("delete from %s where file = ?", t.Name)); err != nil {
				return err
			}
		}
		for _, file := range files {
			if _, err := t.remove.ExecContext(ctx, file); err != nil {
				return err
			}
			d.rows++
		}
	}
	return nil
}

// querier is a connection or a pool of connections.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// treeOf returns the keys of a file and of all files in it.
func treeOf(ctx context.Context, q querier, file int64) ([]int64, error) {
	rows, err := q.QueryContext(ctx, `with recursive tree(file) as (
		values (?) union all select f.file from files f join tree on f.parent = tree.file)
		select file from tree`, file)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []int64
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, rows.Err()
}

// begin starts a transaction, unless there is one.
func (d *DB) begin(ctx context.Context) error {
	if d.inTx {
		return nil
	}
	if err := d.run(ctx, "begin immediate"); err != nil {
		d.run(context.WithoutCancel(ctx), "rollback") // a cancelled statement may have started it
		return err
	}
	d.inTx = true
	// Another program may have written to the file meanwhile.
	err := d.lookForIndexes(ctx)
	if err == nil {
		err = d.conn.QueryRowContext(ctx, "select max(key) from pakbox_state").Scan(&d.last)
	}
	if err != nil {
		d.Rollback(ctx)
	}
	return err
}

// Pending is the number of rows that the next Commit will write.
func (d *DB) Pending() int { return d.rows }

// Commit makes all changes permanent. If it fails, Rollback can still undo them.
func (d *DB) Commit(ctx context.Context) error {
	if !d.inTx {
		return nil
	}
	if err := d.flush(ctx); err != nil {
		return err
	}
	if _, err := d.conn.ExecContext(ctx, "commit"); err != nil {
		return err
	}
	d.inTx, d.rows = false, 0
	return nil
}

// Rollback undoes all changes since the last Commit, even if ctx was cancelled.
func (d *DB) Rollback(ctx context.Context) {
	if ctx = context.WithoutCancel(ctx); d.inTx {
		d.release()
		d.conn.ExecContext(ctx, "rollback")
		d.inTx, d.rows = false, 0
		d.lookForIndexes(ctx) // the transaction may have made them
	}
}

// Seen reports whether the index knows any file.
func (d *DB) Seen(ctx context.Context) (some bool, err error) {
	err = d.conn.QueryRowContext(ctx, "select exists(select 1 from pakbox_state)").Scan(&some)
	return some, err
}
