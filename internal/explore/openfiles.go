package explore

import (
	"context"
	"errors"
	"sync"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/tree"
	"pakbox/internal/source"
)

// openFiles keeps the archives and GBX files that were asked about last.
type openFiles struct {
	shelf[*openFile]
	opener  *source.Opener
	salvage func(ctx context.Context, name string) *gbx.File // what can be read of a damaged GBX file
}

// maxOpen is how many files stay open, maxOpenBytes how many bytes of them may be
// in memory: those of the files themselves, and of unpacked bodies twice, because
// their values take as much again.
const (
	maxOpen      = 6
	maxOpenBytes = 64 << 20
)

func newOpenFiles(o *source.Opener, salvage func(context.Context, string) *gbx.File) *openFiles {
	return &openFiles{shelf: shelf[*openFile]{stamp: stampOf(o), close: (*openFile).close, most: maxOpen, bytes: maxOpenBytes}, opener: o, salvage: salvage}
}

// openFile is one file that stays open. A damaged one has no Source, but what can
// still be read of it.
type openFile struct {
	*source.Source
	damage   error
	salvaged *gbx.File

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
	return o.shelf.get(name, func() (f *openFile, weight int64, err error) {
		f = new(openFile)
		f.Source, err = o.opener.WithoutAsking().OpenAny(ctx, name)
		if errors.Is(err, fault.Corrupt) {
			if f.salvaged = o.salvage(ctx, name); f.salvaged != nil {
				f.damage, err = err, nil
			}
		}
		if err != nil {
			return nil, 0, err
		}
		if file := f.gbx(); file != nil {
			weight = 2 * int64(len(file.BodyBytes()))
		}
		return f, weight, nil
	})
}

func (f *openFile) close() {
	if f.Source != nil {
		f.Source.Close()
	}
}

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
