package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
	"pakbox/trackmania"
)

func (a *app) mapLintCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lint MAP...",
		Short: "Look for what commonly goes wrong with maps",
		Long: `Lint looks for items that are used but not embedded, addresses that look dead
(without contacting them), medals out of order, maps too large for a server,
UIDs and checksums that do not fit, and paths that tell about their maker's
computer. It exits with 1 if it finds anything. That it finds nothing is no
promise that a game loads the map.`,
		Example: "  pakbox map lint *.Map.Gbx",
		Args:    shell.ArgCount(1, shell.Unlimited),
	}
	cmd.RunE = a.eachMap(func(name string, _ *source.Source, m *trackmania.Map) error {
		findings, err := answer.Lint(m)
		if err != nil {
			return err
		}
		if a.JSON {
			err = a.Print(answer.New("map.lint", name, "gbx").Add("findings", findings))
		} else {
			for _, f := range findings {
				fmt.Fprintf(a.Out, "%s: %s: %s (%s)\n", shell.Printable(name), f.Severity, shell.Printable(f.Message), f.Rule)
			}
			if len(findings) == 0 {
				a.Note("%s: nothing found", name)
			}
		}
		if err == nil && len(findings) > 0 {
			err = shell.ErrFound
		}
		return err
	})
	return cmd
}
