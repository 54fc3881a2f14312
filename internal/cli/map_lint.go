package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/finding"
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
		Args:    argCount(1, unlimited),
	}
	cmd.RunE = a.eachMap(func(name string, _ *source, m *trackmania.Map) error {
		data, err := m.File.Encode()
		if err != nil {
			return err
		}
		findings := m.Lint(int64(len(data)))
		if a.json {
			err = a.print(newObject("map.lint", name, "gbx").add("findings", append([]finding.Finding{}, findings...)))
		} else {
			for _, f := range findings {
				fmt.Fprintf(a.out, "%s: %s: %s (%s)\n", printable(name), f.Severity, printable(f.Message), f.Rule)
			}
			if len(findings) == 0 {
				a.note("%s: nothing found", name)
			}
		}
		if err == nil && len(findings) > 0 {
			err = errFound
		}
		return err
	})
	return cmd
}
