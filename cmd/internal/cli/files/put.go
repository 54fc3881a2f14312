package files

import (
	"context"
	"path"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/archive/pack"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/pathname"
)

func putCommand(a *kit.App) *cobra.Command {
	var as string
	var removeMissing bool
	var replacing kit.Replacing
	cmd := &cobra.Command{
		Use:        "put ARCHIVE FILE...",
		GroupID:    kit.GroupChange,
		SuggestFor: []string{"add", "insert", "import", "patch"},
		Short:      "Add files to an archive, or replace them there",
		Long: `Put stores files and folders in an existing archive, and replaces files with the
same names. Each is stored under its path as given; --as gives another name to a
single file. For a folder with a slash at its end only the content is
stored. ARCHIVE may also be a folder inside the archive, which need not exist
yet, and the archive may lie inside another one.

All other entries keep their bytes, and the archive is replaced in one step.

Into a table such as item_proto, put merges a CSV by key: records that the CSV
does not name stay, and so do fields without a column. --remove-missing removes
the records that it does not name.`,
		Example: `  pakbox put game.vpk docs/readme.txt textures
  pakbox put --as docs/readme.txt game.vpk /tmp/new.txt
  pakbox put game.vpk/docs readme.txt
  pakbox put backup.zip/game.vpk readme.txt
  pakbox put --dry-run item_proto changed/item_proto.csv
  date | pakbox put --as built.txt game.vpk -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Opener.Streams = true
			return put(cmd.Context(), a, args[0], args[1:], as, removeMissing, replacing)
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "store the one FILE as `NAME`")
	cmd.Flags().BoolVar(&removeMissing, "remove-missing", false, "remove the records of a table that the CSV does not name")
	replacing.Flags(cmd)
	return cmd
}

func put(ctx context.Context, a *kit.App, name string, args []string, as string, removeMissing bool, o kit.Replacing) error {
	s, folder, err := a.OpenForPut(ctx, name)
	if err != nil {
		return err
	}
	defer s.Close()
	inputs, err := a.ExpandAll(ctx, args)
	if err != nil {
		return err
	}
	if as != "" && len(inputs) != 1 {
		return fault.Usagef("put: --as names one file, and there are %d", len(inputs))
	}
	if as != "" {
		if as, err = givenName(s.Place.Root(), as); err != nil {
			return err
		}
	}
	root := s.Place.Root()
	f, _ := a.Formats.ByName(s.Format())
	c := newCollector(a, s.Place.File, f, archive.CreateOptions{})
	c.ForEdits(root)
	s.Inputs = func() { c.Close() }
	for _, t := range inputs {
		if err := c.add(ctx, t, as); err != nil {
			return err
		}
	}
	edits := make([]archive.Edit, len(c.Items))
	for i := range c.Items {
		c.Items[i].Name = path.Join(folder, c.Items[i].Name)
		edits[i] = archive.Edit{Put: &c.Items[i], RemoveMissing: removeMissing}
	}
	if err := c.Check(root); err != nil {
		return err
	}
	replaced := 0
	for _, item := range c.Items {
		if info, err := s.Place.Stat(item.Name); err == nil && !info.IsDir() {
			replaced++
		}
	}
	format := s.Format()
	if err := source.CanEdit(s); err != nil {
		return err
	}
	effect, err := a.TableEffect(s, edits)
	if err != nil {
		return err
	}
	if removeMissing && effect == nil {
		return fault.Usagef("put: --remove-missing is for tables, and %s is not one", name)
	}
	if err := a.SaveEdits(s, edits, o); err != nil {
		return err
	}
	if effect != nil {
		return tellRecords(a, name, format, effect, o.DryRun)
	}
	if a.JSON {
		said := question.NewObject("put", name, format).Add("added", len(edits)-replaced).Add("replaced", replaced).Add("size", question.Known((&pack.Result{Items: c.Items}).Size())).Add("dry_run", o.DryRun)
		return a.Print(addNotes(said, c.Notes()))
	}
	if o.DryRun {
		return nil
	}
	a.Note("put %s into %s: %d added, %d replaced", question.Count(len(edits), "file"), name, len(edits)-replaced, replaced)
	printNotes(a, c.Notes())
	return nil
}

// tellRecords reports what put did to a table.
func tellRecords(a *kit.App, name, format string, effect *archive.TableEffect, dryRun bool) error {
	if a.JSON {
		return a.Print(question.NewObject("put", name, format).Add("added", effect.Added).Add("replaced", effect.Changed).Add("removed", effect.Removed).
			Add("values", question.ValueChanges(effect.Values)).Add("dry_run", dryRun))
	}
	if !dryRun {
		a.Note("put into %s: %s changed, %d added, %d removed", name, question.Count(effect.Changed, "record"), effect.Added, effect.Removed)
	}
	return nil
}

// givenName checks the name that the user chose for an entry.
func givenName(root archive.Root, name string) (string, error) {
	name = path.Clean(source.Slashed(name))
	if err := pathname.Check(root.Typed(name)); err != nil {
		return "", fault.Usagef("%v", err)
	}
	return name, nil
}
