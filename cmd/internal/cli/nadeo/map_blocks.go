package nadeo

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/nadeo/maps/table"
)

func mapBlocksCommand(a *kit.App) *cobra.Command {
	var counts bool
	params := nadeo.MapBlocks.NewParams()
	var rows kit.Columns
	var set string
	save := kit.Output{InPlace: true}
	var layout nadeo.LayoutParams
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "blocks MAP...",
		Short: "List the blocks on a map, count them, or set them from a table",
		Long: `Blocks lists the blocks on a map, or in a macroblock: name, place in blocks (x y z) and direction (0
north, 1 east, 2 south, 3 west). Free blocks, and the items that --items adds,
have their place in metres instead, and their rotation in radians.

--set changes the map to match such a list, as CSV or JSON, which you have edited:
the map then has the blocks of the list, in its order, and with --items the items
too. Blocks without a row are removed: the number is printed, and if it is more than
half, the map is saved in place only with --force. A CSV that --where made shorter
CSV that --where made shorter A new row needs only a name and a place. A value that a row does not
name stays as it is, or is the game's default. A block whose name or place is still
in the list also keeps the values that no list shows.`,
		Example: `  pakbox map blocks A.Map.Gbx
  pakbox map blocks --count --items A.Map.Gbx
  pakbox map blocks --csv maps > blocks.csv
  pakbox map blocks --table --where 'name~Checkpoint' A.Map.Gbx
  pakbox map blocks --items --set changed.csv A.Map.Gbx --dry-run
  pakbox map blocks --items --set changed.csv A.Map.Gbx -o B.Map.Gbx`,
	}
	var list func(cmd *cobra.Command, args []string) error
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case set != "" && (counts || params.Baked):
			return fault.Usagef("--set takes neither --count nor --baked: the game adds baked blocks by itself")
		case set != "":
			many.Folders = false // folders are changed only with -r
			return kit.Change(a, cmd, many, args, save, nadeo.SetMapBlocks, nadeo.NewBlocks{Table: question.Content{Name: set}, Items: params.Items, LayoutParams: layout,
				RemoveMost: save.Force || save.DryRun || save.Given()})
		case save.Out != "" && !strings.HasSuffix(strings.ToLower(save.Out), ".gbx") && !save.DryRun && !save.Backup:
			return a.Redirect(save.Out, save.Force, func() error { return list(cmd, args) })
		case save.Given() || save.DryRun || save.Backup:
			return fault.Usagef("only --set changes maps").Hint("to write the list to a file: pakbox map blocks --csv MAP -o blocks.csv")
		}
		return list(cmd, args)
	}
	list = func(cmd *cobra.Command, args []string) error {
		if counts {
			return countEach(a, cmd, many, args, rows.CSV(), func(m table.Holder) []table.Thing { return table.On(m, params.Baked, params.Items) })
		}
		return askRows(a, cmd, many, args, "", nadeo.MapBlocks, params, &rows, table.Columns, func(run *kit.App, name string, list *nadeo.Blocks) error {
			title(run, name)
			for t := range list.Blocks {
				fmt.Fprintln(run.Out, placedLine(t))
			}
			return nil
		}, "file", "name", "kind", "x", "y", "z", "direction", "waypoint")
	}
	many.Flags(cmd)
	rows.Flags(cmd, table.Columns...)
	rows.MarkFilter(table.FilterColumn)
	cmd.Flags().BoolVar(&counts, "count", false, "count them by name")
	kit.Flags(cmd, nadeo.MapBlocks, &params)
	cmd.Flags().StringVar(&set, "set", "", "make the blocks those of the CSV or JSON in `FILE`, - for standard input")
	save.Flags(cmd)
	keepUIDFlag(cmd, &layout)
	cmd.Flags().Lookup("dry-run").Usage = listChanges
	return cmd
}

// placedLine formats a block or item for people.
func placedLine(p *table.Thing) string {
	line := fmt.Sprintf("%-32s %s", kit.Printable(p.Name), p.Place())
	if p.Direction != nil {
		line += "  facing " + strconv.Itoa(*p.Direction)
	}
	if p.Waypoint != nil {
		line += "  " + kit.Printable(*p.Waypoint)
	}
	return line
}

// countEach counts the blocks and items on each map.
func countEach(a *kit.App, cmd *cobra.Command, many kit.Many, args []string, asCSV bool, placed func(m table.Holder) []table.Thing) error {
	if asCSV && !a.JSON {
		fmt.Fprintln(a.Out, "file,name,kind,count")
	}
	return look(a, cmd, many, args, "", func(a *kit.App, name string) error {
		return nadeo.WithThings(a.Ctx, a.Opener, name, func(m table.Holder) error { return printCounts(a, name, asCSV, placed(m)) })
	})
}

// printCounts prints how many blocks or items have each name.
func printCounts(a *kit.App, name string, asCSV bool, list []table.Thing) error {
	counts := table.Count(list)
	switch {
	case a.JSON:
		return blockCountReport.Print(a, name, "gbx", blockCount{len(list), counts})
	case asCSV:
		w := csv.NewWriter(a.Out)
		for _, c := range counts {
			w.Write([]string{name, c.Name, c.Kind, strconv.Itoa(c.Count)})
		}
		w.Flush()
		return w.Error()
	}
	title(a, name)
	t := kit.Table{Right: 1}
	for _, c := range counts {
		t.Add(strconv.Itoa(c.Count), c.Kind, kit.Printable(c.Name))
	}
	t.Add(strconv.Itoa(len(list)), "in all")
	t.Print(a.Out)
	return nil
}

var blockCountReport = kit.NewReport[blockCount]("map.blocks", "--count", "how many blocks and items of each name are on a map")

type blockCount struct {
	Count  int               `json:"count" doc:"number of blocks and items"`
	ByName []table.NameCount `json:"by_name" doc:"number of each name, the largest first"`
}
