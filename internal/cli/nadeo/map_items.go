package nadeo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/question"
	"pakbox/internal/source"
	"pakbox/trackmania/maps"
	"pakbox/ziparchive"
)

func init() { mapFamily.add((*app).mapItemsCommand) }

func (a *app) mapItemsCommand() *cobra.Command {
	var many shell.Many
	var change itemChange
	var save shell.Saving
	var rows shell.Columns
	cmd := &cobra.Command{
		Use:   "items MAP...",
		Short: "List, extract, add or remove the items a map brings along",
		Long: `Items lists the files embedded in a map: how often the map uses each, which it
never uses, and which it uses but does not bring along. -C extracts them, and
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
			case !change.empty():
				return a.editMaps(cmd, many, args, save, change.apply)
			case save.Dir != "":
				return a.lookAtMaps(cmd, many, args, "", func(a *app, name string, m *maps.Map) error {
					return a.extractItems(a.Ctx, name, m, save.Folder(a.Subject), save.Force)
				})
			}
			return askRows(a, cmd, many, args, "with items", track.MapItems, question.NoParams{}, &rows, track.ItemFacts, (*app).listItems)
		},
	}
	cmd.Flags().StringArrayVar(&change.add, "add", nil, "embed a `FILE`, or NAME=FILE")
	cmd.Flags().StringArrayVar(&change.remove, "remove", nil, "take out the embedded file `NAME`")
	cmd.Flags().BoolVar(&change.unused, "remove-unused", false, "take out the items that the map does not use")
	many.Flags(cmd)
	rows.Flags(cmd, track.ItemFacts...)
	save.Flags(cmd)
	cmd.Flags().Lookup("directory").Usage = "extract the files into `DIR`, or with --add and --remove write changed maps there"
	return cmd
}

// itemChange describes a change of the embedded files.
type itemChange struct {
	add, remove []string
	unused      bool
}

func (c *itemChange) empty() bool { return len(c.add)+len(c.remove) == 0 && !c.unused }

// apply reads the files to add before it changes anything.
func (c *itemChange) apply(m *maps.Map) (*form.Object, error) {
	change := track.ItemChange{Remove: c.remove, Unused: c.unused}
	for _, arg := range c.add {
		name, file := itemArgument(arg)
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		change.Add = append(change.Add, track.NewItem{Name: name, From: file, Data: data})
	}
	return change.Apply(m)
}

// itemArgument splits an argument of --add.
func itemArgument(arg string) (name, file string) {
	if name, file, ok := strings.Cut(arg, "="); ok {
		return source.Slashed(name), file
	}
	return track.ItemName(arg), arg
}

func (a *app) listItems(name string, m *track.Items) error {
	if len(m.Embedded)+len(m.Missing) == 0 {
		if !a.Subject.Many { // for many maps, the summary counts those with items
			a.Note("%s: no embedded items, and none missing", name)
		}
		return nil
	}
	a.CountFound()
	a.title(name)
	t := shell.Table{Right: 2}
	for _, f := range m.Embedded {
		use := f.State()
		switch use {
		case "used":
			use = fmt.Sprintf("used %d x", f.Used)
		case "":
			use = "-"
		}
		t.Add(fact.SizeText(f.StoredSize), use, shell.Printable(f.Name))
	}
	for _, n := range m.Missing {
		t.Add("", "missing", shell.Printable(n))
	}
	t.Print(a.Out)
	return nil
}

// extractItems writes the embedded files below a folder, and nowhere else.
func (a *app) extractItems(ctx context.Context, name string, m *maps.Map, dir string, force bool) error {
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
		failures = shell.InFolder(name, dir, err)
	}
	if a.JSON {
		a.Print(a.AddFailures(form.New("map.items", name, "gbx").Add("target", dir).Add("files", files), failures))
	} else if files > 0 || len(failures) == 0 {
		a.Note("extracted %s to %s", form.Count(files, "file"), dir)
	}
	if len(failures) > 0 {
		return shell.Reported(errors.Join(failures...))
	}
	return nil
}
