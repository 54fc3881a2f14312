package simutrans

import (
	"bytes"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/simutrans"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/simutrans/makeobj"
)

func makeobjCommand(a *kit.App) *cobra.Command {
	front := makeobj.Front{}
	cmd := &cobra.Command{
		Use:     "makeobj COMMAND [ARGUMENT...]",
		GroupID: kit.GroupGame,
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

Its files and lists are those of makeobj 60.6, and PAK has makeobj's exit codes:
two objects with one name, an object of an unknown type and a missing source are
reported, but the exit code is 0. A problem is reported with its place, and
leaves no incomplete file. LIST, DUMP, MERGE and EXTRACT fail for a file that
cannot be read; makeobj skips such a file without a message.
'pakbox simutrans compile' reports more, also as JSON.`,
		Example: `  pakbox makeobj pak128 out/ *.dat
  pakbox makeobj list pak/
  pakbox makeobj QUIET MERGE all.pak vehicle.*.pak`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := answers.CheckTarget(front.Target); err != nil {
				return err
			}
			words, err := a.LocalPaths(args)
			if err != nil {
				return err
			}
			if a.Quiet {
				words = append([]string{"QUIET"}, words...)
			}
			return runMakeobj(a, cmd, &front, words)
		},
	}
	targetFlag(cmd, &front.Target, "compile as this makeobj does")
	kit.JobsFlag(cmd, &front.Workers)
	return cmd
}

func runMakeobj(a *kit.App, cmd *cobra.Command, front *makeobj.Front, words []string) error {
	front.Stdout, front.Stderr = a.Out, a.Err
	var stdout, stderr bytes.Buffer
	if a.JSON {
		front.Stdout, front.Stderr = &stdout, &stderr
	}
	code := front.Run(cmd.Context(), words)
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	if a.JSON {
		path := ""
		if len(words) > 0 {
			path = words[0]
		}
		makeobjReport.Print(a, path, "simutrans", makeobjOutput{code == 0, stdout.String(), stderr.String()})
	}
	switch code {
	case 0:
		return nil
	case 1:
		a.Code = max(a.Code, kit.ExitCode(front.Failure())) // 3 if a file could not be read or written
		return kit.ErrFound
	}
	return kit.ErrUsageShown
}

var makeobjReport = kit.NewReport[makeobjOutput]("makeobj", "", "the output of makeobj")

type makeobjOutput struct {
	OK       bool   `json:"ok" doc:"whether there was no error"`
	Output   string `json:"output" doc:"text of the standard output"`
	Messages string `json:"messages" doc:"text of the error output"`
}
