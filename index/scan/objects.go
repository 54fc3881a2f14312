package scan

import (
	"context"
	"encoding/binary"
	"io"
	"io/fs"
	"path"
	"slices"

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
// object has changed since it was listed.
func (r *reader) object(ctx context.Context, j *job) (*outcome, error) {
	beside := &objectSiblings{ctx: ctx, store: r.store, dir: path.Dir(j.path[len(store.Scheme):])}
	in := archive.Input{Size: j.stat.size, Name: path.Base(j.path), Sibling: beside.open}
	hash, err := r.load(ctx, j, &in)
	if store.Changed(err) {
		return nil, index.Changed()
	}
	if err != nil {
		return nil, err
	}
	o, err := r.content(ctx, j, in, hash)
	if err == nil && beside.asked {
		o.siblings = "objects"
	}
	return o, err
}

// load reads an object into memory and hashes it. A large object is not kept in memory:
// it is read in ranges on demand.
func (r *reader) load(ctx context.Context, j *job, in *archive.Input) (index.Hash, error) {
	content, err := open(ctx, r.store, j.path, j.stat.tag, j.stat.size)
	if err != nil {
		return index.Hash{}, err
	}
	if in.ReaderAt = content; wire.Whole(content, j.stat.size) != nil {
		return index.Hashed(*in)
	}
	h := blake3.New()
	_, err = io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{io.NewSectionReader(content, 0, j.stat.size)}, make([]byte, 8<<20))
	return index.Hash(h.Sum(nil)), err
}

// open returns the content of an object: in memory, or, if it is large, read in ranges on
// demand.
func open(ctx context.Context, from *store.Store, name, tag string, size int64) (io.ReaderAt, error) {
	if size > inMemory {
		return paged.New(&ranges{ctx, from, name, tag}, size), nil
	}
	data, err := from.Whole(ctx, name, tag, size+1)
	if err == nil && int64(len(data)) != size {
		err = index.Changed()
	}
	return wire.Content(data), err
}

// ranges reads an object in ranges.
type ranges struct {
	ctx       context.Context
	from      *store.Store
	name, tag string
}

func (r *ranges) ReadAt(p []byte, at int64) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	data, err := r.from.Range(r.ctx, r.name, r.tag, at, int64(len(p)))
	if err == nil && len(data) < len(p) {
		err = io.EOF
	}
	return copy(p, data), err
}

// objectSiblings opens objects in the folder of the current one.
type objectSiblings struct {
	ctx   context.Context
	store *store.Store
	dir   string
	asked bool
}

func (b *objectSiblings) open(name string) (archive.Input, io.Closer, error) {
	b.asked = true
	at := store.Scheme + b.dir + "/" + name
	list, err := b.store.List(b.ctx, at)
	if err != nil || list[0].Path != at {
		return archive.Input{}, nil, &fs.PathError{Op: "open", Path: at, Err: fs.ErrNotExist}
	}
	content, err := open(b.ctx, b.store, at, list[0].Tag, list[0].Size)
	return archive.Input{ReaderAt: content, Size: list[0].Size, Name: name}, io.NopCloser(nil), err
}
