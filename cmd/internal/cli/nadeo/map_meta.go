package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

func mapMetaCommand(a *kit.App) *cobra.Command {
	set := nadeo.SetMapMeta.NewParams()
	save := kit.Output{InPlace: true}
	var many kit.Many
	cmd := &cobra.Command{
		Use:   "meta MAP... [NAME...]",
		Short: "Show or set what scripts stored in a map",
		Long: `Meta shows the values that scripts stored in a map, or those that NAMEs name,
with their types. --set changes a value that the map already has. It must be a Boolean, an
Integer, a Real or a Text.`,
		Example: `  pakbox map meta A.Map.Gbx
  pakbox map meta A.Map.Gbx LibMapType_MapTypeVersion
  pakbox map meta A.Map.Gbx --set LibMapType_MapTypeVersion=2`,
		RunE: func(cmd *cobra.Command, args []string) error {
			paths, names := kit.SplitFiles(args, source.Exists)
			if len(set.Set) == 0 {
				params := nadeo.MapMeta.NewParams()
				params.Names = names
				return ask(a, cmd, many, paths, "", nadeo.MapMeta, params, printMeta)
			}
			if len(names) > 0 {
				return fault.Usagef("a NAME does not go with --set")
			}
			return kit.Change(a, cmd, many, paths, save, nadeo.SetMapMeta, set)
		},
	}
	kit.Flags(cmd, nadeo.SetMapMeta, &set)
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}

func printMeta(a *kit.App, name string, m *nadeo.Meta) error {
	if len(m.Values) == 0 {
		a.Note("%s: scripts stored nothing in the map", name)
		return nil
	}
	title(a, name)
	for _, v := range m.Values {
		text, err := question.Marshal(v.Value)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.Out, "%s %s = %s\n", kit.Printable(v.Type), kit.Printable(v.Name), kit.Printable(string(text)))
	}
	return nil
}
