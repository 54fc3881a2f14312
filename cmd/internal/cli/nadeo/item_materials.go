package nadeo

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
)

func itemMaterialsCommand(a *kit.App) *cobra.Command {
	params := nadeo.ItemMaterials.NewParams()
	return &cobra.Command{
		Use:   "materials [WORD]",
		Short: "List the materials that items may use",
		Long: `Materials lists the materials of Nadeo's importer for Trackmania (2020): all, or
those with WORD in their names or as their surface. A mesh needs the listed layers
of texture coordinates, by these names. Effects states whether faces may have a
gameplay effect, such as Turbo; colour, whether an item may choose the colour.`,
		Example: `  pakbox item materials
  pakbox item materials Platform
  pakbox item materials ice
  pakbox item materials --json RoadTech`,
		RunE: func(_ *cobra.Command, args []string) error {
			params.Word = strings.Join(args, "")
			return kit.AskOne(a, "", nadeo.ItemMaterials, params, printMaterials)
		},
	}
}

func printMaterials(a *kit.App, _ string, list *nadeo.MaterialList) error {
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MATERIAL\tSURFACE\tUV LAYERS\tEFFECTS\tCOLOUR\tLINK")
	yes := map[bool]string{true: "yes", false: "-"}
	for _, m := range list.Materials {
		layers := strings.Join(m.UVLayers, ", ")
		if layers == "" {
			layers = "-"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", m.Name, m.Surface, layers, yes[m.Effects], yes[m.Color], m.Link)
	}
	return w.Flush()
}
