package simutrans

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/quote"
	"pakbox/simutrans/compile"
)

func compileCommand(a *kit.App) *cobra.Command {
	var opts compile.Options
	var again bool
	cmd := &cobra.Command{
		Use:        "compile OUT SOURCE...",
		SuggestFor: []string{"build", "make", "pak", "makeobj", "create"},
		Short:      "Compile Simutrans objects from .dat and PNG",
		Long: `Compile turns sources into object files, byte for byte as makeobj does. A SOURCE
is a .dat file, or a folder: then all .dat files in it and in folders below are
compiled. If OUT ends in a slash or is a folder, every object becomes a file of
its own in it; else OUT is one file with all objects. Compile replaces what an
earlier run has written there.

All problems of all sources are reported in one run, each with file, line and
key, and the exit code is 1 if one of them is an error. An object with an error
is not written; all others are. Warnings are about mistakes that makeobj compiles
without a message, such as a vehicle with three directions or a depot without an
icon; --strict makes them errors.

Only changed sources are compiled again; --rebuild compiles everything. A note in
the user's cache folder records the sources of each output. If a source loses an
object, the old file of that object is listed; --prune removes such files.`,
		Example: `  pakbox simutrans compile pak/ vehicles/
  pakbox simutrans compile --cell 128 --target 60.12 pak/ vehicles/ buildings/
  pakbox simutrans compile trams.pak tram*.dat`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkTarget(opts.Target); err != nil {
				return err
			}
			if _, err := compile.NewCompiler(opts.Target, opts.Cell); err != nil {
				return fault.Usagef("--cell: %v", err)
			}
			sources, err := a.LocalPaths(args[1:])
			if err != nil {
				return err
			}
			if err := onlySources(sources); err != nil {
				if source.IsFolder(args[0]) && len(sources) == 1 && !source.Exists(sources[0]) && !strings.EqualFold(filepath.Ext(sources[0]), ".dat") {
					return fault.WithHint(err, "the place of the objects comes first: pakbox simutrans compile %s %s", quote.Word(args[1]), quote.Word(args[0]))
				}
				return err
			}
			opts.Out, opts.Sources = args[0], sources
			if !source.IsFolder(opts.Out) && !strings.HasSuffix(opts.Out, "/") {
				if err := kit.Promises(opts.Out, ".pak"); err != nil {
					return err
				}
			}
			if dir, err := os.UserCacheDir(); err == nil {
				opts.Notes = filepath.Join(dir, "pakbox", "compile")
			}
			if again {
				return a.Again(kit.SchemaName(cmd), sources, func() error { return compileSources(cmd.Context(), a, opts) })
			}
			return compileSources(cmd.Context(), a, opts)
		},
	}
	targetFlag(cmd, &opts.Target, "the makeobj whose ways and versions are followed")
	cmd.Flags().IntVar(&opts.Cell, "cell", compile.DefaultCell, "the size of a cell in `PIXELS`: 64, 128, ...")
	cmd.Flags().BoolVar(&opts.Force, "rebuild", false, "compile unchanged sources too")
	cmd.Flags().BoolVar(&opts.Strict, "strict", false, "treat every warning as an error")
	cmd.Flags().BoolVar(&opts.Prune, "prune", false, "remove the files of objects that are in no source any more")
	kit.JobsFlag(cmd, &opts.Workers)
	kit.AgainFlag(cmd, &again)
	return cmd
}

func compileSources(ctx context.Context, a *kit.App, opts compile.Options) error {
	end := a.Watch("compiling")
	result, err := compile.Run(ctx, opts)
	end()
	if errors.Is(err, compile.ErrNoSource) {
		return fault.Usagef("%v: %s", err, strings.Join(opts.Sources, ", "))
	}
	if err != nil {
		return err
	}
	unchanged := 0
	for _, o := range result.Outputs {
		if o.Unchanged {
			unchanged++
		}
	}
	wrong := 0
	for _, p := range result.Problems {
		if p.Severity == finding.Error {
			wrong++
		}
	}
	if a.JSON {
		compileReport.Print(a, opts.Out, "simutrans", compiled{
			!result.Failed(), len(result.Outputs) - unchanged, unchanged, wrong, append([]string{}, result.Stale...),
			append([]compile.Output{}, result.Outputs...), append([]finding.Finding{}, result.Problems...),
		})
	} else {
		// In the form of compilers, so that editors find the place.
		for _, p := range result.Problems {
			if p.Severity == finding.Error || !a.Quiet {
				fmt.Fprintln(a.Err, kit.Printable(p.String()))
			}
		}
		for _, path := range result.Stale {
			if opts.Prune {
				a.Note("removed %s, which no source makes any more", path)
			} else {
				a.Note("no source makes %s any more; --prune removes it", path)
			}
		}
		a.Note("%s compiled, %d unchanged, %s; in %s", question.Count(len(result.Outputs)-unchanged, "object"), unchanged, question.Count(wrong, "error"), opts.Out)
	}
	if result.Failed() {
		return kit.ErrFound
	}
	return nil
}

var compileReport = kit.NewReport[compiled]("simutrans.compile", "", "the objects that were compiled")

type compiled struct {
	OK        bool              `json:"ok" doc:"whether there are no errors"`
	Compiled  int               `json:"compiled" doc:"number of objects that were written"`
	Unchanged int               `json:"unchanged" doc:"number of objects whose files have this content already"`
	Errors    int               `json:"errors" doc:"number of errors"`
	Stale     []string          `json:"stale" doc:"files of objects that are in no source any more"`
	Objects   []compile.Output  `json:"objects" doc:"the objects in the order of sources"`
	Problems  []finding.Finding `json:"problems" doc:"problems of the sources"`
}
