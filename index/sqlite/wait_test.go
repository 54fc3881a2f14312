package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pakbox/index/engine"
	"pakbox/index/sqlite"
)

// A second writer waits for the transaction of the first, whichever way of writing the
// index is in.
func TestWaitsForAnotherWriter(t *testing.T) {
	for _, mode := range []string{"delete", "wal"} {
		db, file := filledIndex(t, "a.sqlite", "x")
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		other, err := sql.Open(engine.Driver, file)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		conn, err := other.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		do := func(stmt string) error { _, err := conn.ExecContext(context.Background(), stmt); return err }
		if err := errors.Join(do("pragma journal_mode = "+mode), do("begin immediate"), do("update files set size = 2")); err != nil {
			t.Fatal(err)
		}
		const held = 300 * time.Millisecond
		ended := make(chan error, 1)
		time.AfterFunc(held, func() { ended <- do("commit") })
		began := time.Now()
		second, err := sqlite.Open(t.Context(), file)
		if took := time.Since(began); err != nil || took < held/2 {
			t.Errorf("%s: Open for the second writer returned after %v: %v, want no error and more than half of the lock's time", mode, took, err)
		}
		if err := <-ended; err != nil {
			t.Errorf("%s: the first writer: %v", mode, err)
		}
		if err == nil {
			second.Close()
		}
	}
}

// Several programs that begin one index at the same moment all find its tables.
func TestBegunTogether(t *testing.T) {
	for range 10 {
		file := filepath.Join(t.TempDir(), "a.sqlite")
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				db, err := sqlite.Open(t.Context(), file)
				if err != nil {
					t.Error(err)
					return
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}
