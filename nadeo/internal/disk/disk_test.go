package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/leak"
	"pakbox/nadeo/internal/chunks"
)

type thing struct{ file *gbx.File }

func whole(f *gbx.File) (*thing, error) { return &thing{f}, nil }

func TestSaveAndOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.Gbx")
	if err := os.WriteFile(path, []byte("an older file"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := gbx.New(chunks.Node(&game.Chunk0307900D{TracksListVersion: 10, Name: "clip"}), engine.Registry())
	if err := Save(f, path); err != nil {
		t.Fatal(err)
	}
	before := leak.OpenFiles()
	got, err := Open(t.Context(), path, whole)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := gbx.Find[*game.Chunk0307900D](got.file.Body); !ok || c.Name != "clip" {
		t.Errorf(`c = %+v; want ok = true, c.Name = "clip"`, c)
	}
	if after := leak.OpenFiles(); after != before {
		t.Errorf("%d files are open, %d were before", after, before)
	}
	if list, err := os.ReadDir(filepath.Dir(path)); err != nil || len(list) != 1 {
		t.Errorf("%v beside the file, %v", list, err)
	}
}

func TestErrorsHaveThePath(t *testing.T) {
	dir := t.TempDir()
	cut, missing := filepath.Join(dir, "cut.Gbx"), filepath.Join(dir, "missing", "x.Gbx")
	if err := os.WriteFile(cut, []byte("GBX\x06\x00BU"), 0o666); err != nil {
		t.Fatal(err)
	}
	good := gbx.New(chunks.Node(&game.Chunk0307900D{TracksListVersion: 10}), engine.Registry())
	broken := gbx.New(&gbx.Node{Class: 0x03079000, Chunks: []gbx.Chunk{{ID: 0x0307900D}}}, engine.Registry())
	fine := filepath.Join(dir, "fine.Gbx")
	if err := Save(good, fine); err != nil {
		t.Fatal(err)
	}
	of := errors.New("is not a map")
	_, openMissing := Open(t.Context(), missing, whole)
	_, openCut := Open(t.Context(), cut, whole)
	_, openOther := Open(t.Context(), fine, func(*gbx.File) (*thing, error) { return nil, fault.Wrap(fault.Unsupported, of, "another kind") })
	for _, c := range []struct {
		what string
		err  error
		path string
		is   error
	}{
		{"open, missing", openMissing, missing, fs.ErrNotExist},
		{"open, cut", openCut, cut, nil},
		{"open, of another kind", openOther, fine, of},
		{"save, no folder", Save(good, missing), filepath.Join(dir, "missing"), fs.ErrNotExist},
		{"save, a folder is there", Save(good, dir), dir, nil},
		{"save, not writable", Save(broken, cut), cut, nil},
	} {
		switch {
		case c.err == nil:
			t.Errorf("%s: no error", c.what)
		case !strings.Contains(c.err.Error(), c.path) || !errors.As(c.err, new(*fault.Error)):
			t.Errorf("%s: c.err = %v (c.err = %T); want c.err with %q, c.err of the type of new(*fault.Error)", c.what, c.err, c.err, c.path)
		case c.is != nil && !errors.Is(c.err, c.is):
			t.Errorf("%s: %v is not %v", c.what, c.err, c.is)
		}
	}
	if data, err := os.ReadFile(cut); err != nil || len(data) != 7 {
		t.Errorf("a file that was not to be replaced has %d bytes, %v", len(data), err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 2 {
		t.Errorf("%v are left, %v", list, err)
	}
}
