package index

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/index/ask"
)

func dupesCommand(a *kit.App) *cobra.Command {
	var by []string
	var inside bool
	var least float64
	cmd := &cobra.Command{
		Use:     "dupes INDEX",
		GroupID: kit.GroupIndex,
		Short:   "List duplicates in an index, and near duplicates",
		Long: `Dupes lists groups of files that have something in common:

  bytes   the same file
  body    GBX files whose content is the same, with other headers
  uid     maps with the same UID
  layout  maps with the same blocks, wherever they stand on the ground
  item    maps that bring the same file along
  near    pairs of maps that share at least half of their blocks (see --least)

Files of the same bytes count as one in all groups but the first. INDEX may be a
folder: its index is kept in your cache, and updated first.`,
		Example: `  pakbox dupes my.pakbox.sqlite
  pakbox dupes my.pakbox.sqlite --by near --least 0.8
  pakbox dupes my.pakbox.sqlite --by bytes --json`,
		Args: kit.ArgCount(1, 1),
		RunE: asIndex(a, func(cmd *cobra.Command, x *ask.Index, args []string) error {
			sames, err := samesNamed(by)
			if err != nil {
				return err
			}
			for _, same := range sames {
				found, err := x.Dupes(cmd.Context(), same, inside, least)
				if err == nil {
					err = printGroups(a, args[0], same, found)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}),
	}
	cmd.Flags().StringSliceVar(&by, "by", nil, "only those that share `WHAT`: bytes, body, uid, layout, item, near")
	cmd.Flags().BoolVar(&inside, "inside", false, "also files in archives and replays")
	cmd.Flags().Float64Var(&least, "least", 0.5, "near ones share at least this `PART` of their blocks")
	return cmd
}

func samesNamed(names []string) ([]ask.Likeness, error) {
	if len(names) == 0 {
		return ask.Sames, nil
	}
	var list []ask.Likeness
	for _, name := range names {
		if !slices.Contains(ask.Sames, ask.Likeness(name)) {
			return nil, fault.Usagef("--by: nothing is called %q", name).Hint("it is one of bytes, body, uid, layout, item, near")
		}
		list = append(list, ask.Likeness(name))
	}
	return list, nil
}

// groupTitles are the titles above the groups.
var groupTitles = map[ask.Likeness]string{
	ask.SameBytes: "the same bytes", ask.SameBody: "the same body", ask.SameUID: "the same UID",
	ask.SameLayout: "the same blocks", ask.SameItem: "the same embedded file", ask.NearLayout: "many blocks in common",
}

func printGroups(a *kit.App, file string, same ask.Likeness, groups []ask.Group) error {
	for i := range groups {
		g := &groups[i]
		if a.JSON {
			if err := dupesReport.Print(a, file, "", *g); err != nil {
				return err
			}
			continue
		}
		text := groupTitles[same]
		if g.What != "" {
			text += ": " + kit.Printable(g.What)
		}
		if g.Size != nil {
			text += ", " + fact.SizeText(*g.Size)
		}
		if g.Similarity != nil {
			text += fmt.Sprintf(": %.0f%%", 100**g.Similarity)
		}
		fmt.Fprintf(a.Out, "%s\n", text)
		for _, f := range g.Files {
			fmt.Fprintf(a.Out, "  %s\n", kit.Printable(f))
		}
	}
	return nil
}

var dupesReport = kit.NewReport[ask.Group]("dupes", "", "files that have something in common; one object for each group")
