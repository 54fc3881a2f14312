package mount

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pakbox/internal/lib/vfs"
)

// Receiving is the new content of a file that arrives. The tree shows the old file until
// [Receiving.Done].
type Receiving struct {
	*os.File
	tree *Tree
	name string
}

// Receive prepares to replace a file, or to make one.
func (t *Tree) Receive(name string) (*Receiving, error) {
	end, err := t.changeable(name)
	if err != nil {
		return nil, err
	}
	defer end()
	if err := t.canReceive(name); err != nil {
		return nil, err
	}
	f, err := t.kept.newContent()
	if err != nil {
		return nil, err
	}
	return &Receiving{f, t, name}, nil
}

// canReceive returns an error if no file can be at a path.
func (t *Tree) canReceive(name string) error {
	at, err := t.place(name)
	if err != nil {
		return err
	}
	defer at.release()
	info, err := at.vol.stat(at.name)
	switch {
	case err != nil:
		return at.canHold()
	case info.IsDir():
		return &fs.PathError{Op: "open", Path: name, Err: vfs.ErrIsDir}
	}
	return nil
}

// Done makes the received bytes the content of the file.
func (r *Receiving) Done() error {
	content := filepath.Base(r.Name())
	if err := r.File.Close(); err != nil {
		return errors.Join(err, r.drop(content))
	}
	end, err := r.tree.changeable(r.name)
	if err != nil {
		return errors.Join(err, r.drop(content))
	}
	defer end()
	at, err := r.tree.place(r.name)
	if err != nil {
		return errors.Join(err, r.drop(content))
	}
	defer at.release()
	err = at.vol.draft.Put(r.tree.kept.item(at.name, content))
	if err == nil {
		err = r.tree.kept.add(change{Do: "put", Name: r.name, Content: content})
	}
	if err != nil {
		return errors.Join(err, r.drop(content))
	}
	r.tree.kept.end(content)
	return nil
}

// Drop discards the received bytes.
func (r *Receiving) Drop() error {
	return errors.Join(r.File.Close(), r.drop(filepath.Base(r.Name())))
}

func (r *Receiving) drop(content string) error {
	err := r.tree.kept.root.Remove(content)
	r.tree.kept.end(content)
	return err
}

// Put replaces the content of a file with what src has, or makes the file. If src or the
// disk fails, the file stays as it was.
func (t *Tree) Put(name string, src io.Reader) error {
	r, err := t.Receive(name)
	if err != nil {
		return err
	}
	if _, err := io.Copy(r, src); err != nil {
		return errors.Join(err, r.Drop())
	}
	return r.Done()
}
