package nadeo

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/fact"
	"pakbox/nadeo/maps"
)

func mapSizeCommand(a *kit.App) *cobra.Command {
	params := nadeo.MapSize.NewParams()
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "size MAP...",
		Short: "Show sizes of the parts of a map",
		Long: `Size shows the parts of a map as a tree, largest first. For each part it shows
its approximate size in the file, its size before compression, and what it is. Only parts of at
least one percent are shown, unless --all is given. The file as a whole is
compared with what servers take: 4 MiB (ManiaPlanet) and 7,336,960 bytes
(Trackmania).`,
		Example: `  pakbox map size A.Map.Gbx
  pakbox map size --all --json A.Map.Gbx`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return ask(a, cmd, many, args, "", nadeo.MapSize, params, func(a *kit.App, name string, s *nadeo.Size) error {
			of := func(limit int64) float64 { return 100 * float64(s.Size) / float64(limit) }
			fmt.Fprintf(a.Out, "%s: %s, %.1f%% of what ManiaPlanet servers take, %.1f%% of what Trackmania's take\n", kit.Printable(name), fact.LongSize(s.Size),
				of(s.Limits.ManiaPlanet), of(s.Limits.Trackmania))
			t := kit.Table{Right: 2}
			t.Add("in file", "unpacked", "")
			addParts(&t, s.Whole.Parts, s.Least, "")
			t.Print(a.Out)
			return nil
		})
	}
	many.Flags(cmd)
	kit.Flags(cmd, nadeo.MapSize, &params)
	return cmd
}

// addParts adds the lines of a tree to a table.
func addParts(t *kit.Table, parts []*maps.Part, least int64, indent string) {
	for _, p := range parts {
		if p.Bytes < least {
			continue
		}
		if p.Name == "" && len(p.Parts) > 0 && p.Parts[0].Bytes >= least {
			addParts(t, p.Parts, least, indent) // a chunk that only contains nodes
			continue
		}
		stored := ""
		if p.Stored > 0 {
			stored = fact.SizeText(p.Stored)
		}
		var words []string
		if p.Count > 1 {
			words = append(words, fmt.Sprintf("%d x", p.Count))
		}
		if p.Name != "" {
			words = append(words, kit.Printable(p.Name))
		}
		if p.ID != 0 {
			words = append(words, p.ID.String())
		}
		t.Add(stored, fact.SizeText(p.Bytes), indent+strings.Join(words, " "))
		addParts(t, p.Parts, least, indent+"  ")
	}
}
