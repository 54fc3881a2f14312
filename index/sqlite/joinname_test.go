package sqlite_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/index/sqlite"
)

// A member whose name no column can have must be an error of the file, not of SQL.
func TestJoinNullName(t *testing.T) {
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Join(t.Context(), "join_x", strings.NewReader(`{"uid":"a","\u0000":1}`), "uid"); !errors.Is(err, fault.Corrupt) {
		t.Errorf("Join = %v, want a corrupt file", err)
	}
}
