package scan

import (
	"context"
	"encoding/binary"
	"io"
	"io/fs"
	"path"
	"slices"
	"sync/atomic"

	"github.com/zeebo/blake3"

	"pakbox/archive"
	"pakbox/index"
	"pakbox/index/store"
	"pakbox/internal/lib/paged"
	"pakbox/internal/lib/wire"
)

// storeWorkers is the number of objects that are read at a time, because most of the time
// is spent waiting.
const storeWorkers = 16

// statOfObject returns the values that show whether an object has changed. Its tag
// changes with its content.
func statOfObject(o store.Object) stat {
	sum := blake3.Sum256([]byte(o.Tag))
	return stat{size: o.Size, mtimeNS: o.Modified.UnixNano(), ctimeNS: int64(binary.LittleEndian.Uint64(sum[:])), tag: o.Tag}
}

// objects iterates over the objects at or below a path, in the order of a walk.
func (w *walker) objects(ctx context.Context, from *store.Store, root string) {
	list, err := from.List(ctx, root)
	if err != nil {
		w.failed(root, err)
		return
	}
	slices.SortFunc(list, func(a, b store.Object) int { return order(a.Path, b.Path) })
	for _, o := range list {
		if (w.skip == nil || !w.skip(o.Path)) && !w.file(o.Path, statOfObject(o)) {
			return
		}
	}
}

// object reads an object, and makes rows from its content. It returns an error if the
// object has changed since it was listed, or if the store was lost.
func (r *reader) object(ctx context.Context, j *job) (*outcome, error) {
	from := &source{ctx: ctx, Store: r.store}
	beside := &objectSiblings{from: from, dir: path.Dir(j.path[len(store.Scheme):])}
	in := archive.Input{Size: j.stat.size, Name: path.Base(j.path), Sibling: beside.open}
	var o *outcome
	hash, err := from.load(j, &in)
	if err == nil {
		o, err = r.content(ctx, j, in, hash)
	}
	if lost := from.lost.Load(); lost != nil { // the rows would say that the object is damaged
		return nil, *lost
	}
	if store.Changed(err) {
		return nil, index.ChangedError()
	}
	if err == nil && beside.asked {
		o.siblings = "objects"
	}
	return o, err
}

// source is a store for the time in which the rows of one object are made.
type source struct {
	*store.Store
	ctx  context.Context
	lost atomic.Pointer[error] // the store was lost meanwhile
}

// note notes whether the store was lost.
func (s *source) note(err error) error {
	if store.Lost(err) {
		s.lost.Store(&err)
	}
	return err
}

// load reads an object into memory and hashes it. A large object is not kept in memory:
// it is read in ranges on demand.
func (s *source) load(j *job, in *archive.Input) (index.Hash, error) {
	content, err := s.open(j.path, j.stat.tag, j.stat.size)
	if err != nil {
		return index.Hash{}, err
	}
	if in.ReaderAt = content; wire.Whole(content, j.stat.size) != nil {
		return index.HashContent(*in)
	}
	h := blake3.New()
	_, err = io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{io.NewSectionReader(content, 0, j.stat.size)}, make([]byte, 8<<20))
	return index.Hash(h.Sum(nil)), err
}

// open returns the content of an object: in memory, or, if it is large, read in ranges on
// demand.
func (s *source) open(name, tag string, size int64) (io.ReaderAt, error) {
	if size > inMemory {
		return paged.New(&ranges{s, name, tag}, size), nil
	}
	data, err := s.ReadAll(s.ctx, name, tag, size+1)
	if err == nil && int64(len(data)) != size {
		err = index.ChangedError()
	}
	return wire.Content(data), s.note(err)
}

// ranges reads an object in ranges.
type ranges struct {
	from      *source
	name, tag string
}

func (r *ranges) ReadAt(p []byte, at int64) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	data, err := r.from.Range(r.from.ctx, r.name, r.tag, at, int64(len(p)))
	r.from.note(err)
	if err == nil && len(data) < len(p) {
		err = io.EOF
	}
	return copy(p, data), err
}

// objectSiblings opens objects in the folder of the current one.
type objectSiblings struct {
	from  *source
	dir   string
	asked bool
}

func (b *objectSiblings) open(name string) (archive.Input, io.Closer, error) {
	b.asked = true
	at := store.Scheme + b.dir + "/" + name
	list, err := b.from.List(b.from.ctx, at)
	b.from.note(err)
	if err != nil || list[0].Path != at {
		return archive.Input{}, nil, &fs.PathError{Op: "open", Path: at, Err: fs.ErrNotExist}
	}
	content, err := b.from.open(at, list[0].Tag, list[0].Size)
	return archive.Input{ReaderAt: content, Size: list[0].Size, Name: name}, io.NopCloser(nil), err
}
