package cli

import (
	"bytes"

	"github.com/spf13/cobra"

	"pakbox/simutrans/makeobj"
)

func (a *app) makeobjCommand() *cobra.Command {
	front := makeobj.Front{}
	cmd := &cobra.Command{
		Use:     "makeobj COMMAND [ARGUMENT...]",
		GroupID: groupGame,
		Short:   "Do what Simutrans' makeobj does, with its command line",
		Long: `Makeobj takes the command line of Simutrans' compiler, so that build scripts
change one word. Commands may be written in any case:

  CAPABILITIES             list the objects that can be compiled
  PAK[SIZE] [OUT [DAT...]] compile; OUT/ writes a file per object
  LIST PAK...              list objects
  DUMP PAK...              list nodes
  MERGE OUT PAK...         put objects into one file
  EXTRACT PAK...           put objects into files of their own, here
  EXPAND OUT DAT...        write sources without abbreviations

What it writes and lists is what makeobj 60.6 writes and lists. A problem always
gives a non-zero exit code, names its place, and leaves no half-written file.
'pakbox simutrans compile' reports more, also as JSON.`,
		Example: `  pakbox makeobj pak128 out/ *.dat
  pakbox makeobj list pak/
  pakbox makeobj QUIET MERGE all.pak vehicle.*.pak`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkTarget(front.Target); err != nil {
				return err
			}
			words, err := a.localPaths(args)
			if err != nil {
				return err
			}
			if a.quiet {
				words = append([]string{"QUIET"}, words...)
			}
			return a.makeobj(cmd, &front, words)
		},
	}
	targetFlag(cmd, &front.Target, "compile as this makeobj does")
	jobsFlag(cmd, &front.Workers)
	return cmd
}

func (a *app) makeobj(cmd *cobra.Command, front *makeobj.Front, words []string) error {
	front.Stdout, front.Stderr = a.out, a.env.Stderr
	var stdout, stderr bytes.Buffer
	if a.json {
		front.Stdout, front.Stderr = &stdout, &stderr
	}
	code := front.Run(cmd.Context(), words)
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	if a.json {
		path := ""
		if len(words) > 0 {
			path = words[0]
		}
		a.print(newObject("makeobj", path, "simutrans").add("ok", code == 0).add("output", stdout.String()).add("messages", stderr.String()))
	}
	switch code {
	case 0:
		return nil
	case 1:
		a.code = max(a.code, exitCode(front.Failure())) // 3 where a file could not be read or written
		return errFound
	}
	return errUsageShown
}
