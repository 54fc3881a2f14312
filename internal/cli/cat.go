package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fault"
)

func (a *app) catCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "cat PATH...",
		GroupID:    groupLook,
		SuggestFor: []string{"print", "type"},
		Short:      "Print files from inside archives",
		Long: `Cat writes the content of files to standard output, byte for byte. With --json
the content comes as "text" where it is UTF-8, else as "base64".

A map's thumbnail.jpg is stored upside down, and cat prints it so; 'pakbox map
thumbnail' gives it upright.`,
		Example: `  pakbox cat game.vpk/docs/readme.txt
  pakbox cat backup.zip/game.vpk/icon.png > icon.png
  pakbox cat 'game.vpk/**/*.txt'
  curl https://example.org/game.vpk | pakbox cat -/docs/readme.txt`,
		Args: argCount(1, unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, t := range a.targets("cat", args) {
				if err := a.cat(cmd.Context(), t); err != nil {
					a.fail("cat", t.path, err)
				}
			}
			return nil
		},
	}
}

func (a *app) cat(ctx context.Context, t target) error {
	file, err := a.resolve(ctx, t.path)
	if err != nil {
		return err
	}
	if info, err := os.Stat(file); t.pattern == "" && err == nil && !info.IsDir() {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		return a.catFile(t.path, "", f)
	}
	opts, err := a.options(t.path)
	if err != nil {
		return err
	}
	if t.pattern == "" {
		p, err := a.locate(ctx, file, opts)
		if err != nil {
			return err
		}
		defer p.Close()
		if !isFile(p) {
			return withHint(&fs.PathError{Op: "cat", Path: t.path, Err: errors.New("is a folder")}, "to see what is in it: pakbox ls %s", t.path)
		}
		archive := strings.TrimSuffix(t.path, "/"+p.Inner) // errors name the entry themselves
		f, err := p.Open(p.Inner)
		if err != nil {
			return fault.InFile(err, archive)
		}
		return fault.InFile(a.catFile(t.path, p.Format(), f), archive)
	}
	s, err := a.open(ctx, t.path)
	if err != nil {
		return err
	}
	defer s.Close()
	return a.catPattern(s, t)
}

// catPattern prints all files that match, in stored order.
func (a *app) catPattern(s *source, t target) error {
	chosen := map[string]bool{}
	for _, name := range selectOne(s, t.pattern, matchPath) {
		chosen[name] = true
	}
	if len(chosen) == 0 {
		return nothingMatches(s, t.pattern)
	}
	var failures []error
	for i, e := range s.Entries() {
		if !chosen[e.Name] {
			continue
		}
		f, err := s.OpenEntry(i)
		if err == nil {
			err = a.catFile(t.path+"/"+e.Name, s.Format(), f)
		}
		if err != nil {
			failures = append(failures, fault.InFile(err, t.path))
		}
	}
	return errors.Join(failures...)
}
