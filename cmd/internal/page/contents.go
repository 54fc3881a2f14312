package page

import (
	"bytes"
	"context"
	"io"
	"time"

	"pakbox/archive"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/spool"
)

// content is the content of a file of any format. If it is packed, only the part that is
// read is unpacked.
type content struct {
	size int64
	at   func(ctx context.Context) io.ReaderAt // the reader stops when ctx ends
	done func()
}

// reader reads the content until ctx ends.
func (k *content) reader(ctx context.Context) *io.SectionReader {
	return io.NewSectionReader(k.at(ctx), 0, k.size)
}

// head returns the first n bytes of the content.
func (k *content) head(ctx context.Context, n int64) ([]byte, error) {
	data := make([]byte, min(k.size, n))
	n2, err := k.at(ctx).ReadAt(data, 0)
	if err == io.EOF {
		err = nil
	}
	return data[:n2], err
}

// all returns the whole content, if it has at most limit bytes.
func (k *content) all(ctx context.Context, limit int64) ([]byte, error) {
	if k.size > limit {
		return nil, fault.New(fault.Limit, "size of %d bytes exceeds the limit of %d bytes", k.size, limit)
	}
	return io.ReadAll(k.reader(ctx))
}

// unpacked keeps the packed files that were used last, as far as they were unpacked.
type unpacked struct {
	shelf[*unpackedEntry]
}

// unpackedEntry is a file in an archive that stays open.
type unpackedEntry struct {
	*spool.Content
	size  int64
	place *archive.Location
}

func (u *unpackedEntry) close() {
	u.Content.Close()
	u.place.Close()
}

// maxUnpacked limits the number of such files, maxUnpackedBytes their total size. Except
// for their beginnings they are on disk.
const (
	maxUnpacked      = 4
	maxUnpackedBytes = 4 << 30
)

func newUnpacked(o *source.Opener) *unpacked {
	return &unpacked{shelf[*unpackedEntry]{stamp: stampOf(o), close: (*unpackedEntry).close, most: maxUnpacked, bytes: maxUnpackedBytes}}
}

// stampOf returns a function that gives the size and time of the file on disk at the
// beginning of a path. If both stay the same, the file has not changed.
func stampOf(o *source.Opener) func(name string) (int64, time.Time) {
	return func(name string) (int64, time.Time) {
		if info, err := o.StatOutermost(name); err == nil {
			return info.Size(), info.ModTime()
		}
		return -1, time.Time{}
	}
}

// openContent opens the file at a path.
func (s *Explorer) openContent(ctx context.Context, name string) (*content, error) {
	if info, err := s.files.Stat(name); err == nil {
		if info.IsDir() {
			return nil, fault.InFile(fault.New(fault.NotFormat, "is a folder"), name)
		}
		in, closer, err := s.files.OpenFile(name)
		if err != nil {
			return nil, err
		}
		at := func(ctx context.Context) io.ReaderAt { return bulk.ReaderAt(ctx, in) }
		return &content{in.Size, at, func() { closer.Close() }}, nil
	}
	u, done, err := s.unpacked.get(name, func() (*unpackedEntry, int64, error) { return s.openEntry(ctx, name) })
	if err != nil {
		return nil, err
	}
	return &content{u.size, u.At, done}, nil
}

// openEntry opens a file in an archive.
func (s *Explorer) openEntry(ctx context.Context, name string) (*unpackedEntry, int64, error) {
	p, opts, err := s.opener.WithoutAsking().Find(ctx, name)
	if err != nil {
		return nil, 0, err
	}
	info, err := p.Stat(p.Inner)
	if err == nil && info.IsDir() {
		err = fault.InFile(fault.New(fault.NotFormat, "is a folder"), name)
	}
	if err != nil {
		p.Close()
		return nil, 0, err
	}
	f, err := p.Open(p.Inner)
	if err != nil {
		p.Close()
		return nil, 0, err
	}
	u := &unpackedEntry{spool.New(f), info.Size(), p}
	if u.size < 0 { // the size is known only after unpacking
		if u.size, err = u.Size(ctx, opts.EntryLimit()); err != nil {
			u.close()
			return nil, 0, fault.InFile(err, name)
		}
	}
	return u, u.size, nil
}

// isGBX reports whether content begins like a GBX file.
func (k *content) isGBX(ctx context.Context) bool {
	head, err := k.head(ctx, 3)
	return err == nil && bytes.Equal(head, []byte("GBX"))
}
