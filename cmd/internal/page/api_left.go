package page

import (
	"archive/zip"
	"context"
	"io"
	"path"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/spool"
)

// left returns what can be read of a damaged file: a zip of those of its files that are
// whole.
func (s *Explorer) left(c *call) (any, error) {
	name := c.param("path")
	f, done, err := s.open.look(c.Context(), name)
	if err != nil {
		return nil, err
	}
	defer done()
	from, to := io.Pipe()
	go func() { to.CloseWithError(zipWhole(c.Context(), to, f.Archive)) }()
	made := spool.New(from)
	size, err := made.Size(c.Context(), f.Opts.EntryLimit())
	if err != nil {
		made.Close()
		return nil, fault.InFile(err, name)
	}
	return &Response{Status: OK, Type: octets, Content: io.NewSectionReader(made.At(c.asker), 0, size), Close: func() { made.Close() }, File: path.Base(name) + ".zip"}, nil
}

// zipWhole writes the files of an archive that can be read from beginning to end into a
// zip. Each is read twice: first to see whether it is whole.
func zipWhole(ctx context.Context, w io.Writer, a archive.Archive) error {
	z, root, whole := zip.NewWriter(w), a.Root(), 0
	for i, e := range a.Entries() {
		if e.Form || e.Problem != nil || root.Check(e.Name) != nil || copyEntry(ctx, io.Discard, a, i) != nil {
			continue
		}
		out, err := z.CreateHeader(&zip.FileHeader{Name: root.Path(e.Name), Method: zip.Deflate, Modified: e.ModTime})
		if err == nil {
			err = copyEntry(ctx, out, a, i)
		}
		if err != nil {
			return err
		}
		whole++
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if whole == 0 {
		return fault.New(fault.Corrupt, "all its files are damaged")
	}
	return z.Close()
}

// copyEntry reads one file of an archive to its end.
func copyEntry(ctx context.Context, w io.Writer, a archive.Archive, i int) error {
	f, err := a.OpenEntry(i)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = bulk.Copy(ctx, w, f)
	return err
}
