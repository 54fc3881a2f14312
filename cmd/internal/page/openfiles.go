package page

import (
	"context"
	"errors"
	"sync"

	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/tree"
	"pakbox/nadeo/gbxarchive"
)

// openFiles keeps the archives and GBX files open that were used last.
type openFiles struct {
	shelf[*openFile]
	opener *source.Opener
}

// maxOpen limits the number of open files, maxOpenBytes their bytes in memory. An
// unpacked body counts twice, because its values take as much again.
const (
	maxOpen      = 6
	maxOpenBytes = 64 << 20
)

func newOpenFiles(o *source.Opener) *openFiles {
	return &openFiles{shelf: shelf[*openFile]{stamp: stampOf(o), close: (*openFile).close, most: maxOpen, bytes: maxOpenBytes}, opener: o}
}

// openFile is a file that stays open. If damage is set, only the readable part is there.
type openFile struct {
	*source.Source
	damage error

	values    sync.Once
	tree      *tree.Tree
	treeError error
}

// get opens the file at a path. The caller must call done.
func (o *openFiles) get(ctx context.Context, name string) (f *openFile, done func(), err error) {
	f, done, err = o.look(ctx, name)
	if err == nil && f.damage != nil {
		defer done()
		return nil, nil, f.damage
	}
	return f, done, err
}

// look opens a file as get does, and also a damaged one, whose readable part can then be
// shown.
func (o *openFiles) look(ctx context.Context, name string) (f *openFile, done func(), err error) {
	return o.shelf.get(name, func() (f *openFile, weight int64, err error) {
		f = new(openFile)
		opener := o.opener.WithoutAsking()
		f.Source, err = opener.OpenAny(ctx, name)
		if errors.Is(err, fault.Corrupt) {
			if left, nothing := opener.Salvage(ctx, name); nothing == nil {
				f.Source, f.damage, err = left, err, nil
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

func (f *openFile) close() { f.Source.Close() }

// gbx returns the GBX file, nil if the file is not one.
func (f *openFile) gbx() *gbx.File {
	if holder, ok := f.Place.Archive.(*gbxarchive.Archive); ok && f.Whole {
		return holder.File()
	}
	return nil
}

// valueTree returns the values of a GBX file.
func (f *openFile) valueTree() (*tree.Tree, error) {
	f.values.Do(func() { f.tree, f.treeError = tree.Of(f.gbx()) })
	return f.tree, f.treeError
}
