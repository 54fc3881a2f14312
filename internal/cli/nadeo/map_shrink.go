package nadeo

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapShrinkCommand) }

func (a *app) mapShrinkCommand() *cobra.Command {
	var many shell.Many
	var save shell.Saving
	var with []string
	all, lossless := maps.ShrinkWays()
	cmd := &cobra.Command{
		Use:   "shrink MAP...",
		Short: "List what would make a map's file smaller, or write a smaller copy",
		Long: `Shrink lists the ways to make the file of a map smaller: what each way saves
alone, and how large the file is after it and the ways above it. Both are measured on a
copy in memory. Ways that lose nothing come first.

With -o or -C it writes a smaller copy, by the ways that lose nothing: better
compression of the body and of embedded files. --with adds others:
  unused     embedded items and blocks that do not stand on the map
  shadows    the computed shadows; the game computes them again
  thumbnail  the picture with a quality of 75
Blocks, items, the UID and the validation stay as they are.`,
		Example: `  pakbox map shrink A.Map.Gbx
  pakbox map shrink A.Map.Gbx -o small.Map.Gbx
  pakbox map shrink -r maps --with shadows,unused -C small`,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, way := range with {
				if !slices.Contains(all, way) {
					return hint.Usagef("there is no way %q to shrink a map", way).Hint("the ways are %s", strings.Join(all, ", "))
				}
			}
			if save.Given() {
				return a.editMaps(cmd, many, args, save, func(m *maps.Map) (*form.Object, error) {
					done, err := m.Shrink(slices.Concat(lossless, with)...)
					return new(form.Object).Add("ways", append([]string{}, done...)), err
				})
			}
			if save.DryRun || save.Backup || len(with) > 0 {
				return hint.Usagef("shrink writes copies; say where with -o FILE or -C DIR")
			}
			return ask(a, cmd, many, args, "", track.MapShrink, question.NoParams{}, (*app).listSavings)
		},
	}
	many.Flags(cmd)
	save.Flags(cmd)
	cmd.Flags().StringSliceVar(&with, "with", nil, "also these `WAYS`: unused, shadows, thumbnail")
	cmd.Flags().Lookup("output").Usage = "write the smaller map to `FILE`; of several maps to a name such as '{name} small.Map.Gbx'"
	cmd.Flags().Lookup("directory").Usage = "write the smaller maps into `DIR`"
	return cmd
}

func (a *app) listSavings(name string, s *track.Savings) error {
	if len(s.Savings) == 0 {
		a.Note("%s: nothing would make it smaller", name)
		return nil
	}
	a.title(name)
	t := shell.Table{Right: 2}
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
