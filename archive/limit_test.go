package archive_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/archivetest"
	"pakbox/archive/ziparchive"
	"pakbox/fault"
)

// zipAt makes a zip of one file.
func zipAt(t *testing.T, path, level, name string, content []byte) {
	t.Helper()
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	opts := archive.CreateOptions{Params: map[string]string{"level": level}}
	if err := (ziparchive.Format{}).Create(t.Context(), stage, []archive.Item{archivetest.Item(name, content)}, opts); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
}

// An archive in an archive goes through memory up to the limit, and not a byte
// beyond it.
func TestNestedLimit(t *testing.T) {
	dir := t.TempDir()
	zipAt(t, filepath.Join(dir, "inner.zip"), "0", "x.txt", make([]byte, 5000))
	inner, err := os.ReadFile(filepath.Join(dir, "inner.zip"))
	if err != nil {
		t.Fatal(err)
	}
	outer := filepath.Join(dir, "outer.zip")
	zipAt(t, outer, "9", "inner.zip", inner)
	for limit, ok := range map[int64]bool{int64(len(inner)): true, int64(len(inner)) - 1: false} {
		p, err := registry.Enter(context.Background(), outer+"/inner.zip", archive.Options{MaxEntrySize: limit})
		if ok && err != nil || !ok && !errors.Is(err, fault.Limit) {
			t.Errorf("limit %d of %d: %v", limit, len(inner), err)
		}
		if err == nil {
			p.Close()
		}
	}
}

// Errors name the path by which a file was asked for, also inside an archive.
func TestErrorsNameThePath(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.zip")
	if err := os.WriteFile(bad, []byte("PK\x03\x04, and no more"), 0o666); err != nil {
		t.Fatal(err)
	}
	outer := filepath.Join(dir, "outer.zip")
	zipAt(t, outer, "0", "sub/bad.zip", []byte("PK\x03\x04, and no more"))
	for _, path := range []string{bad, outer + "/sub/bad.zip"} {
		_, err := registry.Enter(context.Background(), path, archive.Options{})
		var e *fault.Error
		if !errors.As(err, &e) || e.Path != path {
			t.Errorf("%s: err = %+v; want err of the type of e, e.Path = %v", path, err, path)
		}
	}
	if _, err := registry.Enter(context.Background(), outer+"/sub/none", archive.Options{}); err == nil || !strings.Contains(err.Error(), outer+"/sub/none") {
		t.Errorf(`err = %v; want an error, err with outer + "/sub/none"`, err)
	}
}
