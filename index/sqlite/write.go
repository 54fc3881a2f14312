package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"pakbox/index"
)

// table writes and reads the rows of one table.
type table struct {
	*index.Table
	columns string            // for lists of columns
	insert  map[int]*sql.Stmt // by how many rows it inserts
	remove  *sql.Stmt
	held    []any // the columns of rows that are not inserted yet
}

func newTables() []table {
	var list []table
	for _, t := range index.Tables() {
		list = append(list, newTable(t))
	}
	return list
}

func newTable(t *index.Table) table {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = quote(c.Name)
	}
	return table{Table: t, columns: strings.Join(names, ", "), insert: map[int]*sql.Stmt{}}
}

// stateTable is the table of what was seen of files.
var stateTable = &index.Table{Name: "pakbox_state", Columns: []index.Column{{Name: "key"}, {Name: "seen"}, {Name: "siblings"}}}

func (t *table) close() {
	for _, s := range t.insert {
		s.Close()
	}
	if t.remove != nil {
		t.remove.Close()
	}
}

// batches are how many rows one statement inserts: fewer statements cost less,
// and each makes the full-text index write what it holds.
var batches = []int{64, 8, 1}

// statement returns the prepared statement that inserts n rows.
func (t *table) statement(ctx context.Context, conn *sql.Conn, n int) (*sql.Stmt, error) {
	if s := t.insert[n]; s != nil {
		return s, nil
	}
	row := "(?" + strings.Repeat(", ?", len(t.Columns)-1) + ")"
	text := fmt.Sprintf("insert into %s(%s) values %s%s", t.Name, t.columns, row, strings.Repeat(", "+row, n-1))
	s, err := conn.PrepareContext(ctx, text)
	if err == nil {
		t.insert[n] = s
	}
	return s, err
}

// hold takes the values of rows to be inserted by the next flush.
func (t *table) hold(cells []any) {
	from := len(t.held)
	t.held = append(t.held, cells...)
	for k, c := range t.Columns {
		if c.Type == index.Integers {
			for at := from + k; at < len(t.held); at += len(t.Columns) {
				list, _ := json.Marshal(t.held[at]) // of integers: cannot fail
				t.held[at] = string(list)
			}
		}
	}
}

// flush inserts the rows that are held, those that do not fill a statement of
// least rows excepted.
func (t *table) flush(ctx context.Context, conn *sql.Conn, least int) error {
	done := 0
	for _, size := range batches {
		n := size * len(t.Columns)
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

// release lets go of the rows that are held.
func (t *table) release() {
	clear(t.held)
	t.held = t.held[:0]
}

// State is what was seen of a file of the file system when it was read.
type State struct {
	Path        string
	Size        int64
	MtimeNS     int64
	CtimeNS     int64 // 0 where the system has none
	Device      int64 // 0 where the system has none
	ScanStartNS int64
	Version     int64
	Asked       int64  // which of the rows were asked for that are made on request
	Siblings    string // what was seen of the files beside it that it needs
}

// key sorts paths as a walk through sorted folders goes.
func key(path string) []byte { return []byte(strings.ReplaceAll(path, "/", "\x00")) }

// pathOf turns a key back into its path, and spoils it.
func pathOf(key []byte) string {
	for i, c := range key {
		if c == 0 {
			key[i] = '/'
		}
	}
	return string(key)
}

// numbers are those of a State in the order in which they are stored, with
// eight bytes each.
func (s *State) numbers() [7]*int64 {
	return [...]*int64{&s.Size, &s.MtimeNS, &s.CtimeNS, &s.Device, &s.ScanStartNS, &s.Version, &s.Asked}
}

// Put replaces the rows of a file and of those in it. It belongs to the
// transaction that the next Commit ends; until then rows may be held back, so
// that an error may be about a file that was put before.
func (d *DB) Put(ctx context.Context, s State, rows *index.Rows) error {
	if err := d.begin(ctx); err != nil {
		return err
	}
	// The rows of one file are soon written, and to be ready to be called off
	// costs each statement a goroutine.
	ctx = context.WithoutCancel(ctx)
	k := key(s.Path)
	// A scan goes in the order of keys: what comes behind all others is new.
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

// write inserts what is held of each table, those rows excepted that do not
// fill a statement of least rows.
func (d *DB) write(ctx context.Context, least int) error {
	for i := range d.tables {
		if err := d.tables[i].flush(ctx, d.conn, least); err != nil {
			return err
		}
	}
	return d.notes.flush(ctx, d.conn, least)
}

// flush writes what Put held back.
func (d *DB) flush(ctx context.Context) error {
	if err := d.write(ctx, 1); err != nil {
		return err
	}
	clear(d.paths)
	return d.writeShares(ctx)
}

// release lets go of what Put held back.
func (d *DB) release() {
	for i := range d.tables {
		d.tables[i].release()
	}
	d.notes.release()
	clear(d.paths)
	clear(d.shares)
}

// Remove removes the rows of a file and of those in it.
func (d *DB) Remove(ctx context.Context, path string) error {
	if err := d.begin(ctx); err != nil {
		return err
	}
	return d.drop(ctx, path)
}

// drop removes a file's rows, if there are any.
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
	if !d.indexed.Load() { // to find rows without indexes is to go through all of them
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

// querier is a connection or a pool of them.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// treeOf lists a file and those in it.
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

// begin begins a transaction, unless one is under way.
func (d *DB) begin(ctx context.Context) error {
	if d.inTx {
		return nil
	}
	if err := d.run(ctx, "begin immediate"); err != nil {
		d.run(context.WithoutCancel(ctx), "rollback") // called off, it may have begun
		return err
	}
	d.inTx = true
	// Another program may have written since the last one.
	if err := d.lookForIndexes(ctx); err != nil {
		return err
	}
	return d.conn.QueryRowContext(ctx, "select max(key) from pakbox_state").Scan(&d.last)
}

// Pending is how many rows the next Commit will write.
func (d *DB) Pending() int { return d.rows }

// Commit makes what was put and removed last. Where it fails, that can still be
// forgotten.
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

// Rollback forgets what was put and removed since the last Commit.
func (d *DB) Rollback(ctx context.Context) {
	if d.inTx {
		d.release()
		d.conn.ExecContext(ctx, "rollback")
		d.inTx, d.rows = false, 0
		d.lookForIndexes(ctx) // they may have been made in it
	}
}

// Seen tells whether the index has noted any file.
func (d *DB) Seen(ctx context.Context) (some bool, err error) {
	err = d.conn.QueryRowContext(ctx, "select exists(select 1 from pakbox_state)").Scan(&some)
	return some, err
}
