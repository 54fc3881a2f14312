package simutrans

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/simutrans"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/simutrans"
	"pakbox/simutrans/decompile"
)

func decompileCommand(a *kit.App) *cobra.Command {
	var opts decompile.RunOptions
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
			if err := checkTarget(opts.Target); err != nil {
				return err
			}
			return decompileFiles(cmd.Context(), a, a.Paths(cmd.Context(), "simutrans.decompile", args), opts)
		},
	}
	cmd.Flags().StringVarP(&opts.Out, "directory", "C", ".", "write into `DIR`")
	cmd.Flags().BoolVar(&opts.Overwrite, "force", false, "replace files that exist")
	targetFlag(cmd, &opts.Target, "write sources for this makeobj; else for the one that gives the object again")
	kit.JobsFlag(cmd, &opts.Workers)
	return cmd
}

// decompiledJSON is an object in simutrans decompile --json.
type decompiledJSON struct {
	decompile.Output
	Error *question.Error `json:"error,omitempty" doc:"reason why the object has no source"`
}

func decompileFiles(ctx context.Context, a *kit.App, args []string, opts decompile.RunOptions) error {
	end := a.Watch("decompiling")
	defer end()
	given := map[string]string{} // the user's paths, by the files they lead to
	for _, arg := range args {
		file, err := objectFile(ctx, a, arg)
		if err != nil {
			a.Fail("simutrans.decompile", arg, err)
			continue
		}
		given[file] = arg
		opts.Sources = append(opts.Sources, file)
	}
	if len(opts.Sources) == 0 {
		return nil
	}
	opts.Progress = a.Progress
	outputs, err := decompile.Run(ctx, opts)
	end()
	if err != nil {
		return err
	}
	for i := range outputs {
		if arg, ok := given[outputs[i].File]; ok {
			outputs[i].File = arg
		}
	}
	return decompiled(a, args[0], opts.Out, outputs)
}

// decompiled prints the results of the objects.
func decompiled(a *kit.App, name, dir string, outputs []decompile.Output) error {
	var problems []error
	objects := make([]decompiledJSON, len(outputs))
	written, exact, carried := 0, 0, 0
	for i, o := range outputs {
		objects[i].Output = o
		switch {
		case o.Err != nil:
			err := fault.InFile(o.Err, o.File)
			if o.Object != "" {
				err = fault.InEntry(err, o.Object)
			}
			problems = append(problems, err)
			if fault.KindOf(err) == "" { // an error of the system, not about the object
				a.Remember(err)
			}
			objects[i].Error = a.ErrorObject(err)
			continue
		case !o.Exact:
			problems = append(problems, fault.InFile(fault.InEntry(fault.New(fault.Unsupported, "compiled again it would differ: %s", o.Loss), o.Object), o.File))
		default:
			exact++
		}
		written++
		if o.Carried {
			carried++
		}
	}
	if a.JSON {
		decompileReport.Print(a, name, "simutrans", decompiledFields{dir, written, exact, objects})
	} else if written > 0 || len(problems) == 0 {
		give := "give"
		if exact == 1 {
			give = "gives"
		}
		a.Note("%s written to %s; %d %s the same object again", question.Count(written, "source"), dir, exact, give)
		if carried > 0 {
			a.Note("%d of them keep their nodes as they are, because no source language for them is known", carried)
		}
	}
	if len(problems) > 0 {
		// An object that the source language cannot express is a finding, not a failure.
		a.Say(errors.Join(problems...))
		return kit.ErrFound
	}
	return nil
}

// objectFile returns a file on disk for a path to an object file, to a folder of such
// files, or to an object inside a file.
func objectFile(ctx context.Context, a *kit.App, name string) (string, error) {
	file, err := a.Resolve(ctx, name)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	dir, err := a.TempDir()
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, "object.pak")
	return file, answers.WithObjects(ctx, a.At(name), "", func(objects []simutrans.Object) error { return writeObjects(file, objects, false) })
}

var decompileReport = kit.NewReport[decompiledFields]("simutrans.decompile", "", "the sources that were written")

type decompiledFields struct {
	Target  string           `json:"target" doc:"folder of the sources"`
	Written int              `json:"written" doc:"number of sources"`
	Exact   int              `json:"exact" doc:"number of sources that compile to the same object"`
	Objects []decompiledJSON `json:"objects" doc:"the objects"`
}
