package nadeo

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapMetaCommand) }

func (a *app) mapMetaCommand() *cobra.Command {
	var set []string
	var save shell.Saving
	var many shell.Many
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
			paths, names := shell.SplitFiles(args, source.Exists)
			if len(set) == 0 {
				params := track.MapMeta.NewParams()
				params.Names = names
				return ask(a, cmd, many, paths, "", track.MapMeta, params, (*app).printMeta)
			}
			if len(names) > 0 {
				return hint.Usagef("a NAME does not go with --set")
			}
			return a.editMaps(cmd, many, paths, save, func(m *maps.Map) (*form.Object, error) {
				for _, arg := range set {
					name, value, ok := strings.Cut(arg, "=")
					if !ok {
						return nil, hint.Usagef("--set %s: write NAME=VALUE", arg)
					}
					if err := m.SetMeta(name, value); err != nil {
						return nil, hint.Usagef("%v", err).Hint("'pakbox map meta %s' lists what the map holds", hint.Word(paths[0]))
					}
				}
				return new(form.Object).Add("set", set), nil
			})
		},
	}
	cmd.Flags().StringArrayVar(&set, "set", nil, "set a value: `NAME=VALUE`")
	many.Flags(cmd)
	save.Flags(cmd)
	return cmd
}

func (a *app) printMeta(name string, m *track.Meta) error {
	if len(m.Values) == 0 {
		a.Note("%s: scripts stored nothing in the map", name)
		return nil
	}
	a.title(name)
	for _, v := range m.Values {
		text, err := form.Marshal(v.Value)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.Out, "%s %s = %s\n", shell.Printable(v.Type), shell.Printable(v.Name), shell.Printable(string(text)))
	}
	return nil
}
