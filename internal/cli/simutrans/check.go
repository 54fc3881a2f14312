package simutrans

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/simutrans/check"
)

func (a *app) checkCommand() *cobra.Command {
	var configFile, show, fail string
	cmd := &cobra.Command{
		Use:   "check PATH...",
		Short: "Look at a whole Simutrans pakset for what does not fit together",
		Long: `Check reads all object files of a pakset, in folders with all below them, and
reports what no compiler sees, because it sees one object at a time.

` + ruleList() + `
Findings are errors, warnings or infos. --show hides lower ones, --fail says
from which level on the exit code is 1. A configuration file gives a rule
another level for some objects, or turns it off; the last line that fits counts:

  # rule     object           level
  outside    *                off
  dangling   vehicle.Old*     info`,
		Example: `  pakbox simutrans check pak
  pakbox simutrans check --config pakset.check --fail warning pak
  pakbox simutrans check --json pak`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			var levels [2]check.Level
			for i, s := range []string{show, fail} {
				var err error
				if levels[i], err = check.ParseLevel(s); err != nil {
					return hint.Usagef("%v", err)
				}
			}
			paths, err := a.LocalPaths(args)
			if err != nil {
				return err
			}
			return a.checkPakset(cmd.Context(), paths, configFile, levels[0], levels[1])
		},
	}
	cmd.Flags().StringVar(&configFile, "config", "", "read the levels of rules from `FILE`")
	cmd.Flags().StringVar(&show, "show", "info", "show findings from this `LEVEL` on: info, warning, error")
	cmd.Flags().StringVar(&fail, "fail", "error", "exit with 1 from this `LEVEL` on: info, warning, error, or off for never")
	return cmd
}

func ruleList() (text string) {
	for _, r := range check.Rules {
		text += fmt.Sprintf("  %-10s  %s\n", r.Name, r.Text)
	}
	return text
}

func (a *app) checkPakset(ctx context.Context, paths []string, configFile string, show, fail check.Level) error {
	var config *check.Config
	if configFile != "" {
		f, err := os.Open(configFile)
		if err != nil {
			return err
		}
		defer f.Close()
		if config, err = check.ParseConfig(f); err != nil {
			return hint.Usagef("%s: %v", configFile, err)
		}
	}
	end := a.Watch("checking")
	c, err := answer.CheckPakset(ctx, paths, config)
	end()
	if err != nil {
		return err
	}
	worst := check.Worst(c.Findings)
	if a.JSON {
		a.Print(c.Object(show))
	} else {
		for _, f := range c.From(show) {
			fmt.Fprintln(a.Out, shell.Printable(f.String()))
		}
		a.Note("%s checked: %s, %s, %s", answer.Count(c.Objects, "object"),
			answer.Count(c.Counts[check.Error], "error"), answer.Count(c.Counts[check.Warning], "warning"), answer.Count(c.Counts[check.Info], "info"))
	}
	if fail != check.Off && worst >= fail {
		return shell.ErrFound
	}
	return nil
}
