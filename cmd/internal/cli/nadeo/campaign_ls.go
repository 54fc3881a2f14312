package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/nadeo"
)

func campaignListCommand(a *kit.App) *cobra.Command {
	var dir string
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "ls CAMPAIGN...",
		Short: "List the maps of a campaign by group",
		Long: `Ls lists the groups of a campaign and the maps in each: UID, environment, author
and path. With --maps it looks for the maps in a folder and prints their names, or
(missing) for a map that is not there.`,
		Example: `  pakbox campaign ls A.Campaign.Gbx
  pakbox campaign ls A.Campaign.Gbx --maps Maps/Campaigns`,
		RunE: func(cmd *cobra.Command, args []string) error {
			const command = "campaign.ls"
			params := answers.CampaignList.NewParams()
			if dir != "" {
				maps, failed, err := answers.MapsBelow(a.Ctx, a.At(dir))
				if err != nil {
					return err
				}
				failMaps(a, command, failed)
				params.Known = map[string]answers.MapFile{}
				for _, m := range maps {
					params.Known[m.Ident.ID.String()] = m
				}
			}
			return ask(a, cmd, many, args, "", answers.CampaignList, params, printCampaign)
		},
	}
	many.Flags(cmd)
	cmd.Flags().StringVar(&dir, "maps", "", "look for the maps in `DIR`")
	return cmd
}

func printCampaign(a *kit.App, name string, c *answers.Campaign) error {
	t := kit.Table{}
	for _, g := range c.Groups {
		for i, m := range g.Maps {
			title := ""
			switch {
			case m.Found != nil && *m.Found:
				title = styled(a, *m.Title)
			case m.Found != nil:
				title = "(missing)"
			}
			t.Add("  "+kit.Printable(g.Name), fmt.Sprint(i+1), kit.Printable(m.UID), nadeo.EnvironmentName(m.Collection),
				kit.Printable(m.Author), kit.Printable(m.Path), title)
		}
	}
	fmt.Fprintf(a.Out, "%s: %s, %s, %s\n", kit.Printable(name), kit.Printable(c.Name), question.Count(len(c.Groups), "group"), question.Count(c.MapCount, "map"))
	t.Print(a.Out)
	return nil
}
