package explore

import (
	"context"
	"errors"
	"sync"
	"time"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/tree"
	"pakbox/internal/source"
)

// A page asks many small questions about one file: openFiles keeps the few that
// were asked about last, so that each is read once. A file that has changed is
// read again.
type openFiles struct {
	opener  *source.Opener
	salvage func(ctx context.Context, name string) *gbx.File // what can be read of a damaged GBX file

	mu   sync.Mutex
	list []*openFile // the one used last comes last
}

// maxOpen is how many files stay open, maxOpenBytes how large they may be
// together; the largest amounts to a few times that in memory.
const (
	maxOpen      = 6
	maxOpenBytes = 128 << 20
)

// openFile is one file that stays open. A damaged one has no Source, but what can
// still be read of it.
type openFile struct {
	*source.Source
	damage   error
	salvaged *gbx.File

	path string
	size int64
	when time.Time

	users int
	gone  bool // close it when the last user is done

	values    sync.Once
	tree      *tree.Tree
	treeError error
}

// get opens what a path leads to; the caller gives it back with done.
func (o *openFiles) get(ctx context.Context, name string) (f *openFile, done func(), err error) {
	f, done, err = o.look(ctx, name)
	if err == nil && f.damage != nil {
		defer done()
		return nil, nil, f.damage
	}
	return f, done, err
}

// look is get that also gives what can still be read of a damaged GBX file: its
// values and layers.
func (o *openFiles) look(ctx context.Context, name string) (f *openFile, done func(), err error) {
	size, when := o.stamp(name)
	if f := o.kept(name, size, when); f != nil {
		return f, func() { o.release(f) }, nil
	}
	f = &openFile{path: name, size: size, when: when, users: 1}
	f.Source, err = o.opener.WithoutAsking().OpenAny(ctx, name)
	if errors.Is(err, fault.Corrupt) {
		if f.salvaged = o.salvage(ctx, name); f.salvaged != nil {
			f.damage, err = err, nil
		}
	}
	if err != nil {
		return nil, nil, err
	}
	o.keep(f)
	return f, func() { o.release(f) }, nil
}

// stamp tells whether the file that a path goes through is still the same.
func (o *openFiles) stamp(name string) (size int64, when time.Time) {
	if info, err := o.opener.StatOutermost(name); err == nil {
		return info.Size(), info.ModTime()
	}
	return -1, time.Time{}
}

func (o *openFiles) kept(name string, size int64, when time.Time) *openFile {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, f := range o.list {
		if f.path != name {
			continue
		}
		o.list = append(o.list[:i], o.list[i+1:]...)
		if f.size == size && f.when.Equal(when) {
			f.users++
			o.list = append(o.list, f)
			return f
		}
		f.drop()
		return nil
	}
	return nil
}

func (o *openFiles) keep(f *openFile) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(o.list, f)
	var bytes int64
	for _, f := range o.list {
		bytes += max(f.size, 0)
	}
	for len(o.list) > 1 && (len(o.list) > maxOpen || bytes > maxOpenBytes) {
		bytes -= max(o.list[0].size, 0)
		o.list[0].drop()
		o.list = o.list[1:]
	}
}

// drop closes a file once nobody uses it. The lock is held.
func (f *openFile) drop() {
	f.gone = true
	if f.users == 0 {
		f.close()
	}
}

func (f *openFile) close() {
	if f.Source != nil {
		f.Source.Close()
	}
}

func (o *openFiles) release(f *openFile) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f.users--; f.gone && f.users == 0 {
		f.close()
	}
}

// forget lets go of all files, because one has changed.
func (o *openFiles) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, f := range o.list {
		f.drop()
	}
	o.list = nil
}

func (o *openFiles) close() { o.forget() }

// gbx returns the GBX file that this is, nil if it is none.
func (f *openFile) gbx() *gbx.File {
	if f.salvaged != nil {
		return f.salvaged
	}
	if holder, ok := f.Place.Archive.(interface{ File() *gbx.File }); ok && f.Whole {
		return holder.File()
	}
	return nil
}

// valueTree returns the values of a GBX file.
func (f *openFile) valueTree() (*tree.Tree, error) {
	f.values.Do(func() { f.tree, f.treeError = tree.Of(f.gbx()) })
	return f.tree, f.treeError
}
