package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
)

func mapPasswordCommand(a *kit.App) *cobra.Command {
	save := kit.Output{InPlace: true}
	var many kit.Many
	var remove bool
	params := nadeo.RemoveMapPassword.NewParams()
	cmd := &cobra.Command{
		Use:   "password MAP...",
		Short: "Check whether a map has a password, or remove it from your own",
		Long: `Password prints whether editing a map needs a password. With --remove it
removes the password. By a password an author asks others not to
edit the map, so this needs --i-own-this-map.`,
		Example: `  pakbox map password A.Map.Gbx
  pakbox map password A.Map.Gbx --remove --i-own-this-map -o open.Map.Gbx`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !remove {
				return ask(a, cmd, many, args, "", nadeo.MapPassword, question.NoParams{}, printPassword)
			}
			return kit.Change(a, cmd, many, args, save, nadeo.RemoveMapPassword, params)
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "take the password off")
	kit.Flags(cmd, nadeo.RemoveMapPassword, &params)
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}

func printPassword(a *kit.App, name string, p *nadeo.Password) error {
	text := "no password"
	if p.Password {
		text = "a password is set"
	}
	if !p.CRCOK {
		text += "; its checksum does not fit the map"
	}
	fmt.Fprintf(a.Out, "%s: %s\n", kit.Printable(name), text)
	return nil
}
