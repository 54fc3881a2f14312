package files

import (
	"context"
	"errors"
	"os"

	"pakbox/archive"
	"pakbox/archive/pack"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// collector collects the files for an archive as pack.Inputs does, and also expands
// patterns and takes standard input.
type collector struct {
	*pack.Inputs
	app *kit.App
}

func newCollector(a *kit.App, out string, f archive.Format, opts archive.CreateOptions) *collector {
	c := &collector{pack.Collect(a.Formats, out, f, opts), a}
	c.Follow = func(ctx context.Context, name string) (*archive.Location, error) {
		p, _, err := a.Find(ctx, name)
		return p, err
	}
	return c
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

// add adds the files that t stands for. as is the name in the archive, or the folder for
// several files; "" keeps the names.
func (c *collector) add(ctx context.Context, t source.Target, as string) error {
	switch {
	case t.Path == "-" && t.Pattern == "":
		return c.addStdin(as)
	case t.Pattern != "":
		return c.addPattern(ctx, t, as)
	}
	err := c.Add(ctx, t.Path, as)
	if errors.Is(err, pack.ErrNotRegular) {
		return fault.WithHint(err, "send it to standard input: pakbox put --as NAME ARCHIVE -")
	}
	return err
}

// addPattern adds the files in an archive that match a pattern.
func (c *collector) addPattern(ctx context.Context, t source.Target, as string) error {
	s, err := c.app.OpenAny(ctx, t.Path)
	if err != nil {
		return err
	}
	return c.AddPlace(s.Place, func(archive.Archive) (map[string]bool, error) {
		return source.SelectEntries(s, []string{t.Pattern})
	}, as)
}

// addStdin adds standard input, for which a name must be given.
func (c *collector) addStdin(as string) error {
	if as == "" {
		return fault.Usagef("standard input has no name").Hint("give it one: pakbox put --as NAME ARCHIVE -")
	}
	file, err := c.app.SpoolStdin(c.app.Ctx)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return c.AddFile(file, as, info)
}
