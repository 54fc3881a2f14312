package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

func (a *app) extractCommand() *cobra.Command {
	var dir string
	var force, asPNG bool
	cmd := &cobra.Command{
		Use:        "extract ARCHIVE [PATH...]",
		GroupID:    shell.GroupLook,
		SuggestFor: []string{"unpack", "unzip", "x", "export"},
		Short:      "Write files from an archive into a folder",
		Long: `Extract writes the files of an archive, or those that PATHs choose, below a
folder, which it makes if need be. A PATH is a file, a folder, or a pattern.
Whatever names an archive holds, nothing is written outside the folder.

A file that cannot be extracted does not stop the others; each failure is
reported. Files that exist are left alone unless --force is given.

--png writes textures as pictures that every program shows: stone.dds and
stone.tga become stone.dds.png and stone.tga.png.`,
		Example: `  pakbox extract game.vpk -C folder
  pakbox extract game.vpk -C folder docs '**/*.dds'
  pakbox extract backup.zip/game.vpk/textures -C folder
  curl https://example.org/game.vpk | pakbox extract - -C folder`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.extract(cmd.Context(), args[0], args[1:], dir, force, asPNG)
		},
	}
	cmd.Flags().StringVarP(&dir, "directory", "C", ".", "extract into `DIR`")
	cmd.Flags().BoolVar(&force, "force", false, "replace files that exist")
	cmd.Flags().BoolVar(&asPNG, "png", false, "write textures (DDS, TGA) as PNG")
	return cmd
}

func (a *app) extract(ctx context.Context, name string, args []string, dir string, force, asPNG bool) error {
	end := a.Watch("extracting")
	defer end()
	s, err := a.OpenAny(ctx, name)
	if err != nil {
		return err
	}
	defer s.Close()
	files, bytes := 0, int64(0)
	opts := archive.ExtractOptions{
		Options:   s.Opts,
		Overwrite: force,
		Extracted: func(e archive.Entry, _ string) {
			files++
			bytes += max(e.Size, 0)
		},
	}
	if asPNG {
		opts.Convert = texturesAsPNG
	}
	if len(args) > 0 {
		chosen, err := source.SelectEntries(s, args)
		if err != nil {
			if last := args[len(args)-1]; errors.Is(err, fs.ErrNotExist) && (source.IsFolder(last) || path.Ext(last) == "") {
				return hint.With(err, "if %s is the folder to extract into: pakbox extract %s -C %s", last, name, last)
			}
			return err
		}
		opts.Select = func(name string) bool { return chosen[name] }
	}
	err = archive.Extract(ctx, s, dir, opts)
	end()
	failures := shell.InFolder(name, dir, err)
	if a.JSON && ctx.Err() == nil {
		o := answer.New("extract", name, s.Format()).Add("target", dir).Add("files", files).Add("bytes", bytes)
		a.Print(a.AddFailures(o, failures))
	} else if files > 0 || err == nil {
		a.Note("extracted %s (%s) to %s", answer.Count(files, "file"), answer.SizeText(bytes), dir)
	}
	if len(failures) > 0 {
		return shell.Reported(errors.Join(failures...))
	}
	return nil
}

// texturesAsPNG is how extract --png writes files.
func texturesAsPNG(name string) (as string, convert func(dst io.Writer, src io.Reader) error) {
	if !answer.IsTexture(name) {
		return name, nil
	}
	return name + ".png", func(dst io.Writer, src io.Reader) error { return answer.WritePNG(dst, name, src) }
}
