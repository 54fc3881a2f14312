package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
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

// file is a file of the listing, on its way to a worker.
type file struct {
	Path    string
	Size    int64 // -1 if the listing does not tell
	MtimeNS int64
	Tag     string // of an object of s3://
}

// storage is where files are.
type storage interface {
	// list calls emit for every file below a folder, and failed for what cannot be
	// looked at.
	list(ctx context.Context, root string, emit func(file), failed func(path string, err error)) error
	// rows makes the rows of a file; nil for one that is gone.
	rows(ctx context.Context, x *index.Indexer, f file) (*index.Rows, error)
	// folder is a folder to write tables into.
	folder(dir string) parquet.Folder
}

// storageOf is the storage that a path leads to.
func storageOf(path string) storage {
	switch {
	case store.Is(path):
		return bucket{}
	case strings.Contains(path, "://"):
		return objects{}
	}
	return disk{}
}

// disk is a file system that all workers see at the same place.
type disk struct{}

func (disk) list(_ context.Context, root string, emit func(file), failed func(string, error)) error {
	if _, err := os.Stat(root); err != nil {
		return err
	}
	scan.List(root, func(path string, size int64) { emit(file{Path: path, Size: size}) }, failed)
	return nil
}

func (disk) rows(ctx context.Context, x *index.Indexer, f file) (*index.Rows, error) {
	return scan.File(ctx, x, f.Path)
}

func (disk) folder(dir string) parquet.Folder { return parquet.Disk(dir) }

// bucket is a store that speaks S3. A worker has one client.
type bucket struct{}

var client = sync.OnceValues(func() (*store.Store, error) { return store.Open(os.Getenv) })

func (bucket) list(ctx context.Context, root string, emit func(file), _ func(string, error)) error {
	s, err := client()
	if err != nil {
		return err
	}
	found, err := s.List(ctx, root)
	for _, o := range found {
		emit(file{o.Path, o.Size, o.Modified.UnixNano(), o.Tag})
	}
	return err
}

func (bucket) rows(ctx context.Context, x *index.Indexer, f file) (*index.Rows, error) {
	s, err := client()
	if err != nil {
		return nil, err
	}
	return scan.Object(ctx, x, s, f.Path, f.Size, f.MtimeNS, f.Tag)
}

func (bucket) folder(dir string) parquet.Folder {
	return bucketFolder(strings.TrimRight(dir, "/") + "/")
}

// bucketFolder is a folder of a store that speaks S3.
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
	return s.Read(ctx, string(d)+name, "", 0, -1)
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

// objects is another store of whole objects, such as gs://, through Beam.
type objects struct{}

func (objects) list(ctx context.Context, root string, emit func(file), _ func(string, error)) error {
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
		emit(file{Path: name, Size: -1})
	}
	return nil
}

func (objects) rows(ctx context.Context, x *index.Indexer, f file) (*index.Rows, error) {
	name := f.Path
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

func (objects) folder(dir string) parquet.Folder {
	return objectFolder(strings.TrimRight(dir, "/") + "/")
}

// objectFolder is a folder of a store of objects.
type objectFolder string

// Put puts a file in one piece: it is there when it is closed.
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
	if !slices.Contains(names, name) { // stores say that each in their own words
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
