// Package engine is the SQLite of an index: SQLite translated to Go or, in a browser,
// SQLite's own WebAssembly.
package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/url"
	"strings"
	"sync"
	"syscall/js"
)

// Driver is the name of the driver for database/sql.
const Driver = "sqlite"

func init() { sql.Register(Driver, engine{}) }

// function is a function that is added to SQL.
type function struct {
	name          string
	deterministic bool
	answer        func(driver.Value) driver.Value
}

var functions []function

// Function adds a function of one argument to SQL. It must be called before a database is
// opened. SQLite may cache the results of a deterministic function.
func Function(name string, deterministic bool, answer func(driver.Value) driver.Value) {
	functions = append(functions, function{name, deterministic, answer})
}

// sqliteError is an error of SQLite.
type sqliteError struct {
	code int
	text string
}

func (e *sqliteError) Error() string { return e.text }

// Code returns SQLite's result code of an error. ok is false for other errors.
func Code(err error) (code int, ok bool) {
	var e *sqliteError
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.code, true
}

// Limit sets one of SQLite's limits for a connection.
func Limit(c *sql.Conn, id, value int) error {
	return c.Raw(func(raw any) error {
		raw.(*conn).db.Call("limit", id, value)
		return nil
	})
}

// content is a file that SQLite can open.
type content struct {
	io.ReaderAt
	size int64
}

var files sync.Map // from a name to its content

// Serve makes a file available under a name, until close is called.
func Serve(name string, r io.ReaderAt, size int64) (close func()) {
	served := &content{r, size}
	files.Store(name, served)
	return func() { files.CompareAndDelete(name, served) }
}

func find(name string) (*content, error) {
	if c, ok := files.Load(name); ok {
		return c.(*content), nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Head reads the first n bytes of a file, or fewer if the file is shorter.
func Head(name string, n int) ([]byte, error) {
	c, err := find(name)
	if err != nil {
		return nil, err
	}
	head := make([]byte, n)
	n, err = c.ReadAt(head, 0)
	if err == io.EOF {
		err = nil
	}
	return head[:n], err
}

// ReadAt reads the file as if it had no log, because no log is served beside it. Two
// bytes of the file, its format versions, would announce a log.
func (c *content) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	for _, version := range []int64{18, 19} {
		if i := version - at; i >= 0 && i < int64(n) && p[i] == 2 {
			p[i] = 1
		}
	}
	return n, err
}

// program has the exports of database.js, after it was fetched.
var program struct {
	sync.Mutex
	loaded    js.Value
	functions []any
}

func load() (js.Value, []any, error) {
	p := &program
	p.Lock()
	defer p.Unlock()
	if !p.loaded.IsUndefined() {
		return p.loaded, p.functions, nil
	}
	loaded, err := await(js.Global().Call("pakboxSQLite"))
	if err != nil {
		return js.Value{}, nil, fmt.Errorf("SQLite cannot be fetched: %w", err)
	}
	for _, f := range functions {
		p.functions = append(p.functions, []any{f.name, f.deterministic, js.FuncOf(func(_ js.Value, args []js.Value) any {
			given, _ := readValue(fromJS(args[0]))
			return toJS(appendValue(nil, f.answer(given)))
		})})
	}
	p.loaded = loaded
	return loaded, p.functions, nil
}

// await waits for a promise.
func await(promise js.Value) (value js.Value, err error) {
	done := make(chan struct{})
	kept := js.FuncOf(func(_ js.Value, args []js.Value) any {
		value = args[0]
		close(done)
		return nil
	})
	broken := js.FuncOf(func(_ js.Value, args []js.Value) any {
		err = js.Error{Value: args[0]}
		close(done)
		return nil
	})
	defer kept.Release()
	defer broken.Release()
	promise.Call("then", kept, broken)
	<-done
	return value, err
}

// engine opens databases by the names that package sqlite makes: file:NAME with pragmas
// as _pragma=….
type engine struct{}

func (engine) Open(address string) (driver.Conn, error) {
	name, options, _ := strings.Cut(strings.TrimPrefix(address, "file:"), "?")
	name, err := url.PathUnescape(name)
	if err != nil {
		return nil, err
	}
	file, err := find(name)
	if err != nil {
		return nil, err
	}
	loaded, functions, err := load()
	if err != nil {
		return nil, err
	}
	c := &conn{read: js.FuncOf(func(_ js.Value, args []js.Value) any {
		part := make([]byte, args[0].Get("length").Int())
		n, err := file.ReadAt(part, int64(args[1].Float()))
		if err != nil && err != io.EOF {
			return -1
		}
		return js.CopyBytesToJS(args[0], part[:n])
	})}
	c.db = loaded.Call("open", float64(file.size), c.read, functions)
	if err := failed(c.db); err != nil {
		c.read.Release()
		return nil, err
	}
	query, _ := url.ParseQuery(options)
	for _, pragma := range query["_pragma"] {
		if _, err := c.ExecContext(context.Background(), "pragma "+pragma, nil); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// failed returns the error in the result of a call; nil if the result is not an error.
func failed(v js.Value) error {
	code := v.Get("code")
	if code.IsUndefined() {
		return nil
	}
	if code.Int() < 0 { // the error is not SQLite's
		return errors.New(v.Get("message").String())
	}
	return &sqliteError{code.Int(), v.Get("message").String()}
}

// conn is a connection.
type conn struct {
	db   js.Value
	read js.Func
}

func (c *conn) Close() error {
	c.db.Call("close")
	c.read.Release()
	return nil
}

// Begin returns an error: nothing is written, and reading needs no transaction.
func (c *conn) Begin() (driver.Tx, error) { return nil, errors.ErrUnsupported }

// Prepare returns an error: only writers need prepared statements.
func (c *conn) Prepare(string) (driver.Stmt, error) { return nil, errors.ErrUnsupported }

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	found, err := c.QueryContext(ctx, query, args)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	row := make([]driver.Value, len(found.Columns()))
	for err == nil {
		err = found.Next(row)
	}
	if err != io.EOF {
		return nil, err
	}
	return driver.ResultNoRows, nil
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	var values []byte
	for _, a := range args {
		values = appendValue(values, a.Value)
	}
	r := &rows{ctx: ctx, conn: c, statement: c.db.Call("query", query, toJS(values), deadline(ctx))}
	if err := r.failed(r.statement); err != nil {
		return nil, err
	}
	list := r.statement.Get("columns")
	for i := range list.Length() {
		r.columns = append(r.columns, list.Index(i).String())
	}
	return r, nil
}

// deadline is the time when a question must be answered, in milliseconds since 1970.
func deadline(ctx context.Context) float64 {
	if end, ok := ctx.Deadline(); ok {
		return float64(end.UnixMilli())
	}
	return math.Inf(1)
}

// rows has the rows of a statement. They are fetched many at a time.
type rows struct {
	ctx       context.Context
	conn      *conn
	statement js.Value
	columns   []string
	ahead     []byte // fetched rows that were not returned yet
}

func (r *rows) Columns() []string { return r.columns }

func (r *rows) Close() error {
	r.statement.Call("close")
	return nil
}

// interrupted is SQLite's code for an interrupted statement.
const interrupted = 9

// failed returns the error in the result of a call. A statement that took too long was
// interrupted; it returns the error of its context.
func (r *rows) failed(v js.Value) error {
	err := failed(v)
	if code, _ := Code(err); code == interrupted && !math.IsInf(deadline(r.ctx), 1) {
		<-r.ctx.Done() // the context has ended, or will end in a moment
		return r.ctx.Err()
	}
	return err
}

func (r *rows) Next(row []driver.Value) error {
	if len(r.ahead) == 0 {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		r.conn.db.Call("wait", deadline(r.ctx))
		next := r.statement.Call("next")
		if err := r.failed(next); err != nil {
			return err
		}
		r.ahead = fromJS(next)
	}
	if r.ahead[0] == 0 { // this marks the end of the rows
		return io.EOF
	}
	r.ahead = r.ahead[1:]
	for i := range row {
		row[i], r.ahead = readValue(r.ahead)
	}
	return nil
}
