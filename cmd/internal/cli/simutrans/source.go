package simutrans

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/simutrans"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/format"
	"pakbox/simutrans/lsp"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

func fmtCommand(a *kit.App) *cobra.Command {
	var target string
	var check bool
	cmd := &cobra.Command{
		Use:   "fmt PATH...",
		Short: "Format Simutrans sources",
		Long: `Fmt formats .dat files, and those in folders and below: keys in lower case and
without blanks, numbers without blanks around them, at most one empty line in a
row, three dashes after an object. Comments stay as they are. The compiler makes
the same objects from the formatted source.

The files that changed are listed. With --check nothing is written, and the exit
code is 1 if a file would change.`,
		Example: `  pakbox simutrans fmt vehicles/
  pakbox simutrans fmt --check .`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := answers.CheckTarget(target); err != nil {
				return err
			}
			paths, err := a.LocalPaths(args)
			if err != nil {
				return err
			}
			if err := answers.OnlySources(a.At(""), paths); err != nil {
				return err
			}
			sources, err := node.Files(paths, ".dat")
			if err != nil {
				return err
			}
			if len(sources) == 0 {
				return fault.Usagef("%v", compile.ErrNoSource)
			}
			return formatSources(a, sources, target, check)
		},
	}
	targetFlag(cmd, &target, "read keys as this makeobj does")
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; exit with 1 if a file would change")
	return cmd
}

// maxSource limits the size of a source.
const maxSource = 256 << 20

func formatSources(a *kit.App, sources []string, name string, check bool) error {
	if name == "" {
		name = object.DefaultTarget
	}
	target, err := object.LookupTarget(name)
	if err != nil {
		return err
	}
	changed := []string{}
	for _, path := range sources {
		src, version, err := source.ReadVersion(path, maxSource)
		if err != nil {
			return err
		}
		formatted := format.Source(src, target)
		if bytes.Equal(src, formatted) {
			continue
		}
		if !check {
			err := version.Replace(func(f *os.File) error {
				_, err := f.Write(formatted)
				return err
			})
			if err != nil {
				return err
			}
		}
		changed = append(changed, filepath.ToSlash(path))
	}
	if a.JSON {
		fmtReport.Print(a, sources[0], "simutrans", formattedSources{len(sources), changed})
	} else {
		for _, path := range changed {
			fmt.Fprintln(a.Out, kit.Printable(path))
		}
		if check {
			a.Note("%d of %s would change", len(changed), question.Count(len(sources), "source"))
		} else {
			a.Note("%d of %s changed", len(changed), question.Count(len(sources), "source"))
		}
	}
	if check && len(changed) > 0 {
		return kit.ErrFound
	}
	return nil
}

func lspCommand(a *kit.App) *cobra.Command {
	var opts lsp.Options
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Help editors with Simutrans sources: a language server",
		Long: `Lsp provides the Language Server Protocol over standard input and output. An
editor starts it, and then

  - shows findings while you type
  - completes keys, with their range and default, and values
  - shows an explanation or the picture under the mouse
  - jumps to the object that a constraint names
  - renames and formats

docs/simutrans.md describes the settings for VS Code, Neovim and Emacs. The client can
set target, cell and pakset in its initializationOptions too.`,
		Example: `  pakbox simutrans lsp --cell 128 --pakset ~/simutrans/pak128`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := answers.CheckTarget(opts.Target); err != nil {
				return err
			}
			return lsp.Serve(cmd.Context(), a.Env.Stdin, a.Env.Stdout, opts)
		},
	}
	targetFlag(cmd, &opts.Target, "read sources as this makeobj does")
	cmd.Flags().IntVar(&opts.Cell, "cell", compile.DefaultCell, "the size of a cell in `PIXELS`")
	cmd.Flags().StringArrayVar(&opts.Pakset, "pakset", nil, "offer the names of the objects in this `FOLDER` of object files")
	return cmd
}

var fmtReport = kit.NewReport[formattedSources]("simutrans.fmt", "", "the sources that were formatted")

type formattedSources struct {
	Sources int      `json:"sources" doc:"number of sources"`
	Changed []string `json:"changed" doc:"paths of sources that were not formatted"`
}
