package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox"
	"pakbox/archive"
)

// committed are the samples as the repository has them.
const committed = "../../../samples"

// byHand lists the samples that were written by hand.
func byHand(name string) bool {
	return name == "README.md" || path.Ext(name) == ".dat" || strings.HasPrefix(name, "hello/")
}

func files(t *testing.T, dir string) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		all[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The samples are what today's code makes of what is written by hand.
func TestCurrent(t *testing.T) {
	want := files(t, committed)
	dir := t.TempDir()
	for name, f := range want {
		if byHand(name) {
			if err := write(dir, name, f.Data); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := remake(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	got := files(t, dir)
	for name, f := range want {
		if g := got[name]; g == nil || !bytes.Equal(g.Data, f.Data) {
			t.Errorf("samples/%s is not what is made today: make samples", name)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("samples/%s is not committed: make samples", name)
	}
}

// Every sample is of a format that pakbox knows, and nothing is wrong with it.
func TestSound(t *testing.T) {
	ctx := context.Background()
	for name := range files(t, committed) {
		if byHand(name) || path.Ext(name) == ".png" || path.Ext(name) == ".epk" {
			continue
		}
		a, err := pakbox.Open(ctx, filepath.Join(committed, filepath.FromSlash(name)), archive.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if report, err := a.Verify(ctx, archive.Options{}); err != nil || !report.OK() || len(report.Findings) > 0 || report.Unchecked > 0 {
			t.Errorf("%s: report = %+v, err = %v; want no error, report.OK() = true, len(report.Findings) at most 0, report.Unchecked at most 0", name, report, err)
		}
		a.Close()
	}
}
