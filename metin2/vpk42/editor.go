package vpk42

import (
	"bytes"
	"context"
	"io"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
)

// Edit writes the archive with edits applied. Version, compression, author, comment, time
// and salt stay as they are, and so do unknown bytes: the reserved bytes of the header,
// and bytes behind the table. Unchanged entries are copied as they are stored, to new
// offsets. Without any change the result is the same file. A large unencrypted archive is
// extended instead: see append.go.
func (a *Archive) Edit(ctx context.Context, stage *archive.Stage, edits []archive.Edit, opts archive.CreateOptions) error {
	sources, changed, err := a.plan(edits)
	if err != nil {
		return err
	}
	if changed && a.appends(sources) && a.in.Is(stage.Path()) {
		if done, err := a.extend(ctx, stage, sources, opts); done || err != nil {
			return err
		}
	}
	file, err := stage.File()
	if err != nil {
		return err
	}
	if !changed {
		_, err := bulk.Copy(ctx, io.NewOffsetWriter(file, 0), io.NewSectionReader(a.in, 0, a.in.Size))
		return err
	}
	w := newWriter(file, a.header, a.keys, WriteOptions{Options: opts.Options})
	w.old = a.in
	return w.write(ctx, bytes.Clone(a.raw), sources, a.tail())
}

// tail reads the bytes behind the table, without the HMAC of an encrypted archive.
func (a *Archive) tail() io.Reader {
	end := a.in.Size
	if a.keys != nil {
		end -= trailerSize
	}
	return io.NewSectionReader(a.in, a.header.tableEnd(), end-a.header.tableEnd())
}

// plan lists the sources of the edited archive.
func (a *Archive) plan(edits []archive.Edit) (sources []source, changed bool, err error) {
	list, err := archive.Plan(a.Tree, edits, true)
	if err != nil {
		return nil, false, err
	}
	changed = len(list) != len(a.table)
	sources = make([]source, len(list))
	for i, e := range list {
		sources[i].item = e.Item
		if e.From == nil {
			changed = true
			if err := checkName(e.Name); err != nil {
				return nil, false, err
			}
			continue
		}
		kept := &a.table[*e.From]
		sources[i].kept = kept
		sources[i].item.Size = kept.StoredSize
		if err := kept.check(&a.header); fault.KindOf(err) == fault.EntryRange {
			return nil, false, err
		}
		if kept.FileName != e.Name {
			changed = true
			if err := checkName(e.Name); err != nil {
				return nil, false, err
			}
		}
		changed = changed || *e.From != i
	}
	return sources, changed, nil
}
