package simutrans

import (
	"errors"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/simutrans"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
)

func decompileCommand(a *kit.App) *cobra.Command {
	var params answers.DecompileParams
	var dir string
	var force bool
	cmd := &cobra.Command{
		Use:        "decompile FILE...",
		SuggestFor: []string{"extract", "unpack", "export"},
		Short:      "Turn Simutrans objects into .dat and PNG again",
		Long: `Decompile writes a source and a picture for every object of the given files, or
of the .pak files in the given folders and below: TYPE.NAME.dat and TYPE_NAME.png.
Then it compiles the result and compares it with the object. A difference is
reported, and the exit code is 1.

Values that the source language cannot express are in comments that only pakbox
reads. Objects of Simutrans-Extended have another language: all their nodes are in
such comments, and only their names and images can be changed.
Objects belong to their authors; the copyright line is part of the source.`,
		Example: `  pakbox simutrans decompile vehicle.TB24.pak -C sources
  pakbox simutrans decompile pak/ -C sources
  pakbox simutrans decompile all.pak/vehicle.TB24 -C sources`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := answers.CheckTarget(params.Target); err != nil {
				return err
			}
			return decompileFiles(a, a.Paths(cmd.Context(), "simutrans.decompile", args), dir, force, params)
		},
	}
	cmd.Flags().StringVarP(&dir, "directory", "C", ".", "write into `DIR`")
	cmd.Flags().BoolVar(&force, "force", false, "replace files that exist")
	targetFlag(cmd, &params.Target, "write sources for this makeobj; else for the one that gives the object again")
	kit.JobsFlag(cmd, &params.Workers)
	return cmd
}

func decompileFiles(a *kit.App, args []string, dir string, force bool, params answers.DecompileParams) error {
	if len(args) == 0 {
		return nil
	}
	end := a.Watch("decompiling")
	defer end()
	params.More = args[1:]
	f, err := answers.Decompile.Ask(a.Ctx, a.At(args[0]), params)
	if err != nil {
		a.Fail("simutrans.decompile", args[0], err)
		return nil
	}
	r := f.Say.(*answers.DecompileReport)
	for _, failed := range r.Failed {
		a.Fail("simutrans.decompile", failed.File, failed.Err)
	}
	if len(r.Failed) == len(args) {
		return nil
	}
	err = f.Write(a.Ctx, dir, force)
	end()
	if rejected := (*question.Rejected)(nil); err != nil && !errors.As(err, &rejected) {
		return err
	}
	return decompiled(a, args[0], r)
}

// decompiled prints the results of the objects.
func decompiled(a *kit.App, name string, r *answers.DecompileReport) error {
	for _, err := range r.Problems {
		if fault.KindOf(err) == "" { // an error of the system, not about the object
			a.Remember(err)
		}
	}
	if a.JSON {
		decompileReport.Print(a, name, "simutrans", *r)
	} else if r.Written > 0 || len(r.Problems) == 0 {
		give := "give"
		if r.Exact == 1 {
			give = "gives"
		}
		a.Note("%s written to %s; %d %s the same object again", question.Count(r.Written, "source"), r.Target, r.Exact, give)
		if r.Carried > 0 {
			a.Note("%d of them keep their nodes as they are, because no source language for them is known", r.Carried)
		}
	}
	if len(r.Problems) > 0 {
		// An object that the source language cannot express is a finding, not a failure.
		a.Say(errors.Join(r.Problems...))
		return kit.ErrFound
	}
	return nil
}

var decompileReport = kit.NewReport[answers.DecompileReport]("simutrans.decompile", "", "the sources that were written")
