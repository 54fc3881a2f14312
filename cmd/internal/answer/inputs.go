package answer

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/archive/pack"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// Stored names the files that go into an archive: paths, and the content of files.
type Stored struct {
	From  []string           `json:"from" arg:"" paths:"" doc:"paths of files and folders to store"`
	Files []question.Content `json:"files" request:"" doc:"files to store, with their content; as is the path of a file in the archive"`
}

// inputs collects the files for an archive as pack.Inputs does. It also expands patterns,
// takes standard input, and stays within the files that a page may see.
type inputs struct {
	*pack.Inputs
	at     *question.At
	opener *source.Opener
	opened []io.Closer
}

func collect(at *question.At, out string, f archive.Format, opts archive.CreateOptions) *inputs {
	in := &inputs{Inputs: pack.Collect(at.Opener.Formats, out, f, opts), at: at, opener: at.Opener}
	in.Follow = func(ctx context.Context, name string) (*archive.Location, error) {
		p, _, err := at.Opener.Find(ctx, name)
		return p, err
	}
	return in
}

// Close closes the files from which items come.
func (in *inputs) Close() error {
	err := in.Inputs.Close()
	for _, c := range in.opened {
		err = errors.Join(err, c.Close())
	}
	in.opened = nil
	return err
}

// addStored adds paths and contents. If whole is set, a single folder stands for its
// content. as is the name of the only file, or the folder for several; "" keeps the names.
func (in *inputs) addStored(ctx context.Context, s Stored, as string, whole bool) error {
	found, err := in.expand(ctx, s.From)
	if err != nil {
		return err
	}
	if count := len(found) + len(s.Files); as != "" && count != 1 {
		return fault.Usagef("--as names one file, but %d are given", count)
	}
	for _, t := range found {
		if whole && len(found) == 1 && t.Pattern == "" && in.opener.Files == nil && source.IsFolder(t.Path) {
			t.Path += "/"
		}
		if err := in.add(ctx, t, as, whole && len(found) == 1); err != nil {
			return err
		}
	}
	for _, c := range s.Files {
		in.addContent(c, as)
	}
	return nil
}

// expand expands patterns, if the paths are those of the file system.
func (in *inputs) expand(ctx context.Context, paths []string) (all []source.Target, err error) {
	if in.opener.Files == nil {
		return in.opener.ExpandAll(ctx, paths)
	}
	for _, p := range paths {
		all = append(all, source.Target{Path: p})
	}
	return all, nil
}

// add adds the files that t stands for.
func (in *inputs) add(ctx context.Context, t source.Target, as string, whole bool) error {
	switch {
	case in.opener.Files != nil:
		return in.addSeen(ctx, t.Path, as, whole)
	case t.Path == "-" && t.Pattern == "":
		return in.addStdin(ctx, as)
	case t.Pattern != "":
		return in.addPattern(ctx, t, as)
	}
	err := in.Add(ctx, t.Path, as)
	if errors.Is(err, pack.ErrNotRegular) {
		return fault.WithHint(err, "send it to standard input: pakbox put --as NAME ARCHIVE -")
	}
	return err
}

// addSeen adds a file or a folder that the page may see. The name of a file is the last
// part of its path. The files of a folder have their paths from there; whole means without
// the folder's own name.
func (in *inputs) addSeen(ctx context.Context, name, as string, whole bool) error {
	below, err := in.at.For(name).FilesBelow(ctx, question.AnyExtension)
	if err != nil {
		return err
	}
	folder := path.Base(name)
	if whole || strings.HasSuffix(name, "/") {
		folder = ""
	}
	for _, file := range below {
		if err := in.addSeenFile(ctx, file, in.seenName(as, path.Join(folder, strings.TrimPrefix(file, path.Clean(name)+"/")))); err != nil {
			return err
		}
	}
	if below != nil {
		return nil
	}
	if as != "" {
		return in.addSeenFile(ctx, name, as)
	}
	return in.addSeenFile(ctx, name, in.Named(path.Base(name)))
}

// seenName returns the name of a file in a folder: as is the folder in the archive, if the
// asker chose one.
func (in *inputs) seenName(as, name string) string {
	if as != "" {
		return path.Join(as, name)
	}
	return in.Named(name)
}

// addSeenFile adds one file that the page may see.
func (in *inputs) addSeenFile(ctx context.Context, name, as string) error {
	content, closer, err := in.opener.Input(ctx, name)
	if err != nil {
		return err
	}
	in.opened = append(in.opened, closer)
	changed := time.Now()
	if info, err := in.opener.StatOutermost(name); err == nil && !info.ModTime().IsZero() {
		changed = info.ModTime()
	}
	in.Items = append(in.Items, archive.Item{Name: as, Size: content.Size, ModTime: changed, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(content, 0, content.Size)), nil
	}})
	return nil
}

// addContent adds a file whose content was sent.
func (in *inputs) addContent(c question.Content, as string) {
	for _, name := range []string{source.Slashed(c.As), path.Base(source.Slashed(c.Name))} {
		if as == "" && name != "" {
			as = in.Named(name)
		}
	}
	in.Items = append(in.Items, archive.Item{Name: as, Size: int64(len(c.Data)), ModTime: time.Now(), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(c.Data)), nil
	}})
}

// addPattern adds the files in an archive that match a pattern.
func (in *inputs) addPattern(ctx context.Context, t source.Target, as string) error {
	s, err := in.opener.OpenAny(ctx, t.Path)
	if err != nil {
		return err
	}
	return in.AddPlace(s.Place, func(archive.Archive) (map[string]bool, error) {
		return source.SelectEntries(s, []string{t.Pattern})
	}, as)
}

// addStdin adds standard input, for which a name must be given.
func (in *inputs) addStdin(ctx context.Context, as string) error {
	if as == "" {
		return fault.Usagef("standard input has no name").Hint("give it one: pakbox put --as NAME ARCHIVE -")
	}
	file, err := in.opener.SpoolStdin(ctx)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return in.AddFile(file, as, info)
}
