package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/trackmania"
)

func (a *app) mapMetaCommand() *cobra.Command {
	var set []string
	var save saving
	cmd := &cobra.Command{
		Use:   "meta MAP [NAME...]",
		Short: "Show or set what scripts stored in a map",
		Long: `Meta shows the values that scripts stored in a map, or those that NAMEs name,
with their types. --set gives a Boolean, Integer, Real or Text that is there
already another value.`,
		Example: `  pakbox map meta A.Map.Gbx
  pakbox map meta A.Map.Gbx LibMapType_MapTypeVersion
  pakbox map meta A.Map.Gbx --set LibMapType_MapTypeVersion=2`,
		Args: argCount(1, unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(set) == 0 {
				return a.withMap(cmd, args[0], func(_ *source, m *trackmania.Map) error {
					return a.printMeta(args[0], m.Meta(), args[1:])
				})
			}
			if len(args) > 1 {
				return usagef("a NAME does not go with --set")
			}
			return a.editMap(cmd, args[0], save, func(m *trackmania.Map) (*object, error) {
				for _, arg := range set {
					name, value, ok := strings.Cut(arg, "=")
					if !ok {
						return nil, usagef("--set %s: write NAME=VALUE", arg)
					}
					if err := m.SetMeta(name, value); err != nil {
						return nil, usagef("%s: %v", args[0], err).hint("'pakbox map meta %s' lists what the map holds", args[0])
					}
				}
				return new(object).add("set", set), nil
			})
		},
	}
	cmd.Flags().StringArrayVar(&set, "set", nil, "set a value: `NAME=VALUE`")
	save.flags(cmd)
	return cmd
}

func (a *app) printMeta(name string, values []trackmania.MetaValue, wanted []string) error {
	for _, w := range wanted {
		if !slices.ContainsFunc(values, func(v trackmania.MetaValue) bool { return v.Name == w }) {
			return usagef("%s: the map holds no value %q", name, w).hint("'pakbox map meta %s' lists those it holds", name)
		}
	}
	if len(wanted) > 0 {
		values = slices.DeleteFunc(values, func(v trackmania.MetaValue) bool { return !slices.Contains(wanted, v.Name) })
	}
	if a.json {
		list := make([]*object, len(values))
		for i, v := range values {
			list[i] = new(object).add("name", v.Name).add("type", v.Type).add("value", v.Value)
		}
		return a.print(newObject("map.meta", name, "gbx").add("values", list))
	}
	if len(values) == 0 {
		a.note("%s: scripts stored nothing in the map", name)
	}
	for _, v := range values {
		text, err := marshal(v.Value)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%s %s = %s\n", printable(v.Type), printable(v.Name), printable(string(text)))
	}
	return nil
}
