// Package sqlite keeps an index in one SQLite file: a table for each of
// package index, made from its schema, a full-text index over names, authors
// and comments, and what is needed to bring the whole up to date.
//
// A file's rows and the note that it was read go in together in one
// transaction, so that a program that is killed at any moment leaves a
// consistent database, and the next run goes on from there.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync/atomic"

	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/engine"
)

// applicationID marks a file as an index: "pkbx".
const applicationID = 0x706b6278

// textsTable is the table that the full-text index is made over.
const textsTable = "texts"

// definitions are the statements that make an empty index. It has no indexes yet
// but one: see [DB.Finish].
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

// lastIndex is the statement that ends the making of indexes: an index that has
// what it makes has all of them.
const lastIndex = `create trigger grams_insert after insert on texts begin
	insert into grams(rowid, name, author, comments) values (new.id, new.name, new.author, new.comments);
end`

// lookForIndexes notes whether the index has its indexes.
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

// tableIndexes are the statements that make the indexes of tables, by which
// questions are answered and rows are removed: by the key of the file, and by the
// columns that say so. An index that lacks one gets it when it is brought up to
// date.
func tableIndexes() []string {
	list := []string{
		"create unique index if not exists files_file on files(file)",
		"create unique index if not exists files_path on files(path)",
		"create index if not exists files_parent on files(parent) where parent is not null",
	}
	for _, t := range index.Tables() {
		if t.Name != "files" {
			list = append(list, fmt.Sprintf("create index if not exists %s_file on %s(file)", t.Name, t.Name))
		}
		for _, c := range t.Columns {
			if c.Indexed {
				list = append(list, columnIndex(t, &c))
			}
		}
	}
	return list
}

// columnIndex makes the index of a column, without case for texts. Those of hashes have no rows without
// one. Those of files tell files of the file system from others.
func columnIndex(t *index.Table, c *index.Column) string {
	by, where := quote(c.Name), ""
	switch {
	case c.Type == index.Text:
		by += " collate nocase"
	case c.Type == index.Bytes:
		if where = " where " + by + " is not null"; t.Name == "files" {
			by += ", parent"
		}
	}
	return fmt.Sprintf("create index if not exists %s_%s on %s(%s)%s", t.Name, c.Name, t.Name, by, where)
}

// Besides the tables of the schema there are the full-text index; what was seen
// of each file of the file system when it was read; how many files there are by
// kind, format and so on; and what the index says about itself. The key of what
// was seen is the path with its slashes as zero bytes, which sorts as a walk
// through sorted folders goes. The numbers of a State are one column (see
// numbers), because a scan of files that did not change reads little else, and
// asking for a column costs more than what is in it.
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

// tableDefinition makes a table of one of the schema.
func tableDefinition(t *index.Table) string {
	var columns []string
	if t.Name == textsTable {
		columns = append(columns, "id integer primary key")
	}
	for _, c := range t.Columns {
		def := quote(c.Name) + " " + columnType(c.Type)
		if !c.Null {
			def += " not null"
		}
		if c.Type == index.Integers {
			def += fmt.Sprintf(" check(json_valid(%s))", quote(c.Name))
		}
		columns = append(columns, def)
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
	return "text" // lists are JSON
}

// quote makes an identifier of a name; some are words of SQL.
func quote(name string) string { return `"` + name + `"` }

// DB is an index in a file. Its methods are for one goroutine, unless they say
// otherwise.
type DB struct {
	db   *sql.DB
	conn *sql.Conn // that writes
	read *sql.DB   // for readers, who see what is committed

	// Statements that are needed for many files: what SameContent asks, and
	// forgetting what was seen of one.
	same, forget *sql.Stmt

	tables  []table
	notes   table           // what was seen of files
	shares  map[Share]Share // changes of shares that are not written yet, by section and name
	indexed atomic.Bool     // the index has its indexes
	inTx    bool
	rows    int             // of the transaction
	paths   map[string]bool // of the files whose rows may not be written yet
	last    []byte          // greatest key of a file that was seen
}

// Open opens an index to write to it, and makes it if it is not there.
func Open(ctx context.Context, path string) (*DB, error) {
	info, err := os.Stat(path)
	isNew := err != nil || info.Size() == 0
	if !isNew {
		if err := check(ctx, path); err != nil && !errors.Is(err, errBegun) {
			return nil, err
		}
	}
	// Keys are hashes, so that rows go to pages all over the file. With room for
	// 8 MiB of them, and what a statement would take back in memory, an index of
	// 100,000 small files takes half the time.
	db, err := sql.Open(engine.Driver, dsn(path, "_pragma=busy_timeout(10000)", "_pragma=cache_size(-8192)", "_pragma=temp_store(memory)", "_txlock=immediate"))
	if err != nil {
		return nil, err
	}
	d := &DB{db: db}
	if d.conn, err = db.Conn(ctx); err != nil {
		db.Close()
		return nil, inFile(err, path)
	}
	if err := d.define(ctx, isNew); err != nil {
		d.Close()
		if isNew { // a file without tables is useless
			os.Remove(path)
		}
		return nil, inFile(err, path)
	}
	if d.read, err = sql.Open(engine.Driver, dsn(path, "mode=ro", "_pragma=busy_timeout(10000)", "_pragma=query_only(true)")); err != nil {
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
	if d.same, err = d.read.PrepareContext(ctx, "select path from files where blake3 = ? and parent is null limit 16"); err != nil {
		return err
	}
	d.forget, err = d.conn.PrepareContext(ctx, "delete from pakbox_state where key = ?")
	return err
}

// define makes the tables of an empty index in one transaction. Its first pages
// are not waited for: what a power cut takes of them is made anew.
func (d *DB) define(ctx context.Context, isNew bool) error {
	first := []string{"pragma synchronous = normal", "pragma journal_mode = wal"}
	if isNew {
		first[0] = "pragma synchronous = off"
	}
	if err := d.run(ctx, first...); err != nil {
		return err
	}
	var version int
	if err := d.conn.QueryRowContext(ctx, "pragma user_version").Scan(&version); err != nil {
		return err
	}
	if err := d.lookForIndexes(ctx); err != nil {
		return err
	}
	list := definitions()
	switch {
	case version != 0 && d.indexed.Load():
		list = tableIndexes()
	case version != 0: // it must have all tables
		list = nil
		for _, t := range append(index.Tables(), stateTable) {
			list = append(list, "select 1 from "+t.Name+" limit 0")
		}
	}
	if err := d.together(ctx, list...); err != nil {
		return err
	}
	return d.run(ctx, "pragma synchronous = normal")
}

// together runs statements in one transaction.
func (d *DB) together(ctx context.Context, list ...string) error {
	if err := d.run(ctx, "begin immediate"); err != nil {
		return err
	}
	if err := d.run(ctx, append(list, "commit")...); err != nil {
		d.run(context.WithoutCancel(ctx), "rollback")
		return err
	}
	return nil
}

// Finish ends the making of an index: what was put is committed, and the indexes
// of SQLite are made. Keys are hashes, so that a row more changes pages all over
// an index. Made at the end, from sorted keys, the indexes of a million files take
// a fraction of the time.
func (d *DB) Finish(ctx context.Context) error {
	if err := d.Commit(ctx); err != nil || d.indexed.Load() {
		return err
	}
	// What is sorted for an index of a million files does not belong in memory.
	d.run(ctx, "pragma temp_store = file")
	defer d.run(context.WithoutCancel(ctx), "pragma temp_store = memory")
	if err := d.run(ctx, tableIndexes()...); err != nil {
		return err
	}
	if err := d.together(ctx, grams...); err != nil {
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

// OpenReadOnly opens an index to ask it things. Nothing that is asked can
// change it.
func OpenReadOnly(ctx context.Context, path string) (*sql.DB, error) {
	if err := check(ctx, path); err != nil {
		return nil, err
	}
	// Keys are hashes: files that are found stand all over the indexes of SQLite.
	return sql.Open(engine.Driver, dsn(path, "mode=ro", "_pragma=busy_timeout(10000)", "_pragma=query_only(true)", "_pragma=cache_size(-8192)"))
}

// Check tells whether a file is an index that can be asked.
func Check(ctx context.Context, path string) error { return check(ctx, path) }

// ReadOnly names an index for SQL's ATTACH, to be read.
func ReadOnly(path string) string { return dsn(path, "mode=ro") }

// errBegun means that a file is an index without tables: whoever made it was
// killed before it had any.
var errBegun = errors.New("the making of this index was stopped before it began: make it again")

// check tells whether a file is an index of this version. It opens it to write
// if that is allowed: what a killed program left undone is taken back then.
func check(ctx context.Context, path string) error {
	head, err := engine.Head(path, 16)
	if err != nil {
		return err
	}
	if string(head) != "SQLite format 3\x00" {
		return fault.InFile(fault.New(fault.NotFormat, "is no index: not an SQLite file"), path)
	}
	db, err := sql.Open(engine.Driver, dsn(path, "mode=rw", "_pragma=busy_timeout(10000)"))
	if err != nil {
		return err
	}
	defer db.Close()
	var id, version int
	if err := db.QueryRowContext(ctx, "pragma application_id").Scan(&id); err != nil {
		return inFile(err, path)
	}
	if err := db.QueryRowContext(ctx, "pragma user_version").Scan(&version); err != nil {
		return inFile(err, path)
	}
	switch {
	case id == 0 && version == 0:
		var tables int
		if err := db.QueryRowContext(ctx, "select count(*) from sqlite_schema").Scan(&tables); err == nil && tables == 0 {
			return inFile(errBegun, path)
		}
		fallthrough
	case id != applicationID:
		return fault.InFile(fault.New(fault.NotFormat, "is an SQLite file, and no index of pakbox"), path)
	case version < index.Version:
		return inFile(fmt.Errorf("is an index of version %d, and this pakbox makes version %d: remove it, and make it anew with 'pakbox index'", version, index.Version), path)
	case version > index.Version:
		return fault.InFile(fault.New(fault.UnsupportedVersion, "is an index of version %d, and this pakbox makes version %d", version, index.Version), path)
	}
	return nil
}

// dsn names a file for the driver.
func dsn(path string, options ...string) string {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: strings.Join(options, "&")}
	return u.String()
}

// inFile says which file an error of SQLite is about.
func inFile(err error, path string) error { return fmt.Errorf("%s: %w", path, err) }

// Close ends the work; what was not committed is gone. Unless somebody reads it
// now, the index is left as one file without a log, which can be read where
// nothing can be written.
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

// leaveOneFile brings the log into the file, which is waited for. That there is
// no log any more is two bytes of the first page, which need not be. If it fails,
// or somebody reads, the log stays.
func (d *DB) leaveOneFile(ctx context.Context) {
	var busy, frames, brought int
	if d.run(ctx, "pragma busy_timeout = 0") != nil {
		return
	}
	if err := d.conn.QueryRowContext(ctx, "pragma wal_checkpoint(truncate)").Scan(&busy, &frames, &brought); err == nil && busy == 0 {
		d.run(ctx, "pragma synchronous = off", "pragma journal_mode = delete")
	}
}
