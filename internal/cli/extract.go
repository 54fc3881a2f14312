package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
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
	var force bool
	var many shell.Many
	cmd := &cobra.Command{
		Use:        "extract ARCHIVE... [PATH...]",
		GroupID:    shell.GroupLook,
		SuggestFor: []string{"unpack", "unzip", "x", "export"},
		Short:      "Write files from an archive into a folder",
		Long: `Extract writes the files of an archive, or those that PATHs choose, below a
folder, which it makes if need be. A PATH is a file, a folder, or a pattern.
Whatever names an archive holds, nothing is written outside the folder. Of several
ARCHIVEs each is extracted into a folder of its own there, named like it.

A file that cannot be extracted does not stop the others; each failure is
reported. Files that exist are left alone unless --force is given.`,
		Example: `  pakbox extract game.vpk -C folder
  pakbox extract game.vpk -C folder docs '**/*.dds'
  pakbox extract backup.zip/game.vpk/textures -C folder
  pakbox extract *.vpk -C folder
  curl https://example.org/game.vpk | pakbox extract - -C folder`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			archives, paths := shell.SplitFiles(args, a.isArchive)
			inputs := a.Inputs(many, "extract", archives)
			if len(inputs) == 1 && inputs[0].Folder == "" {
				return a.extract(cmd.Context(), inputs[0].Path, paths, dir, force, many.Jobs)
			}
			o := shell.Making{Dir: dir}
			t := a.EachInput(many, "extract", "extracting", inputs, func(run *shell.App, name string) error {
				return (&app{run}).extract(run.Ctx, name, paths, o.Folder(run.Subject), force, 1)
			})
			a.Summary(t, "extracted", "")
			return nil
		},
	}
	many.Flags(cmd)
	cmd.Flags().StringVarP(&dir, "directory", "C", ".", "extract into `DIR`")
	cmd.Flags().BoolVar(&force, "force", false, "replace files that exist")
	return cmd
}

// isArchive reports whether an argument behind the first is another archive,
// and not something in it: a file that is called like one.
func (a *app) isArchive(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && info.Mode().IsRegular() && len(a.Formats.ByPath(arg)) > 0
}

func (a *app) extract(ctx context.Context, name string, args []string, dir string, force bool, jobs int) error {
	end := a.Watch("extracting")
	defer end()
	s, err := a.OpenAny(ctx, name)
	if err != nil {
		return err
	}
	defer s.Close()
	s.Opts.Workers = jobs
	files, bytes := 0, int64(0)
	opts := archive.ExtractOptions{
		Options:   s.Opts,
		Overwrite: force,
		Extracted: func(e archive.Entry, _ string) {
			files++
			bytes += max(e.Size, 0)
		},
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
