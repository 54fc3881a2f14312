package nadeo

import (
	"encoding/csv"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/trackmania"
)

func (a *app) mapBlocksCommand() *cobra.Command {
	var counts, asCSV, baked, items bool
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "blocks MAP...",
		Short: "List the blocks on a map, or count them by name",
		Long: `Blocks lists the blocks on a map: name, place in blocks (x y z) and direction (0
north, 1 east, 2 south, 3 west). Free blocks, and the items that --items adds,
have their place in metres instead, and their rotation in radians.`,
		Example: `  pakbox map blocks A.Map.Gbx
  pakbox map blocks --count --items A.Map.Gbx
  pakbox map blocks --csv A.Map.Gbx > blocks.csv`,
		Args: shell.ArgCount(1, shell.Unlimited),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return a.lookAtMaps(cmd, many, args, "", func(a *app, name string, m *trackmania.Map) error {
			list := answer.PlacedOn(m, baked, items)
			switch {
			case counts:
				return a.countBlocks(name, list, asCSV)
			case a.JSON:
				return a.Print(answer.BlocksObject(name, list))
			case asCSV:
				return a.writeBlocks(list)
			}
			for i := range list {
				fmt.Fprintln(a.Out, placedLine(&list[i]))
			}
			return nil
		})
	}
	many.Flags(cmd)
	cmd.Flags().BoolVar(&counts, "count", false, "count them by name")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "write CSV")
	cmd.Flags().BoolVar(&baked, "baked", false, "also the blocks that the game adds by itself")
	cmd.Flags().BoolVar(&items, "items", false, "also the items")
	return cmd
}

// placedLine is a line for people.
func placedLine(p *answer.Placed) string {
	cells := p.Row()
	unit := ""
	if p.Coord == nil {
		unit = " m"
	}
	line := fmt.Sprintf("%-32s %s %s %s%s", shell.Printable(p.Name), cells[2], cells[3], cells[4], unit)
	if p.Direction != nil {
		line += "  facing " + cells[5]
	}
	if p.Waypoint != nil {
		line += "  " + shell.Printable(*p.Waypoint)
	}
	return line
}

func (a *app) writeBlocks(list []answer.Placed) error {
	w := csv.NewWriter(a.Out)
	w.Write(answer.BlockColumns)
	for i := range list {
		w.Write(list[i].Row())
	}
	w.Flush()
	return w.Error()
}

func (a *app) countBlocks(name string, list []answer.Placed, asCSV bool) error {
	counts := answer.CountPlaced(list)
	if a.JSON {
		return a.Print(answer.CountObject(name, len(list), counts))
	}
	if asCSV {
		w := csv.NewWriter(a.Out)
		w.Write([]string{"name", "kind", "count"})
		for _, c := range counts {
			w.Write([]string{c.Name, c.Kind, strconv.Itoa(c.Count)})
		}
		w.Flush()
		return w.Error()
	}
	t := shell.Table{Right: 1}
	for _, c := range counts {
		t.Add(strconv.Itoa(c.Count), c.Kind, shell.Printable(c.Name))
	}
	t.Add(strconv.Itoa(len(list)), "in all")
	t.Print(a.Out)
	return nil
}
