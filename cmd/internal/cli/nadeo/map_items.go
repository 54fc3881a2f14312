package nadeo

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/archive/ziparchive"
	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/nadeo/maps"
)

func mapItemsCommand(a *kit.App) *cobra.Command {
	var many kit.Many
	change := nadeo.ChangeMapItems.NewParams()
	save := kit.Output{InPlace: true}
	var rows kit.Columns
	cmd := &cobra.Command{
		Use:   "items MAP...",
		Short: "List, extract, add or remove the embedded items of a map",
		Long: `Items lists the files embedded in a map: how often the map uses each, which it
never uses, and which it uses without embedding them. -C extracts them, and
never writes outside DIR; some files are embedded under a whole path of the maker's computer; of such a
path only the part from Items or Blocks on counts.

--add takes FILE or NAME=FILE; NAME is where the file lies in the map, such as
Items/Tree.Item.Gbx, which is also what the map calls it by. --remove takes such
a name, or a pattern such as 'Items/Old/*'. Items that stand on the map stay.`,
		Example: `  pakbox map items A.Map.Gbx
  pakbox map items A.Map.Gbx -C folder
  pakbox map items --table --where state=missing maps
  pakbox map items A.Map.Gbx --remove Items/Old.Item.Gbx --add Tree.Item.Gbx
  pakbox map items A.Map.Gbx --remove-unused --dry-run`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case !change.Empty():
				return kit.Change(a, cmd, many, args, save, nadeo.ChangeMapItems, change)
			case save.Dir != "":
				return lookAtMaps(a, cmd, many, args, "", func(a *kit.App, name string, m *maps.Map) error {
					return extractItems(a.Ctx, a, name, m, save.Folder(a.Subject), save.Force)
				})
			}
			return askRows(a, cmd, many, args, "with items", nadeo.MapItems, question.NoParams{}, &rows, nadeo.ItemFacts, listItems)
		},
	}
	kit.Flags(cmd, nadeo.ChangeMapItems, &change)
	many.Flags(cmd)
	rows.Flags(cmd, nadeo.ItemFacts...)
	save.Flags(cmd)
	cmd.Flags().Lookup("directory").Usage = "extract the files into `DIR`, or with --add and --remove write changed maps there"
	return cmd
}

func listItems(a *kit.App, name string, m *nadeo.Items) error {
	if len(m.Embedded)+len(m.Missing) == 0 {
		if !a.Subject.Many { // for many maps, the summary counts those with items
			a.Note("%s: no embedded items, and none missing", name)
		}
		return nil
	}
	a.CountFound()
	title(a, name)
	t := kit.Table{Right: 2}
	for _, f := range m.Embedded {
		use := f.State()
		switch use {
		case "used":
			use = fmt.Sprintf("used %d x", f.Used)
		case "":
			use = "-"
		}
		t.Add(fact.SizeText(f.StoredSize), use, kit.Printable(f.Name))
	}
	for _, n := range m.Missing {
		t.Add("", "missing", kit.Printable(n))
	}
	t.Print(a.Out)
	return nil
}

// extractItems writes the embedded files below a folder, and nowhere else.
func extractItems(ctx context.Context, a *kit.App, name string, m *maps.Map, dir string, force bool) error {
	data, err := m.RootedZip()
	if err != nil {
		return err
	}
	files := 0
	var failures []error
	if len(m.EmbeddedZip()) > 0 {
		z, err := ziparchive.Format{}.Open(ctx, archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "items.zip"}, archive.Options{})
		if err != nil {
			return err
		}
		err = archive.Extract(ctx, z, dir, archive.ExtractOptions{Overwrite: force, Extracted: func(archive.Entry, string) { files++ }})
		failures = kit.InFolder(name, dir, err)
	}
	if a.JSON {
		extractedItemsReport.Print(a, name, "gbx", extractedItems{dir, files, a.NewFailures(failures)})
	} else if files > 0 || len(failures) == 0 {
		a.Note("extracted %s to %s", question.Count(files, "file"), dir)
	}
	if len(failures) > 0 {
		return kit.Reported(errors.Join(failures...))
	}
	return nil
}

var extractedItemsReport = kit.NewReport[extractedItems]("map.items", "-C", "the embedded files that were extracted")

type extractedItems struct {
	Target string `json:"target" doc:"folder of the files"`
	Files  int    `json:"files" doc:"number of files"`
	kit.FailedEntries
}
