package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/internal/answer/track"
	"pakbox/internal/cli/shell"
	"pakbox/internal/form"
	"pakbox/trackmania"
)

func init() { campaignFamily.add((*app).campaignListCommand) }

func (a *app) campaignListCommand() *cobra.Command {
	var dir string
	many := shell.Many{Folders: true}
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
			params := track.CampaignList.NewParams()
			if dir != "" {
				maps, err := a.mapsBelow(command, dir)
				if err != nil {
					return err
				}
				params.Known = map[string]track.MapFile{}
				for _, m := range maps {
					params.Known[m.Ident.ID.String()] = m
				}
			}
			return ask(a, cmd, many, args, "", track.CampaignList, params, (*app).printCampaign)
		},
	}
	many.Flags(cmd)
	cmd.Flags().StringVar(&dir, "maps", "", "look for the maps in `DIR`")
	return cmd
}

func (a *app) printCampaign(name string, c *track.Campaign) error {
	t := shell.Table{}
	for _, g := range c.Groups {
		for i, m := range g.Maps {
			title := ""
			switch {
			case m.Found != nil && *m.Found:
				title = a.styled(*m.Title)
			case m.Found != nil:
				title = "(missing)"
			}
			t.Add("  "+shell.Printable(g.Name), fmt.Sprint(i+1), shell.Printable(m.UID), trackmania.EnvironmentName(m.Collection),
				shell.Printable(m.Author), shell.Printable(m.Path), title)
		}
	}
	fmt.Fprintf(a.Out, "%s: %s, %s, %s\n", shell.Printable(name), shell.Printable(c.Name), form.Count(len(c.Groups), "group"), form.Count(c.MapCount, "map"))
	t.Print(a.Out)
	return nil
}
