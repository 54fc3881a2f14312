package simutrans

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/simutrans"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/quote"
	"pakbox/simutrans/compile"
)

func compileCommand(a *kit.App) *cobra.Command {
	params := answers.CompileParams{Cell: compile.DefaultCell}
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
			if err := answers.CheckTarget(params.Target); err != nil {
				return err
			}
			sources, err := a.LocalPaths(args[1:])
			if err != nil {
				return err
			}
			out := args[0]
			if err := answers.OnlySources(a.At(out), sources); err != nil {
				if source.IsFolder(out) && len(sources) == 1 && !source.Exists(sources[0]) && !strings.EqualFold(filepath.Ext(sources[0]), ".dat") {
					return fault.WithHint(err, "the place of the objects comes first: pakbox simutrans compile %s %s", quote.Word(args[1]), quote.Word(out))
				}
				return err
			}
			if !source.IsFolder(out) && !strings.HasSuffix(out, "/") {
				if err := kit.Promises(out, ".pak"); err != nil {
					return err
				}
			}
			params.Notes = answers.NotesFolder()
			if again {
				return a.Again(kit.SchemaName(cmd), sources, func() error { return compileSources(a, out, sources, params) })
			}
			return compileSources(a, out, sources, params)
		},
	}
	targetFlag(cmd, &params.Target, "the makeobj whose ways and versions are followed")
	kit.Flags(cmd, answers.Compile, &params)
	kit.JobsFlag(cmd, &params.Workers)
	kit.AgainFlag(cmd, &again)
	return cmd
}

func compileSources(a *kit.App, out string, sources []string, params answers.CompileParams) error {
	at := a.At(sources[0])
	params.More = sources[1:]
	end := a.Watch("compiling")
	defer end()
	f, err := answers.Compile.Ask(a.Ctx, at, params)
	if err == nil {
		err = f.Write(a.Ctx, out, true)
	}
	end()
	if rejected := (*question.Rejected)(nil); err != nil && !errors.As(err, &rejected) {
		return err
	}
	r := f.Say.(*answers.CompileReport)
	if a.JSON {
		compileReport.Print(a, out, at.Format, *r)
	} else {
		// In the form of compilers, so that editors find the place.
		for _, p := range r.Problems {
			if p.Severity == finding.Error || !a.Quiet {
				fmt.Fprintln(a.Err, kit.Printable(p.String()))
			}
		}
		for _, path := range r.Stale {
			if params.Prune {
				a.Note("removed %s, which no source makes any more", path)
			} else {
				a.Note("no source makes %s any more; --prune removes it", path)
			}
		}
		a.Note("%s compiled, %d unchanged, %s; in %s", question.Count(r.Compiled, "object"), r.Unchanged, question.Count(r.Errors, "error"), out)
	}
	if !r.OK {
		return kit.ErrFound
	}
	return nil
}

var compileReport = kit.NewReport[answers.CompileReport]("simutrans.compile", "", "the objects that were compiled")
