//go:build !js

// Package engine is the SQLite of an index: SQLite translated to Go or, in a browser,
// SQLite's own WebAssembly.
package engine

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"os"

	sqlite "modernc.org/sqlite"
)

// Driver is the name of the driver for database/sql.
const Driver = "sqlite"

// Function adds a function of one argument to SQL. It must be called before a database is
// opened. SQLite may cache the results of a deterministic function.
func Function(name string, deterministic bool, answer func(driver.Value) driver.Value) {
	register := sqlite.MustRegisterScalarFunction
	if deterministic {
		register = sqlite.MustRegisterDeterministicScalarFunction
	}
	register(name, 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		return answer(args[0]), nil
	})
}

// Limit sets one of SQLite's limits for a connection.
func Limit(conn *sql.Conn, id, value int) error {
	_, err := sqlite.Limit(conn, id, value)
	return err
}

// Code returns SQLite's result code of an error. ok is false for other errors.
func Code(err error) (code int, ok bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.Code() & 0xFF, true
}

// Head reads the first n bytes of a file, or fewer if the file is shorter.
func Head(path string, n int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, n)
	n, _ = f.Read(head)
	return head[:n], nil
}
