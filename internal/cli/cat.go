package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fault"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

func (a *app) catCommand() *cobra.Command {
	return &cobra.Command{
		Use:        "cat PATH...",
		GroupID:    shell.GroupLook,
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
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, t := range a.Targets("cat", args) {
				if err := a.cat(cmd.Context(), t); err != nil {
					a.Fail("cat", t.Path, err)
				}
			}
			return nil
		},
	}
}

func (a *app) cat(ctx context.Context, t source.Target) error {
	file, err := a.Resolve(ctx, t.Path)
	if err != nil {
		return err
	}
	if info, err := os.Stat(file); t.Pattern == "" && err == nil && !info.IsDir() {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		return a.CatFile(t.Path, "", f)
	}
	opts, err := a.Options(t.Path)
	if err != nil {
		return err
	}
	if t.Pattern == "" {
		p, err := a.Locate(ctx, file, opts)
		if err != nil {
			return err
		}
		defer p.Close()
		if !source.IsFile(p) {
			return hint.With(&fs.PathError{Op: "cat", Path: t.Path, Err: errors.New("is a folder")}, "to see what is in it: pakbox ls %s", t.Path)
		}
		archive := strings.TrimSuffix(t.Path, "/"+p.Inner) // errors name the entry themselves
		f, err := p.Open(p.Inner)
		if err != nil {
			return fault.InFile(err, archive)
		}
		return fault.InFile(a.CatFile(t.Path, p.Format(), f), archive)
	}
	s, err := a.Open(ctx, t.Path)
	if err != nil {
		return err
	}
	defer s.Close()
	return a.catPattern(s, t)
}

// catPattern prints all files that match, in stored order.
func (a *app) catPattern(s *source.Source, t source.Target) error {
	chosen := map[string]bool{}
	for _, name := range source.SelectOne(s, t.Pattern, source.MatchPath) {
		chosen[name] = true
	}
	if len(chosen) == 0 {
		return source.NothingMatches(s, t.Pattern)
	}
	var failures []error
	for i, e := range s.Entries() {
		if !chosen[e.Name] {
			continue
		}
		f, err := s.OpenEntry(i)
		if err == nil {
			err = a.CatFile(t.Path+"/"+e.Name, s.Format(), f)
		}
		if err != nil {
			failures = append(failures, fault.InFile(err, t.Path))
		}
	}
	return errors.Join(failures...)
}
