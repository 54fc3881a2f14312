package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/zeebo/blake3"

	"pakbox/archive"
	"pakbox/index"
	"pakbox/index/parquet"
	"pakbox/index/scan"
	"pakbox/index/store"
)

// storage is a place that holds files: a file system, or a store such as S3.
type storage interface {
	// list calls emit for every file below a folder, and failed for every path that
	// cannot be read.
	list(ctx context.Context, root string, emit func(scan.ListEntry), failed func(path string, err error)) error
	// rows makes the rows of a file. It also returns the file as it was read, as
	// [scan.ListEntry.Rows] does.
	rows(ctx context.Context, x *index.Indexer, f scan.ListEntry) (*index.Rows, *scan.ListEntry, error)
	// folder is a folder to write tables into.
	folder(dir string) parquet.Folder
}

// storageOf returns the storage for a path.
func storageOf(path string) storage {
	if strings.Contains(path, "://") && !store.Is(path) {
		return objects{}
	}
	return scanned{}
}

// scanned is storage that pakbox index can read too: a file system that all workers see
// at the same path, or a store with the S3 protocol. Files are listed and read by the
// functions of index, so that rows and errors are the same.
type scanned struct{}

// client is the S3 client of this worker process.
var client = sync.OnceValues(func() (*store.Store, error) { return store.Open(os.Getenv) })

// clientFor returns the S3 client if a path needs it, otherwise nil.
func clientFor(path string) (*store.Store, error) {
	if !store.Is(path) {
		return nil, nil
	}
	return client()
}

func (scanned) list(ctx context.Context, root string, emit func(scan.ListEntry), failed func(string, error)) error {
	s, err := clientFor(root)
	if err != nil {
		return err
	}
	scan.List(ctx, s, root, emit, failed)
	return ctx.Err()
}

func (scanned) rows(ctx context.Context, x *index.Indexer, f scan.ListEntry) (*index.Rows, *scan.ListEntry, error) {
	s, err := clientFor(f.Path)
	if err != nil {
		return nil, nil, err
	}
	return f.Rows(ctx, x, s)
}

func (scanned) folder(dir string) parquet.Folder {
	if !store.Is(dir) {
		return parquet.Disk(dir)
	}
	return bucketFolder(strings.TrimRight(dir, "/") + "/")
}

// bucketFolder is a folder of a store with the S3 protocol.
type bucketFolder string

func (d bucketFolder) Put(ctx context.Context, name string, write func(io.Writer) error) error {
	s, err := client()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return s.Put(ctx, string(d)+name, b.Bytes())
}

func (d bucketFolder) Get(ctx context.Context, name string) ([]byte, error) {
	s, err := client()
	if err != nil {
		return nil, err
	}
	return s.ReadAll(ctx, string(d)+name, "", math.MaxInt64)
}

func (d bucketFolder) Names(ctx context.Context) ([]string, error) {
	s, err := client()
	if err != nil {
		return nil, err
	}
	return s.Names(ctx, string(d))
}

func (d bucketFolder) Remove(ctx context.Context, name string) error {
	s, err := client()
	if err != nil {
		return err
	}
	return s.Remove(ctx, string(d)+name)
}

// objects is storage that Beam reaches, such as gs://.
type objects struct{}

func (objects) list(ctx context.Context, root string, emit func(scan.ListEntry), _ func(string, error)) error {
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
		emit(scan.ListEntry{Path: name, Size: -1})
	}
	return nil
}

func (objects) rows(ctx context.Context, x *index.Indexer, f scan.ListEntry) (*index.Rows, *scan.ListEntry, error) {
	name := f.Path
	store, err := filesystem.New(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	defer store.Close()
	data, err := read(ctx, store, name)
	if err != nil {
		return index.FailureRow(name, index.StatusUnreadable, 0, nil, err), nil, ctx.Err()
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
	rows, err := x.File(ctx, source)
	return rows, nil, err
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

func (objects) folder(dir string) parquet.Folder {
	return objectFolder(strings.TrimRight(dir, "/") + "/")
}

// objectFolder is a folder in storage that Beam reaches.
type objectFolder string

// Put writes a file in one piece: it appears when it is complete.
func (d objectFolder) Put(ctx context.Context, name string, write func(io.Writer) error) error {
	store, err := filesystem.New(ctx, string(d))
	if err != nil {
		return err
	}
	defer store.Close()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	w, err := store.OpenWrite(ctx, string(d)+name)
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return errors.Join(err, w.Close())
}

func (d objectFolder) Get(ctx context.Context, name string) ([]byte, error) {
	names, err := d.Names(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(names, name) { // each store has its own error for a missing file
		return nil, &fs.PathError{Op: "get", Path: string(d) + name, Err: fs.ErrNotExist}
	}
	store, err := filesystem.New(ctx, string(d))
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return read(ctx, store, string(d)+name)
}

func (d objectFolder) Names(ctx context.Context) (names []string, err error) {
	store, err := filesystem.New(ctx, string(d))
	if err != nil {
		return nil, err
	}
	defer store.Close()
	found, err := store.List(ctx, string(d)+"*")
	for _, name := range found {
		names = append(names, path.Base(name))
	}
	return names, err
}

func (d objectFolder) Remove(ctx context.Context, name string) error {
	names, err := d.Names(ctx)
	if err != nil || !slices.Contains(names, name) {
		return err
	}
	store, err := filesystem.New(ctx, string(d))
	if err != nil {
		return err
	}
	defer store.Close()
	if r, ok := store.(filesystem.Remover); ok {
		return r.Remove(ctx, string(d)+name)
	}
	return nil
}
