package main

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/zeebo/blake3"

	"pakbox/archive"
	"pakbox/index"
	"pakbox/index/parquet"
	"pakbox/index/scan"
)

// storage is where files are.
type storage interface {
	// list calls emit for every file below a folder.
	list(ctx context.Context, root string, emit func(string)) error
	// rows makes the rows of a file; nil for one that is gone.
	rows(ctx context.Context, x *index.Indexer, path string) (*index.Rows, error)
	// write writes the tables of a shard.
	write(ctx context.Context, dir string, shard, shards int, rows func(*index.Table) iter.Seq2[[]any, error]) error
}

// storageOf is the storage that a path leads to.
func storageOf(path string) storage {
	if strings.Contains(path, "://") {
		return objects{}
	}
	return disk{}
}

// disk is a file system that all workers see at the same place.
type disk struct{}

func (disk) list(_ context.Context, root string, emit func(string)) error {
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil && name == root {
			return err
		}
		if err == nil && d.Type().IsRegular() {
			emit(path.Clean(filepath.ToSlash(name)))
		}
		return nil // a folder that cannot be listed does not stop the others
	})
}

func (disk) rows(ctx context.Context, x *index.Indexer, path string) (*index.Rows, error) {
	return scan.File(ctx, x, path)
}

func (disk) write(_ context.Context, dir string, shard, shards int, rows func(*index.Table) iter.Seq2[[]any, error]) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return parquet.Export(dir, shard, shards, rows)
}

// objects is a store of whole objects, such as gs://, through Beam.
type objects struct{}

func (objects) list(ctx context.Context, root string, emit func(string)) error {
	store, err := filesystem.New(ctx, root)
	if err != nil {
		return err
	}
	defer store.Close()
	found, err := store.List(ctx, strings.TrimSuffix(root, "/")+"/**")
	if err != nil {
		return err
	}
	slices.Sort(found)
	for _, name := range found {
		emit(name)
	}
	return nil
}

func (objects) rows(ctx context.Context, x *index.Indexer, name string) (*index.Rows, error) {
	store, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	data, err := read(ctx, store, name)
	if err != nil {
		return index.Failed(name, index.StatusUnreadable, 0, nil, err), ctx.Err()
	}
	source := index.Source{Input: input(data, name), Path: name, BLAKE3: blake3.Sum256(data)}
	source.Sibling = func(other string) (archive.Input, io.Closer, error) {
		at := name[:strings.LastIndexByte(name, '/')+1] + other
		data, err := read(ctx, store, at)
		if err != nil {
			return archive.Input{}, nil, err
		}
		return input(data, at), io.NopCloser(nil), nil
	}
	if m, ok := store.(filesystem.LastModifiedGetter); ok {
		if t, err := m.LastModified(ctx, name); err == nil && !t.IsZero() {
			ns := t.UnixNano()
			source.MtimeNS = &ns
		}
	}
	return x.File(ctx, source)
}

func read(ctx context.Context, store filesystem.Interface, name string) ([]byte, error) {
	r, err := store.OpenRead(ctx, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

func input(data []byte, name string) archive.Input {
	return archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: path.Base(name)}
}

// write puts each file in one piece: it is there when it is closed.
func (objects) write(ctx context.Context, dir string, shard, shards int, rows func(*index.Table) iter.Seq2[[]any, error]) error {
	store, err := filesystem.New(ctx, dir)
	if err != nil {
		return err
	}
	defer store.Close()
	for _, t := range index.Tables() {
		var b bytes.Buffer
		if err := parquet.WriteTable(&b, t, rows(t)); err != nil {
			return err
		}
		w, err := store.OpenWrite(ctx, strings.TrimSuffix(dir, "/")+"/"+parquet.FileName(t.Name, shard, shards))
		if err != nil {
			return err
		}
		if _, err := w.Write(b.Bytes()); err != nil {
			w.Close()
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}
