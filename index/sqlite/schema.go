// Package sqlite keeps an index in one SQLite file: one table for each table of package index, a
// full-text index over names, authors and comments, and the state of each file for updates.
//
// The rows of a file and its state are written in one transaction. A program that is killed at any
// moment leaves a consistent database, and the next run continues from there.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/engine"
)

// applicationID marks a file as an index: "pkbx".
const applicationID = 0x706b6278

// textsTable is the table with the texts of the full-text indexes.
const textsTable = "texts"

// definitions are the statements that make an empty index. SQLite indexes are made later: see
// [DB.Finish].
func definitions() []string {
	list := []string{
		fmt.Sprintf("pragma application_id = %d", applicationID),
		fmt.Sprintf("pragma user_version = %d", index.Version),
	}
	for _, t := range index.Tables() {
		list = append(list, tableDefinition(t))
	}
	return append(list, bookkeeping...)
}

// lastIndex is the last statement that makes SQLite indexes. If its trigger exists, all indexes exist.
const lastIndex = `create trigger grams_insert after insert on texts begin
	insert into grams(rowid, name, author, comments) values (new.id, new.name, new.author, new.comments);
end`

// lookForIndexes finds out whether the first scan has made the indexes of the tables.
func (d *DB) lookForIndexes(ctx context.Context) error {
	var has bool
	err := d.conn.QueryRowContext(ctx, "select exists(select 1 from sqlite_schema where name = 'grams_insert')").Scan(&has)
	d.indexed.Store(has)
	return err
}

// grams are the statements that make the full-text index by three letters.
var grams = []string{
	`create virtual table grams using fts5(name, author, comments, content='texts', content_rowid='id', detail=column, columnsize=0, tokenize="trigram case_sensitive 1")`,
	"insert into grams(grams) values ('rebuild')",
	`create trigger grams_delete after delete on texts begin
		insert into grams(grams, rowid, name, author, comments) values ('delete', old.id, old.name, old.author, old.comments);
	end`,
	lastIndex,
}

// tableIndexes are the statements that make the SQLite indexes of tables: by the key of the file, and
// by each column that is declared as indexed. Queries and removals use them. An update adds missing
// ones.
func tableIndexes() []string {
	list := []string{
		"create unique index if not exists files_file on files(file)",
		"create index if not exists files_path on files(path, path_raw)",
		"create index if not exists files_parent on files(parent) where parent is not null",
	}
	for _, t := range index.Tables() {
		if t.Name != "files" {
			by := "file"
			if t.Name == "ghosts" { // a search asks for the least time of a file's runs, and whether they lie within bounds
				by += ", race_time"
			}
			list = append(list, fmt.Sprintf("create index if not exists %s_file on %s(%s)", t.Name, t.Name, by))
		}
		for _, c := range t.Columns() {
			if c.Indexed {
				list = append(list, columnIndex(t, &c))
			}
		}
	}
	return list
}

// columnIndex returns the statement for the index of a column. Texts are indexed without letter case.
// An index of hashes leaves out rows without a hash. It also has what a search for equal hashes wants
// to know of a row: in the table files the parent, which distinguishes files on disk from files in
// others, and in the table maps the file.
func columnIndex(t *index.Table, c *index.Column) string {
	by, where := quote(c.Name), ""
	switch {
	case c.Type == index.Text:
		by += " collate nocase"
	case c.Type == index.Bytes:
		where = " where " + by + " is not null"
		switch t.Name {
		case "files":
			by += ", parent"
		case "maps":
			by += ", file"
		}
	}
	return fmt.Sprintf("create index if not exists %s_%s on %s(%s)%s", t.Name, c.Name, t.Name, by, where)
}

// Tables beside those of package index: the full-text index (search); the state of each file on disk
// when it was read (pakbox_state); the number of files by kind, format and so on (pakbox_shares); and
// notes about the index itself (pakbox_about). The key of a state is the path with zero bytes for
// slashes, which sorts like a walk through sorted folders. The numbers of a State are in one column
// (see numbers): a scan of unchanged files reads little else, and one column is faster to read than
// seven.
var bookkeeping = []string{
	`create virtual table search using fts5(name, author, comments, content='texts', content_rowid='id', tokenize="unicode61 remove_diacritics 2")`,
	`create trigger texts_insert after insert on texts begin
		insert into search(rowid, name, author, comments) values (new.id, new.name, new.author, new.comments);
	end`,
	`create trigger texts_delete after delete on texts begin
		insert into search(search, rowid, name, author, comments) values ('delete', old.id, old.name, old.author, old.comments);
	end`,
	`create table pakbox_state(key blob primary key, seen blob not null, siblings text) strict, without rowid`,
	`create table pakbox_shares(section text not null, name text not null, files integer not null, bytes integer not null, primary key(section, name)) strict, without rowid`,
	`create table pakbox_about(name text primary key, value text not null) strict, without rowid`,
}

// tableDefinition returns the statement that makes a table.
func tableDefinition(t *index.Table) string {
	var columns []string
	if t.Name == textsTable {
		columns = append(columns, "id integer primary key")
	}
	for _, c := range t.Columns() {
		def := quote(c.Name) + " " + columnType(c.Type)
		if !c.Null {
			def += " not null"
		}
		if c.Type == index.Integers {
			def += fmt.Sprintf(" check(json_valid(%s))", quote(c.Name))
		}
		columns = append(columns, def)
		if c.Raw {
			columns = append(columns, quote(c.Name+rawEnding)+" blob")
		}
	}
	return fmt.Sprintf("create table %s(\n\t%s\n) strict", t.Name, strings.Join(columns, ",\n\t"))
}

func columnType(t index.Type) string {
	switch t {
	case index.Integer, index.Boolean:
		return "integer"
	case index.Real:
		return "real"
	case index.Bytes:
		return "blob"
	}
	return "text" // lists are stored as JSON
}

// quote quotes a name for SQL, because some names are SQL words.
func quote(name string) string { return `"` + name + `"` }

// DB is an index in a file. Its methods are for one goroutine, unless they say
// otherwise.
type DB struct {
	path string
	db   *sql.DB
	conn *sql.Conn // the connection that writes
	read *sql.DB   // for reading; it sees only committed rows

	// Prepared statements that run for many files: the query of SameContent, and the removal of a
	// state.
	same, forget *sql.Stmt

	tables  []table
	notes   table           // states of files
	shares  map[Share]Share // changes of shares that are not written yet
	indexed atomic.Bool     // the SQLite indexes exist
	inTx    bool
	rows    int             // rows written in this transaction
	paths   map[string]bool // files whose rows may not be written yet
	last    []byte          // the greatest key of a known file
}

// patience is how long a program waits until another one has written its transaction.
const patience = 10 * time.Second

var wait = fmt.Sprintf("_pragma=busy_timeout(%d)", patience.Milliseconds())

// Open opens an index for writing, and makes it if it does not exist.
func Open(ctx context.Context, path string) (*DB, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fault.InFile(fault.New(fault.Unsupported, "an index must be a regular file"), path)
	}
	made := err != nil // by this process, so that it may remove it
	isNew := made || info.Size() == 0
	if !isNew {
		if err := check(ctx, path); err != nil && !errors.Is(err, errBegun) {
			return nil, err
		}
	}
	// Keys are hashes, so rows go to pages all over the file. A cache of 8 MiB, and
	// rollback data in memory, halve the time for an index of 100,000 small files.
	db, err := sql.Open(engine.Driver, dsn(path, wait, "_pragma=cache_size(-8192)", "_pragma=temp_store(memory)", "_txlock=immediate"))
	if err != nil {
		return nil, err
	}
	d := &DB{path: path, db: db}
	if d.conn, err = db.Conn(ctx); err != nil {
		db.Close()
		return nil, inFile(err, path)
	}
	if err := d.define(ctx, isNew); err != nil {
		d.Close()
		if code, _ := engine.Code(err); made && code != busy { // remove the file: it has no tables and is useless
			os.Remove(path)
		}
		return nil, inFile(err, path)
	}
	if d.read, err = sql.Open(engine.Driver, dsn(path, "mode=ro", wait, "_pragma=query_only(true)")); err != nil {
		d.Close()
		return nil, inFile(err, path)
	}
	if err := d.prepare(ctx); err != nil {
		d.Close()
		return nil, inFile(err, path)
	}
	d.tables, d.notes, d.paths, d.shares = newTables(), newTable(stateTable), map[string]bool{}, map[Share]Share{}
	return d, nil
}

// prepare prepares the statements that are needed for many files.
func (d *DB) prepare(ctx context.Context) (err error) {
	if d.same, err = d.read.PrepareContext(ctx, "select ifnull(path_raw, path) from files where blake3 = ? and parent is null limit 16"); err != nil {
		return err
	}
	d.forget, err = d.conn.PrepareContext(ctx, "delete from pakbox_state where key = ?")
	return err
}

// define makes the tables of an empty index in one transaction. It does not wait for the disk: after a
// power cut the index is made again.
func (d *DB) define(ctx context.Context, isNew bool) error {
	first := "pragma synchronous = normal"
	if isNew {
		first = "pragma synchronous = off"
	}
	if err := d.run(ctx, first); err != nil {
		return err
	}
	if err := d.beginLog(ctx); err != nil {
		return err
	}
	if err := d.together(ctx, d.lacking); err != nil {
		return err
	}
	return d.run(ctx, "pragma synchronous = normal")
}

// lacking returns the statements that make what the index does not have yet. It looks in the
// transaction that runs them, because another program may begin the same index.
func (d *DB) lacking(ctx context.Context) ([]string, error) {
	var version int
	if err := d.conn.QueryRowContext(ctx, "pragma user_version").Scan(&version); err != nil {
		return nil, err
	}
	if err := d.lookForIndexes(ctx); err != nil {
		return nil, err
	}
	list := definitions()
	switch {
	case version != 0 && d.indexed.Load():
		list = tableIndexes()
	case version != 0: // an index with a version has all tables
		list = nil
		for _, t := range append(index.Tables(), stateTable) {
			list = append(list, "select 1 from "+t.Name+" limit 0")
		}
	}
	return list, nil
}

// beginLog makes the index keep a log beside it. SQLite waits for another program's transaction
// before it begins one, but not before this.
func (d *DB) beginLog(ctx context.Context) error {
	for until := time.Now().Add(patience); ; time.Sleep(patience / 1000) {
		err := d.run(ctx, "pragma journal_mode = wal")
		if code, _ := engine.Code(err); err == nil || code != busy || time.Now().After(until) {
			return err
		}
		if err := d.run(ctx, "begin immediate", "rollback"); err != nil {
			return err
		}
	}
}

// together runs statements in one transaction, in which they are also chosen.
func (d *DB) together(ctx context.Context, choose func(context.Context) ([]string, error)) error {
	if err := d.run(ctx, "begin immediate"); err != nil {
		return err
	}
	list, err := choose(ctx)
	if err == nil {
		err = d.run(ctx, append(list, "commit")...)
	}
	if err != nil {
		d.run(context.WithoutCancel(ctx), "rollback")
		return err
	}
	return nil
}

// Finish completes an index: it commits, and makes the SQLite indexes. Keys are hashes, so each new row
// would change pages all over these indexes. Making them at the end from sorted keys takes a fraction
// of the time for a million files.
func (d *DB) Finish(ctx context.Context) error {
	if err := d.Commit(ctx); err != nil || d.indexed.Load() {
		return err
	}
	// Sorting the keys of a million files may need too much memory.
	d.run(ctx, "pragma temp_store = file")
	defer d.run(context.WithoutCancel(ctx), "pragma temp_store = memory")
	if err := d.run(ctx, tableIndexes()...); err != nil {
		return err
	}
	if err := d.together(ctx, func(ctx context.Context) ([]string, error) {
		if err := d.lookForIndexes(ctx); err != nil || d.indexed.Load() {
			return nil, err // another program has made them meanwhile
		}
		return grams, nil
	}); err != nil {
		return err
	}
	d.indexed.Store(true)
	return nil
}

// run runs statements one after the other.
func (d *DB) run(ctx context.Context, list ...string) error {
	for _, stmt := range list {
		if _, err := d.conn.ExecContext(ctx, stmt); err != nil {
			return fmt.Errorf("%w in %s", err, stmt)
		}
	}
	return nil
}

// OpenReadOnly opens an index for questions, which cannot change it.
func OpenReadOnly(ctx context.Context, path string) (*sql.DB, error) {
	if err := check(ctx, path); err != nil {
		return nil, err
	}
	// A larger cache helps, because keys are hashes and rows are all over the file.
	return sql.Open(engine.Driver, dsn(path, "mode=ro", wait, "_pragma=query_only(true)", "_pragma=cache_size(-8192)"))
}

// Check returns an error if a file is not an index of this version.
func Check(ctx context.Context, path string) error { return check(ctx, path) }

// ReadOnly returns the name of an index for a read-only ATTACH in SQL.
func ReadOnly(path string) string { return dsn(path, "mode=ro") }

// errBegun reports an index without tables: the program that made it was killed early.
var errBegun = errors.New("the making of this index was stopped before it began: make it again")

// check returns an error if a file is not an index of this version. It opens the file for writing if
// that is allowed, so that SQLite rolls back what a killed program left.
func check(ctx context.Context, path string) error {
	head, err := engine.Head(path, 16)
	if err != nil {
		return err
	}
	if string(head) != "SQLite format 3\x00" {
		return fault.InFile(fault.New(fault.NotFormat, "is not an index: not an SQLite file"), path)
	}
	db, err := sql.Open(engine.Driver, dsn(path, "mode=rw", wait))
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return inFile(err, path)
	}
	defer conn.Close()
	// In one transaction, because another program may just make the tables.
	if _, err := conn.ExecContext(ctx, "begin"); err != nil {
		return inFile(err, path)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "rollback")
	var id, version int
	if err := conn.QueryRowContext(ctx, "pragma application_id").Scan(&id); err != nil {
		return inFile(err, path)
	}
	if err := conn.QueryRowContext(ctx, "pragma user_version").Scan(&version); err != nil {
		return inFile(err, path)
	}
	switch {
	case id == 0 && version == 0:
		var tables int
		if err := conn.QueryRowContext(ctx, "select count(*) from sqlite_schema").Scan(&tables); err == nil && tables == 0 {
			return inFile(errBegun, path)
		}
		fallthrough
	case id != applicationID:
		return fault.InFile(fault.New(fault.NotFormat, "is an SQLite file, and no index of pakbox"), path)
	case version < index.Version:
		return inFile(fmt.Errorf("is an index of version %d, and this pakbox makes version %d: remove it, and index the files again", version, index.Version), path)
	case version > index.Version:
		return fault.InFile(fault.New(fault.UnsupportedVersion, "is an index of version %d, and this pakbox makes version %d", version, index.Version), path)
	}
	return nil
}

// dsn returns the name of a file for the driver, with options.
func dsn(path string, options ...string) string {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: strings.Join(options, "&")}
	return u.String()
}

// inFile adds the file to an error of SQLite. Errors of the system get its words.
func inFile(err error, path string) error {
	switch code, _ := engine.Code(err); code {
	case busy, locked:
		return fault.WithHint(fmt.Errorf("%s: another program is writing to it", path), "try again when it has ended: one program at a time writes to an index")
	case readOnly:
		return &fs.PathError{Op: "write", Path: path, Err: fs.ErrPermission}
	case full:
		return &fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}
	case cannotOpen:
		why := fs.ErrPermission
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			why = fs.ErrNotExist
		}
		return &fs.PathError{Op: "open", Path: path, Err: why}
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Result codes of SQLite.
const busy, locked, readOnly, full, cannotOpen = 5, 6, 8, 13, 14

// InFile adds the file to an error of writing to it.
func (d *DB) InFile(err error) error {
	if _, ok := engine.Code(err); !ok {
		return err
	}
	return inFile(err, d.path)
}

// Close closes the index; uncommitted work is lost. Unless another program is reading it, the index
// becomes one file without a log, which can also be read on a read-only disk.
func (d *DB) Close() error {
	for i := range d.tables {
		d.tables[i].close()
	}
	d.notes.close()
	for _, s := range []*sql.Stmt{d.same, d.forget} {
		if s != nil {
			s.Close()
		}
	}
	if d.read != nil {
		d.read.Close()
	}
	if d.conn != nil {
		ctx := context.Background()
		d.Rollback(ctx)
		d.leaveOneFile(ctx)
		d.conn.Close()
	}
	return d.db.Close()
}

// leaveOneFile moves the log into the file, and waits for the disk. Then it removes the log, which
// changes two bytes of the first page and needs no waiting. If it fails, or if another program is
// reading, the log stays.
func (d *DB) leaveOneFile(ctx context.Context) {
	var busy, frames, brought int
	if d.run(ctx, "pragma busy_timeout = 0") != nil {
		return
	}
	if err := d.conn.QueryRowContext(ctx, "pragma wal_checkpoint(truncate)").Scan(&busy, &frames, &brought); err == nil && busy == 0 {
		d.run(ctx, "pragma synchronous = off", "pragma journal_mode = delete")
	}
}
