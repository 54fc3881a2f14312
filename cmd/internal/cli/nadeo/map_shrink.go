package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
)

func mapShrinkCommand(a *kit.App) *cobra.Command {
	var many kit.Many
	save := kit.Output{InPlace: true}
	var with []string
	cmd := &cobra.Command{
		Use:   "shrink MAP...",
		Short: "List what would make a map's file smaller, or write a smaller copy",
		Long: `Shrink lists the ways to make the file of a map smaller: what each way saves
alone, and how large the file is after it and the ways above it. Both are measured on a
copy in memory. Ways that lose nothing come first.

With -o or -C it writes a smaller copy, by the ways that lose nothing: better
compression of the body and of embedded files. --with adds others:
  unused     embedded items and blocks that do not stand on the map
  lightmap   the computed shadows; the game computes them again
  thumbnail  the picture with a quality of 75
Blocks, items, the UID and the validation stay as they are.`,
		Example: `  pakbox map shrink A.Map.Gbx
  pakbox map shrink A.Map.Gbx -o small.Map.Gbx
  pakbox map shrink -r maps --with lightmap,unused -C small`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := (nadeo.ShrinkParams{With: with}).Check(); err != nil {
				return err
			}
			if save.Given() {
				return kit.Change(a, cmd, many, args, save, nadeo.ShrinkMap, nadeo.ShrinkParams{With: with})
			}
			if save.DryRun || save.Backup || len(with) > 0 {
				return fault.Usagef("shrink writes copies; say where with -o FILE or -C DIR")
			}
			return ask(a, cmd, many, args, "", nadeo.MapShrink, question.NoParams{}, listSavings)
		},
	}
	many.Flags(cmd)
	save.Flags(cmd)
	cmd.Flags().StringSliceVar(&with, "with", nil, "also these `WAYS`: unused, lightmap, thumbnail")
	cmd.Flags().Lookup("output").Usage = "write the smaller map to `FILE`; of several maps to a name such as '{name} small.Map.Gbx'"
	cmd.Flags().Lookup("directory").Usage = "write the smaller maps into `DIR`"
	return cmd
}

func listSavings(a *kit.App, name string, s *nadeo.Savings) error {
	if len(s.Savings) == 0 {
		a.Note("%s: nothing would make it smaller", name)
		return nil
	}
	title(a, name)
	t := kit.Table{Right: 2}
	t.Add("saves", "file", "way")
	t.Add("", fact.SizeText(s.Size), "as it is")
	for _, w := range s.Savings {
		loss := "loses nothing"
		if !w.Lossless {
			loss = "--with " + w.Way
		}
		t.Add(fact.SizeText(w.Saved), fact.SizeText(w.Size), w.Way, loss, w.Means)
	}
	t.Print(a.Out)
	return nil
}
