// Package dav serves trees of files to WebDAV clients: Windows Explorer, the Finder, file
// managers of Linux, rclone.
package dav

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"golang.org/x/net/webdav"

	"pakbox/cmd/internal/mount"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
)

// Root is a tree and the name of its folder. If there is only one tree, the name is ""
// and the tree is the whole drive.
type Root struct {
	Name string
	*mount.Tree
}

// Handler answers WebDAV requests.
func Handler(roots []Root) http.Handler {
	f := &files{roots: roots, props: props{of: map[string]map[xml.Name]webdav.Property{}}}
	l := newLocks(f.etag)
	h := &webdav.Handler{FileSystem: f, LockSystem: l}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPut, "COPY", "MOVE":
			if r.Header.Get("Content-Range") != "" {
				http.Error(w, "a part of a file cannot be stored: the request would replace the file by the part", http.StatusBadRequest)
				return
			}
			if r.Method == "COPY" && copiesIntoItself(r) {
				http.Error(w, "a folder cannot be copied into itself", http.StatusForbidden)
				return
			}
			var x *transfer
			r, x = begin(r)
			w = status{w, x}
		case http.MethodGet, http.MethodHead:
			// Browsers must not display or run the content of files.
			w.Header().Set("Content-Type", "application/octet-stream")
		case "PROPFIND", "PROPPATCH", "LOCK":
			body, shared, err := readBody(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			if shared && r.Method == "LOCK" {
				(&webdav.Handler{FileSystem: f, LockSystem: sharing{l}}).ServeHTTP(sharedAnswer{w}, r)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

// copiesIntoItself reports whether the target of a copy lies in its source, which would grow
// while it is copied.
func copiesIntoItself(r *http.Request) bool {
	to, err := url.Parse(r.Header.Get("Destination"))
	if err != nil {
		return false // package webdav rejects it
	}
	from := clean(r.URL.Path)
	return from == "" || strings.HasPrefix(clean(to.Path), from+"/")
}

// files presents the trees as one file system.
type files struct {
	roots []Root
	props props
}

var _ webdav.FileSystem = (*files)(nil)

// find returns the tree and the path in it for a request path. The tree is nil for the
// folder of all trees.
func (f *files) find(name string) (*mount.Tree, string, error) {
	if name = clean(name); name == "" {
		name = "."
	}
	if len(f.roots) == 1 && f.roots[0].Name == "" {
		return f.roots[0].Tree, name, nil
	}
	first, rest, _ := strings.Cut(name, "/")
	if rest == "" {
		rest = "."
	}
	for _, r := range f.roots {
		if r.Name == first {
			return r.Tree, rest, nil
		}
	}
	if name == "." {
		return nil, ".", nil
	}
	return nil, "", os.ErrNotExist
}

// clean removes the slashes around a path.
func clean(name string) string { return strings.Trim(path.Clean("/"+name), "/") }

// change is find for a change: it rejects paths that cannot be changed.
func (f *files) change(name string) (*mount.Tree, string, error) {
	t, inner, err := f.find(name)
	if err != nil {
		return nil, "", err
	}
	if t == nil || inner == "." || !t.Writable() {
		return nil, "", os.ErrPermission
	}
	return t, inner, nil
}

// Mkdir makes a folder.
func (f *files) Mkdir(_ context.Context, name string, _ os.FileMode) error {
	t, inner, err := f.change(name)
	if err != nil {
		return err
	}
	return plain(t.Mkdir(inner))
}

// RemoveAll removes a file, or a folder with everything in it.
func (f *files) RemoveAll(ctx context.Context, name string) error {
	t, inner, err := f.change(name)
	if err != nil {
		return err
	}
	if err := removeAll(ctx, t, inner); err != nil {
		return plain(err)
	}
	f.props.move(clean(name), "")
	return nil
}

func removeAll(ctx context.Context, t *mount.Tree, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	info, err := t.Stat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		list, err := t.ReadDir(name)
		if err != nil {
			return err
		}
		for _, e := range list {
			if err := removeAll(ctx, t, path.Join(name, e.Name())); err != nil {
				return err
			}
		}
	}
	return t.Remove(name)
}

// Rename moves a file or a folder. Between two archives it copies, and removes the
// original when the copy is complete.
func (f *files) Rename(ctx context.Context, from, to string) error {
	a, inner, err := f.change(from)
	if err != nil {
		return err
	}
	b, target, err := f.change(to)
	if err != nil {
		return err
	}
	err = mount.ErrOtherArchive
	if a == b {
		err = a.Rename(inner, target)
	}
	if errors.Is(err, mount.ErrOtherArchive) {
		if err = copyTree(ctx, a, inner, b, target); err == nil {
			err = removeAll(ctx, a, inner)
		}
	}
	if err != nil {
		return plain(err)
	}
	f.props.move(clean(from), clean(to))
	return nil
}

// Stat describes a file or a folder.
func (f *files) Stat(_ context.Context, name string) (os.FileInfo, error) {
	t, inner, err := f.find(name)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return allRoots{}, nil
	}
	i, err := t.Stat(inner)
	return info{i}, plain(err)
}

// OpenFile opens a file or a folder.
func (f *files) OpenFile(ctx context.Context, name string, flags int, _ os.FileMode) (webdav.File, error) {
	if flags&(os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_TRUNC) != 0 {
		t, inner, err := f.change(name)
		if err != nil {
			return nil, err
		}
		if flags == os.O_RDWR { // a client only wants to set properties
			return f.OpenFile(ctx, name, os.O_RDONLY, 0)
		}
		if flags&os.O_TRUNC != 0 {
			w, err := t.Receive(inner)
			if err != nil {
				return nil, plain(err)
			}
			return &receiving{w, about{&f.props, clean(name)}, transferOf(ctx)}, nil
		}
		w, err := t.OpenFile(inner, flags)
		if err != nil {
			return nil, plain(err)
		}
		return &writing{w, about{&f.props, clean(name)}}, nil
	}
	t, inner, err := f.find(name)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return &folder{about: about{&f.props, ""}, info: allRoots{}, list: f.list}, nil
	}
	i, err := t.Stat(inner)
	switch {
	case err != nil:
		return nil, plain(err)
	case i.IsDir():
		return &folder{about: about{&f.props, clean(name)}, info: info{i}, list: func() ([]fs.FileInfo, error) { return list(t, inner) }}, nil
	}
	return &reading{about: about{&f.props, clean(name)}, tree: t, name: inner, info: info{i}, transfer: transferOf(ctx)}, nil
}

// list lists a folder, with sizes.
func list(t *mount.Tree, name string) ([]fs.FileInfo, error) {
	all, err := t.ReadDir(name)
	if err != nil {
		return nil, plain(err)
	}
	infos := make([]fs.FileInfo, 0, len(all))
	for _, i := range all {
		if i.Size() < 0 {
			if i, err = t.Stat(path.Join(name, i.Name())); err != nil {
				continue
			}
		}
		infos = append(infos, info{i})
	}
	return infos, nil
}

// list lists the trees.
func (f *files) list() (infos []fs.FileInfo, err error) {
	for _, r := range f.roots {
		i, err := r.Stat(".")
		if err != nil {
			return nil, err
		}
		infos = append(infos, named{info{i}, r.Name})
	}
	return infos, nil
}

// plain converts an error to one that package webdav knows.
func plain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return os.ErrNotExist
	case errors.Is(err, fs.ErrExist):
		return os.ErrExist
	case errors.Is(err, fs.ErrPermission), errors.Is(err, mount.ErrName), errors.Is(err, fault.NameTooLong), errors.Is(err, mount.ErrOtherArchive), errors.Is(err, mount.ErrUnsaved), errors.Is(err, vfs.ErrNotEmpty):
		return os.ErrPermission
	}
	return err
}

// info describes a file. Its type is not guessed from the content, which would need
// unpacking.
type info struct{ mount.Info }

var (
	_ webdav.ContentTyper = info{}
	_ webdav.ETager       = info{}
)

// ContentType is always that of plain bytes.
func (info) ContentType(context.Context) (string, error) { return "application/octet-stream", nil }

// ETag returns a tag that changes with the content.
func (i info) ETag(context.Context) (string, error) {
	return fmt.Sprintf(`"%x-%x-%x"`, i.ID, i.Size(), i.ModTime().UnixNano()), nil
}

// etag returns the entity tag of a file, or "".
func (f *files) etag(name string) string {
	t, inner, err := f.find(name)
	if err != nil || t == nil {
		return ""
	}
	i, err := t.Stat(inner)
	if err != nil {
		return ""
	}
	tag, _ := info{i}.ETag(context.Background())
	return tag
}

// named is an info under another name.
type named struct {
	info
	name string
}

func (n named) Name() string { return n.name }

// allRoots describes the folder of all trees.
type allRoots struct{}

func (allRoots) Name() string       { return "/" }
func (allRoots) Size() int64        { return 0 }
func (allRoots) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (allRoots) ModTime() time.Time { return time.Time{} }
func (allRoots) IsDir() bool        { return true }
func (allRoots) Sys() any           { return nil }
