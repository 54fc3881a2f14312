package scan

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"time"

	"pakbox/index"
	"pakbox/index/store"
)

// ListEntry is a file in a listing, for programs with their own workers. It can be sent to
// them: it has everything that a scan knows about a file before it reads it.
type ListEntry struct {
	Path                         string
	Size, MtimeNS, CtimeNS, Disk int64
	Tag                          string // tag of an object
}

func (l *ListEntry) stat() stat { return stat{l.Size, l.MtimeNS, l.CtimeNS, l.Disk, l.Tag} }

func listed(path string, st stat) ListEntry {
	return ListEntry{path, st.size, st.mtimeNS, st.ctimeNS, st.device, st.tag}
}

// List calls file for each file that a scan of a root reads. failed is called for folders
// that cannot be listed, and for files that cannot be examined. from is used if the root
// names objects.
func List(ctx context.Context, from *store.Store, root string, file func(ListEntry), failed func(path string, err error)) {
	w := walker{file: func(path string, st stat) bool { file(listed(path, st)); return ctx.Err() == nil }, failed: failed}
	if store.Is(root) {
		w.objects(ctx, from, root)
	} else {
		w.walk(path.Clean(filepath.ToSlash(root)))
	}
}

// File makes the rows of a file on disk as a scan does.
func File(ctx context.Context, x *index.Indexer, path string) (*index.Rows, error) {
	l := ListEntry{Path: path}
	if info, err := os.Stat(filepath.FromSlash(path)); err == nil {
		l = listed(path, statOf(info))
	}
	rows, _, err := l.Rows(ctx, x, nil)
	return rows, err
}

// Rows makes the rows of a file as a scan does; nil for a file that is gone. seen
// describes the file that was read. It is nil if the file must be read again next time:
// it could not be read, a key was missing, or it needs another file. The error is for
// cancelled work.
func (l *ListEntry) Rows(ctx context.Context, x *index.Indexer, from *store.Store) (rows *index.Rows, seen *ListEntry, err error) {
	r := reader{x, from, func(*job, index.Hash) (*index.Rows, error) { return nil, nil }}
	started := time.Now()
	o, err := r.file(ctx, job{path: l.Path, stat: l.stat()})
	if err != nil || o.gone {
		return nil, nil, err
	}
	settled := store.Is(l.Path) || started.UnixNano()-o.job.stat.mtimeNS > int64(timeGrain)
	if settled && o.err == nil && o.siblings == "" && !o.rows.Has(index.StatusLocked) {
		is := listed(l.Path, o.job.stat)
		seen = &is
	}
	return o.rows, seen, nil
}
