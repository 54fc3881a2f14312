package explore

import (
	"bytes"
	"context"
	"io"
	"time"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/spool"
	"pakbox/internal/source"
)

// content is a file as it is, whatever its format. Of a packed one only what is
// read is unpacked.
type content struct {
	size int64
	at   func(ctx context.Context) io.ReaderAt // until the reader goes away
	done func()
}

// reader reads the content until ctx ends.
func (k *content) reader(ctx context.Context) *io.SectionReader {
	return io.NewSectionReader(k.at(ctx), 0, k.size)
}

// head is the beginning of the content.
func (k *content) head(ctx context.Context, n int64) ([]byte, error) {
	data := make([]byte, min(k.size, n))
	n2, err := k.at(ctx).ReadAt(data, 0)
	if err == io.EOF {
		err = nil
	}
	return data[:n2], err
}

// all is the whole content, if it has no more than limit bytes.
func (k *content) all(ctx context.Context, limit int64) ([]byte, error) {
	if k.size > limit {
		return nil, fault.New(fault.Limit, "has %d bytes, more than %d", k.size, limit)
	}
	return io.ReadAll(k.reader(ctx))
}

// unpacked are the packed files that were looked at last, and how far they were
// unpacked.
type unpacked struct {
	shelf[*unpackedEntry]
}

// unpackedEntry is a file in an archive, which stays open.
type unpackedEntry struct {
	*spool.Content
	size  int64
	place *archive.Place
}

func (u *unpackedEntry) close() {
	u.Content.Close()
	u.place.Close()
}

// maxUnpacked is how many packed files are kept, maxUnpackedBytes how large they
// are together. They lie on disk, all but their beginnings.
const (
	maxUnpacked      = 4
	maxUnpackedBytes = 4 << 30
)

func newUnpacked(o *source.Opener) *unpacked {
	return &unpacked{shelf[*unpackedEntry]{stamp: stampOf(o), close: (*unpackedEntry).close, most: maxUnpacked, bytes: maxUnpackedBytes}}
}

// stampOf returns a function that gives the size and time of the file on disk that a
// path begins with. If they stay the same, the file has not changed.
func stampOf(o *source.Opener) func(name string) (int64, time.Time) {
	return func(name string) (int64, time.Time) {
		if info, err := o.StatOutermost(name); err == nil {
			return info.Size(), info.ModTime()
		}
		return -1, time.Time{}
	}
}

// openContent opens the file that a path ends at.
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
	if u.size < 0 { // only unpacking tells
		if u.size, err = u.Size(ctx, opts.EntryLimit()); err != nil {
			u.close()
			return nil, 0, fault.InFile(err, name)
		}
	}
	return u, u.size, nil
}

// isGBX reports whether content begins as a GBX file does.
func (k *content) isGBX(ctx context.Context) bool {
	head, err := k.head(ctx, 3)
	return err == nil && bytes.Equal(head, []byte("GBX"))
}
