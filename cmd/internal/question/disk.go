package question

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/pathname"
)

// Disk is a file or a folder on the disk, for work that reads files by their names. It is
// a copy if the asker's files are not on the disk.
type Disk struct {
	Path string

	copied, asked string // folders of the copy and of the asker's files; "" for no copy
}

// Shown returns the asker's path of a file.
func (d *Disk) Shown(name string) string {
	if d.copied == "" {
		return name
	}
	if rel, err := filepath.Rel(d.copied, name); err == nil && filepath.IsLocal(rel) {
		return path.Join(d.asked, filepath.ToSlash(rel))
	}
	return name
}

// OnDisk returns the file or folder at the path on the disk. sent are files to be put
// beside it. If a copy is made, it has the files with one of the extensions that are in
// the folder or beside the file, and below.
func (at *At) OnDisk(ctx context.Context, sent []Content, extensions ...string) (*Disk, error) {
	if at.Opener.Files == nil && len(sent) == 0 {
		name, err := at.Opener.Resolve(ctx, at.Path)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(name); err == nil || !source.ThroughFile(source.Slashed(name)) {
			return &Disk{Path: name}, nil
		}
	}
	dir, err := at.Opener.TempDir()
	if err != nil {
		return nil, fault.System(err)
	}
	d := &Disk{Path: dir, copied: dir, asked: path.Clean(source.Slashed(at.Path))}
	found, err := at.withExtensions(ctx, extensions)
	if err != nil {
		return nil, err
	}
	if found == nil { // a file
		d.Path = filepath.Join(dir, path.Base(d.asked))
		d.asked = path.Dir(d.asked)
		if found, err = at.For(d.asked).withExtensions(ctx, extensions); err != nil || source.ThroughFile(source.Slashed(at.Path)) {
			found = nil
		}
		if err := at.For(at.Path).copyTo(ctx, d.Path); err != nil {
			return nil, err
		}
	}
	for _, name := range found {
		rel, err := filepath.Rel(filepath.FromSlash(d.asked), filepath.FromSlash(name))
		if err != nil || !filepath.IsLocal(rel) || filepath.Join(dir, rel) == d.Path {
			continue
		}
		if err := at.For(name).copyTo(ctx, filepath.Join(dir, rel)); err != nil {
			return nil, err
		}
	}
	for _, c := range sent {
		name := c.As
		if name == "" {
			name = path.Base(source.Slashed(c.Name))
		}
		if err := pathname.Check(name); err != nil {
			return nil, fault.Usagef("%v", err)
		}
		if err := writeCopy(filepath.Join(dir, filepath.FromSlash(name)), time.Time{}, strings.NewReader(string(c.Data))); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// withExtensions lists the files below the path that have one of some extensions; nil if
// the path is not a folder.
func (at *At) withExtensions(ctx context.Context, extensions []string) (all []string, err error) {
	for _, extension := range extensions {
		found, err := at.FilesBelow(ctx, extension)
		if err != nil || found == nil {
			return nil, err
		}
		all = append(append([]string{}, all...), found...)
	}
	return all, nil
}

// copyTo copies the file at the path to the disk.
func (at *At) copyTo(ctx context.Context, name string) error {
	in, closer, err := at.Input(ctx)
	if err != nil {
		return err
	}
	defer closer.Close()
	var changed time.Time
	if info, err := at.Opener.StatOutermost(at.Path); err == nil {
		changed = info.ModTime()
	}
	return writeCopy(name, changed, io.NewSectionReader(in, 0, in.Size))
}

// writeCopy writes a file with the time of its original. A file that was sent has none: it
// gets the beginning of 1970, because the same files must give the same answer.
func writeCopy(name string, changed time.Time, content io.Reader) error {
	if changed.IsZero() {
		changed = time.Unix(0, 0)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fault.System(err)
	}
	f, err := os.Create(name)
	if err != nil {
		return fault.System(err)
	}
	_, err = io.Copy(f, content)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chtimes(name, changed, changed)
	}
	return fault.System(err)
}

// Findings returns findings about files with the asker's paths.
func (d *Disk) Findings(list []finding.Finding) []finding.Finding {
	list = append([]finding.Finding{}, list...)
	for i := range list {
		f := &list[i]
		f.File = d.Shown(f.File)
		if d.copied != "" {
			f.Message = strings.ReplaceAll(f.Message, d.copied, d.asked)
		}
	}
	return list
}

// Failure returns an error about a file with the asker's path.
func (d *Disk) Failure(err error) error {
	if err == nil || d.copied == "" {
		return err
	}
	var e *fault.Error
	if err = fault.System(err); !errors.As(err, &e) {
		return err
	}
	shown := *e
	shown.Path, shown.Message = d.Shown(e.Path), strings.ReplaceAll(e.Message, d.copied, d.asked)
	return &shown
}
