package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pakbox/archive"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

// collector collects the files for an archive.
type collector struct {
	app     *app
	out     string   // path of the archive being written, which must not contain itself
	exts    []string // extensions of its format
	names   *archive.Names
	edits   *archive.Root // root of an edited archive, whose edits use paths; otherwise nil
	items   []archive.Item
	sources []*source.Source
}

// ofFile returns the name of an item from the file system.
func (c *collector) ofFile(name string) string { return c.typed(c.names.OfFile(name)) }

// ofEntry returns the name of an item from another archive.
func (c *collector) ofEntry(from archive.Root, stored string) string {
	return c.typed(c.names.OfEntry(from, stored))
}

// typed converts a stored name to the form that edits use.
func (c *collector) typed(stored string) string {
	if c.edits == nil || c.edits.Stored(stored) == stored {
		return stored
	}
	return c.edits.Path(stored)
}

// close closes the archives from which items come.
func (c *collector) close() {
	for _, s := range c.sources {
		s.Close()
	}
	c.sources = nil
}

// addAll adds the inputs of create. A single folder stands for its content.
func (c *collector) addAll(ctx context.Context, inputs []string) error {
	found, err := c.app.ExpandAll(ctx, inputs)
	if err != nil {
		return err
	}
	for _, t := range found {
		name := t.Path
		if len(found) == 1 && t.Pattern == "" && source.IsFolder(name) {
			name += "/"
		}
		if err := c.add(ctx, source.Target{Path: name, Pattern: t.Pattern}, ""); err != nil {
			return err
		}
	}
	return nil
}

// storedName returns the name of an input inside the archive: its path as given. For an
// absolute path, or one that leads up (..), it is only the last part, because archives
// may not contain such paths.
func storedName(input string) string {
	if strings.HasSuffix(input, "/") || strings.HasSuffix(input, string(filepath.Separator)) {
		return "" // a folder's content
	}
	name := path.Clean(source.Slashed(input))
	if name == "." || name == ".." {
		return ""
	}
	if filepath.IsAbs(input) || filepath.VolumeName(input) != "" || strings.HasPrefix(name, "../") || strings.HasPrefix(name, "/") {
		return path.Base(name)
	}
	return name
}

// add adds the files that t stands for. as is the name in the archive, or the folder for
// several files; "" keeps the names.
func (c *collector) add(ctx context.Context, t source.Target, as string) error {
	if t.Path == "-" {
		return c.addStdin(as)
	}
	info, err := os.Stat(t.Path)
	if err != nil || t.Pattern != "" {
		return c.addInner(ctx, t, as)
	}
	if info.IsDir() {
		return c.addFolder(ctx, t.Path, cmp.Or(as, storedName(t.Path)))
	}
	if as == "" {
		as = c.ofFile(storedName(t.Path))
	}
	if !info.Mode().IsRegular() {
		return hint.With(&fs.PathError{Op: "open", Path: t.Path, Err: errors.New("is a pipe or a device")},
			"send it to standard input: pakbox put --as NAME ARCHIVE -")
	}
	c.items = append(c.items, source.FileItem(t.Path, as, info))
	return nil
}

// addFolder adds a folder of the file system. It skips the archive being written, which
// may be in that folder.
func (c *collector) addFolder(ctx context.Context, dir, as string) error {
	s, err := c.app.Open(ctx, dir)
	if err != nil {
		return err
	}
	c.sources = append(c.sources, s)
	own := ""
	if abs, err := filepath.Abs(c.out); err == nil {
		if root, err := filepath.Abs(dir); err == nil {
			if rel, err := filepath.Rel(root, abs); err == nil {
				own = filepath.ToSlash(rel)
			}
		}
	}
	for _, item := range archive.Items(s) {
		if !source.SameArchive(item.Name, own, c.exts) {
			item.Name = c.ofFile(path.Join(as, item.Name))
			c.items = append(c.items, item)
		}
	}
	return nil
}

// addInner adds files from inside an archive, under their names there unless as gives
// another.
func (c *collector) addInner(ctx context.Context, t source.Target, as string) error {
	s, err := c.app.OpenAny(ctx, t.Path)
	if err != nil {
		return err
	}
	c.sources = append(c.sources, s)
	if t.Pattern == "" && s.Whole {
		// The path ends at an archive inside an archive: add that file.
		return c.addNested(ctx, t.Path, as)
	}
	chosen := map[string]bool{}
	if t.Pattern != "" {
		if chosen, err = source.SelectEntries(s, []string{t.Pattern}); err != nil {
			return err
		}
	}
	root, folder := s.Place.Root(), s.Place.Inner
	if source.IsFile(s.Place) {
		folder = path.Dir(folder)
	}
	for _, item := range archive.Items(s) {
		if t.Pattern != "" && !chosen[item.Name] {
			continue
		}
		switch {
		case as == "" && s.Whole:
			item.Name = c.ofEntry(root, item.Name)
		case as == "":
			item.Name = c.ofEntry(root, path.Join(root.Stored(folder), item.Name))
		case t.Pattern == "" && !source.IsFile(s.Place):
			item.Name = path.Join(as, item.Name)
		default:
			item.Name = as
		}
		c.items = append(c.items, item)
	}
	return nil
}

// addNested adds an archive that is a file inside another archive.
func (c *collector) addNested(ctx context.Context, name, as string) error {
	p, _, err := c.app.Find(ctx, name)
	if err != nil {
		return err
	}
	c.sources = append(c.sources, &source.Source{Place: p})
	info, err := p.Stat(p.Inner)
	if err != nil {
		return err
	}
	c.items = append(c.items, archive.Item{
		Name:    cmp.Or(as, c.ofEntry(p.Root(), p.Root().Stored(p.Inner))),
		Size:    info.Size(),
		ModTime: info.ModTime(),
		Open:    func() (io.ReadCloser, error) { return p.Open(p.Inner) },
	})
	return nil
}

// addStdin adds standard input, for which a name must be given.
func (c *collector) addStdin(as string) error {
	if as == "" {
		return hint.Usagef("standard input has no name").Hint("give it one: pakbox put --as NAME ARCHIVE -")
	}
	file, err := c.app.SpoolStdin(c.app.Ctx)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	c.items = append(c.items, source.FileItem(file, as, info))
	return nil
}

// check rejects names that no archive should contain, and duplicate names.
func (c *collector) check(root archive.Root) error {
	seen := map[string]bool{}
	for _, item := range c.items {
		if err := root.Check(item.Name); err != nil {
			return err
		}
		if seen[item.Name] {
			return hint.Usagef("two inputs would be stored as %s", item.Name)
		}
		seen[item.Name] = true
	}
	return nil
}
