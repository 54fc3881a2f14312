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

// Listed is a file of a listing, for those who bring their own workers. It can
// travel to them: its fields are all that a scan knows of a file before it reads it.
type Listed struct {
	Path                         string
	Size, MtimeNS, CtimeNS, Disk int64
	Tag                          string // of an object
}

func (l *Listed) stat() stat { return stat{l.Size, l.MtimeNS, l.CtimeNS, l.Disk, l.Tag} }

func listed(path string, st stat) Listed {
	return Listed{path, st.size, st.mtimeNS, st.ctimeNS, st.device, st.tag}
}

// List goes over the files that a scan of a root looks at. Failed hears of folders
// that cannot be listed, and of files that cannot be looked at. From has the files of
// a root that names objects.
func List(ctx context.Context, from *store.Store, root string, file func(Listed), failed func(path string, err error)) {
	w := walker{file: func(path string, st stat) bool { file(listed(path, st)); return ctx.Err() == nil }, failed: failed}
	if store.Is(root) {
		w.objects(ctx, from, root)
	} else {
		w.walk(path.Clean(filepath.ToSlash(root)))
	}
}

// File makes the rows of a file of the disk as a scan does.
func File(ctx context.Context, x *index.Indexer, path string) (*index.Rows, error) {
	l := Listed{Path: path}
	if info, err := os.Stat(filepath.FromSlash(path)); err == nil {
		l = listed(path, statOf(info))
	}
	rows, _, err := l.Rows(ctx, x, nil)
	return rows, err
}

// Rows makes the rows of a file as a scan does, nil for a file that is gone. They are
// the rows of the file that seen describes. A file of which nothing is seen must be
// read again: it could not be read, a key was missing, or it needs another file. The
// error is for work that was called off.
func (l *Listed) Rows(ctx context.Context, x *index.Indexer, from *store.Store) (rows *index.Rows, seen *Listed, err error) {
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
