package nadeo

import (
	"encoding/csv"
	"fmt"
	"iter"
	"strconv"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/answer/about"
	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/csvline"
	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/table"
)

func init() { mapFamily.add((*app).mapBlocksCommand) }

func (a *app) mapBlocksCommand() *cobra.Command {
	var counts bool
	params := track.MapBlocks.NewParams()
	var rows shell.Columns
	var set string
	var save shell.Saving
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "blocks MAP...",
		Short: "List the blocks on a map, count them, or set them from a table",
		Long: `Blocks lists the blocks on a map, or in a macroblock: name, place in blocks (x y z) and direction (0
north, 1 east, 2 south, 3 west). Free blocks, and the items that --items adds,
have their place in metres instead, and their rotation in radians.

--set changes the map to match such a list, as CSV or JSON, which you have edited:
the map then has the blocks of the list, in its order, and with --items the items
too. Blocks without a row are removed, so do not set a list that --where or --fields
made shorter. A new row needs only a name and a place. A value that a row does not
name stays as it is, or is the game's default. A block whose name or place is still
in the list also keeps the values that no list shows.`,
		Example: `  pakbox map blocks A.Map.Gbx
  pakbox map blocks --count --items A.Map.Gbx
  pakbox map blocks --csv maps > blocks.csv
  pakbox map blocks --table --where 'name~Checkpoint' A.Map.Gbx
  pakbox map blocks --items --set changed.csv A.Map.Gbx --dry-run
  pakbox map blocks --items --set changed.csv A.Map.Gbx -o B.Map.Gbx`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case set != "" && (counts || params.Baked):
			return hint.Usagef("--set takes neither --count nor --baked: the game adds baked blocks by itself")
		case set != "":
			return a.setBlocks(cmd, many, args, save, set, params.Items)
		case save.Given() || save.DryRun || save.Backup:
			return hint.Usagef("only --set changes maps").Hint("to write the list to a file: pakbox map blocks --csv MAP > blocks.csv")
		}
		if counts {
			return a.countEach(cmd, many, args, rows.CSV(), func(m table.Holder) []table.Thing { return table.On(m, params.Baked, params.Items) })
		}
		asRows, err := rows.Wanted()
		if err != nil {
			return err
		}
		if asRows {
			if err := a.Stream(&rows, fact.Names(table.Columns)); err != nil {
				return err
			}
		}
		t := a.Each(many, shell.SchemaName(cmd), "reading", args, func(run *shell.App, name string) error {
			return about.WithThings(run.Ctx, run.Opener, name, func(m table.Holder) error {
				placed := table.Each(m, params.Baked, params.Items)
				switch {
				case asRows && rows.CSV():
					return (&app{run}).writeBlocks(name, placed)
				case asRows:
					for p := range placed {
						if err := run.AddRow(&rows, p.Record(name)); err != nil {
							return err
						}
					}
					return nil
				case run.JSON:
					return run.PrintReply((&question.At{Path: name, Format: "gbx"}).Reply(track.MapBlocks.Asked(), &track.Blocks{Blocks: table.On(m, params.Baked, params.Items)}))
				}
				(&app{run}).listBlocks(name, placed)
				return nil
			})
		})
		if asRows {
			if err := a.PrintRows(&rows, t, "file", "name", "kind", "x", "y", "z", "direction", "waypoint"); err != nil {
				return err
			}
		}
		a.Summary(t, "looked at", "")
		return nil
	}
	many.Flags(cmd)
	rows.Flags(cmd, table.Columns...)
	cmd.Flags().BoolVar(&counts, "count", false, "count them by name")
	shell.Flags(cmd, track.MapBlocks, &params)
	cmd.Flags().StringVar(&set, "set", "", "make the blocks those of the CSV or JSON in `FILE`, - for standard input")
	save.Flags(cmd)
	keepUIDFlag(cmd)
	cmd.Flags().Lookup("dry-run").Usage = listChanges
	return cmd
}

// setBlocks replaces the blocks of maps, and the items if requested, by those of a table.
func (a *app) setBlocks(cmd *cobra.Command, many shell.Many, args []string, save shell.Saving, file string, items bool) error {
	text, err := a.readText(file, args)
	if err != nil {
		return err
	}
	wanted, err := table.Read(text)
	if err != nil {
		return fault.InFile(err, file)
	}
	many.Folders = false // folders are changed only with -r
	return a.editLayouts(cmd, many, args, save, func(a *app, m *maps.Map) (*form.Object, error) {
		done, err := wanted.Set(m, a.Subject.Path, items)
		if err != nil {
			return nil, fault.InFile(err, file)
		}
		o := new(form.Object).Add("block_count", done.Blocks).Add("item_count", done.Items)
		if done.OtherRows > 0 {
			verb := "are"
			if done.OtherRows == 1 {
				verb = "is"
			}
			a.Note("%s of %s %s for other maps", form.Count(done.OtherRows, "row"), file, verb)
			o.Add("other_rows", done.OtherRows)
		}
		return o, nil
	})
}

func (a *app) listBlocks(name string, placed iter.Seq[*table.Thing]) {
	a.title(name)
	for p := range placed {
		fmt.Fprintln(a.Out, placedLine(p))
	}
}

// placedLine formats a block or item for people.
func placedLine(p *table.Thing) string {
	line := fmt.Sprintf("%-32s %s", shell.Printable(p.Name), p.Place())
	if p.Direction != nil {
		line += "  facing " + strconv.Itoa(*p.Direction)
	}
	if p.Waypoint != nil {
		line += "  " + shell.Printable(*p.Waypoint)
	}
	return line
}

// writeBlocks writes lines of CSV. The head is already written.
func (a *app) writeBlocks(name string, placed iter.Seq[*table.Thing]) error {
	line := csvline.AppendText(nil, name)
	same := len(line) // length of the part that is the same in all lines
	for p := range placed {
		line = p.AppendCSV(line[:same])
		if _, err := a.Out.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// countEach counts the blocks and items on each map.
func (a *app) countEach(cmd *cobra.Command, many shell.Many, args []string, asCSV bool, placed func(m table.Holder) []table.Thing) error {
	if asCSV && !a.JSON {
		fmt.Fprintln(a.Out, "file,name,kind,count")
	}
	return a.look(cmd, many, args, "", func(a *app, name string) error {
		return about.WithThings(a.Ctx, a.Opener, name, func(m table.Holder) error { return a.printCounts(name, asCSV, placed(m)) })
	})
}

// printCounts prints how many blocks or items have each name.
func (a *app) printCounts(name string, asCSV bool, list []table.Thing) error {
	counts := table.Count(list)
	switch {
	case a.JSON:
		return a.Print(form.New("map.blocks", name, "gbx").Add("count", len(list)).Add("by_name", counts))
	case asCSV:
		w := csv.NewWriter(a.Out)
		for _, c := range counts {
			w.Write([]string{name, c.Name, c.Kind, strconv.Itoa(c.Count)})
		}
		w.Flush()
		return w.Error()
	}
	a.title(name)
	t := shell.Table{Right: 1}
	for _, c := range counts {
		t.Add(strconv.Itoa(c.Count), c.Kind, shell.Printable(c.Name))
	}
	t.Add(strconv.Itoa(len(list)), "in all")
	t.Print(a.Out)
	return nil
}
