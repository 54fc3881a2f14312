package nadeo

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fact"
	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/trackmania/maps"
)

func init() { mapFamily.add((*app).mapSizeCommand) }

func (a *app) mapSizeCommand() *cobra.Command {
	params := track.MapSize.NewParams()
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "size MAP...",
		Short: "Show what takes the bytes of a map",
		Long: `Size shows the parts of a map as a tree, largest first. For each part it shows
its approximate size in the file, its size before compression, and what it is. Only parts of at
least one percent are shown, unless --all is given. The file as a whole is
compared with what servers take: 4 MiB (ManiaPlanet) and 7,336,960 bytes
(Trackmania).`,
		Example: `  pakbox map size A.Map.Gbx
  pakbox map size --all --json A.Map.Gbx`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return ask(a, cmd, many, args, "", track.MapSize, params, func(a *app, name string, s *track.Size) error {
			of := func(limit int64) float64 { return 100 * float64(s.Size) / float64(limit) }
			fmt.Fprintf(a.Out, "%s: %s, %.1f%% of what ManiaPlanet servers take, %.1f%% of what Trackmania's take\n", shell.Printable(name), fact.LongSize(s.Size),
				of(s.Limits.ManiaPlanet), of(s.Limits.Trackmania))
			t := shell.Table{Right: 2}
			t.Add("in file", "unpacked", "")
			addParts(&t, s.Whole.Parts, s.Least, "")
			t.Print(a.Out)
			return nil
		})
	}
	many.Flags(cmd)
	shell.Flags(cmd, track.MapSize, &params)
	return cmd
}

// addParts adds the lines of a tree to a table.
func addParts(t *shell.Table, parts []*maps.Part, least int64, indent string) {
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
			words = append(words, shell.Printable(p.Name))
		}
		if p.ID != 0 {
			words = append(words, p.ID.String())
		}
		t.Add(stored, fact.SizeText(p.Bytes), indent+strings.Join(words, " "))
		addParts(t, p.Parts, least, indent+"  ")
	}
}
