package index_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pakbox/archive"
	"pakbox/index"
	"pakbox/internal/testkit/corpus"
)

// indexFile makes the rows of a file on disk.
func indexFile(t testing.TB, x *index.Indexer, file string) *index.Rows {
	t.Helper()
	in, closer, err := archive.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	hash, err := index.Hashed(in)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := x.File(context.Background(), index.Source{Input: in, Path: filepath.ToSlash(file), BLAKE3: hash})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func eachFile(t testing.TB, root string, do func(file string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			do(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTry(t *testing.T) {
	all := &index.Rows{}
	x := &index.Indexer{Check: os.Getenv("CHECK") != ""}
	eachFile(t, filepath.Dir(corpus.Dir(t, "gbx")), func(file string) { all.Append(indexFile(t, x, file)) })
	for _, tb := range index.Tables() {
		t.Log(tb.Name, tb.Of(all).Len())
	}
	st := map[string]int{}
	for _, f := range all.Files {
		k := f.Status
		if f.ErrorKind != nil {
			k += " " + *f.ErrorKind
		}
		if f.Format != nil {
			k += " " + *f.Format
		}
		st[k]++
		if f.ErrorKind != nil && *f.ErrorKind == "defect" {
			t.Log(f.Path, *f.ErrorMessage)
		}
	}
	t.Log(st)
}
