package nadeo

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
	"pakbox/trackmania"
)

func (a *app) mapBlocksCommand() *cobra.Command {
	var counts, asCSV, baked, items bool
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
	cmd.RunE = a.eachMap(func(name string, _ *source.Source, m *trackmania.Map) error {
		if asCSV && !counts && !a.JSON {
			return a.writeBlocks(m, baked, items)
		}
		list := answer.PlacedOn(m, baked, items)
		switch {
		case counts:
			return a.countBlocks(name, list, asCSV)
		case a.JSON:
			return a.Print(answer.BlocksObject(name, list))
		}
		for i := range list {
			fmt.Fprintln(a.Out, placedLine(&list[i]))
		}
		return nil
	})
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

func (a *app) writeBlocks(m *trackmania.Map, baked, items bool) error {
	line := []byte(strings.Join(answer.BlockColumns, ",") + "\n")
	if _, err := a.Out.Write(line); err != nil {
		return err
	}
	for p := range answer.EachPlaced(m, baked, items) {
		line = p.AppendCSV(line[:0])
		if _, err := a.Out.Write(line); err != nil {
			return err
		}
	}
	return nil
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
