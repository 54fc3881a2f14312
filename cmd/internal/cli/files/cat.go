package files

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive/imagefile"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
)

func catCommand(a *kit.App) *cobra.Command {
	var asPNG bool
	cmd := &cobra.Command{
		Use:        "cat PATH...",
		GroupID:    kit.GroupLook,
		SuggestFor: []string{"print", "type"},
		Short:      "Print files from inside archives",
		Long: `Cat writes the content of files to standard output, byte for byte. With --json
the content comes as "text" where it is UTF-8, else as "base64".

--png gives pictures, textures in DDS and TGA too, as PNG.

A map's thumbnail.jpg is stored upside down, and cat prints it so; 'pakbox map
thumbnail' gives it upright.`,
		Example: `  pakbox cat game.vpk/docs/readme.txt
  pakbox cat backup.zip/game.vpk/icon.png > icon.png
  pakbox cat 'game.vpk/**/*.txt'
  pakbox cat --png game.vpk/textures/stone.dds > stone.png
  curl https://example.org/game.vpk | pakbox cat -/docs/readme.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Opener.Streams = true
			for _, t := range a.Targets("cat", args) {
				if err := cat(cmd.Context(), a, t, asPNG); err != nil {
					a.Fail("cat", t.Path, err)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asPNG, "png", false, "print pictures as PNG")
	return cmd
}

// catOne prints a file, or converts it to PNG if asPNG is set.
func catOne(a *kit.App, name, format string, f io.ReadCloser, asPNG bool) error {
	if !asPNG {
		return a.CatFile(name, format, f)
	}
	defer f.Close()
	var b bytes.Buffer
	if err := imagefile.WritePNG(&b, name, f); err != nil {
		return err
	}
	return a.CatFile(name, format, io.NopCloser(&b))
}

func cat(ctx context.Context, a *kit.App, t source.Target, asPNG bool) error {
	file, err := a.Resolve(ctx, t.Path)
	if err != nil {
		return err
	}
	if info, err := os.Stat(file); t.Pattern == "" && err == nil && !info.IsDir() {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		return fault.InFile(catOne(a, t.Path, "", f, asPNG), t.Path)
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
			return fault.WithHint(&fs.PathError{Op: "cat", Path: t.Path, Err: errors.New("is a folder")}, "to see what is in it: pakbox ls %s", quote.Word(t.Path))
		}
		archive := strings.TrimSuffix(t.Path, "/"+p.Inner) // errors already name the entry
		f, err := p.Open(p.Inner)
		if err != nil {
			return fault.InFile(err, archive)
		}
		return fault.InFile(fault.InEntry(catOne(a, t.Path, p.Format(), f, asPNG), p.Inner), archive)
	}
	s, err := a.Open(ctx, t.Path)
	if err != nil {
		return err
	}
	defer s.Close()
	return catPattern(a, s, t, asPNG)
}

// catPattern prints all files that match a pattern, in stored order.
func catPattern(a *kit.App, s *source.Source, t source.Target, asPNG bool) error {
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
			err = fault.InEntry(catOne(a, t.Path+"/"+e.Name, s.Format(), f, asPNG), e.Name)
		}
		if err != nil {
			failures = append(failures, fault.InFile(err, t.Path))
		}
	}
	return errors.Join(failures...)
}
