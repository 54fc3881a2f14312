package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
	"pakbox/trackmania"
	"pakbox/trackmania/maps"
)

func (a *app) campaignListCommand() *cobra.Command {
	var dir string
	many := shell.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "ls CAMPAIGN...",
		Short: "List the maps of a campaign by group",
		Long: `Ls lists the groups of a campaign and the maps in each: UID, environment, author
and path. With --maps it looks for the maps in a folder and gives their names;
those that are not there are said to be missing.`,
		Example: `  pakbox campaign ls A.Campaign.Gbx
  pakbox campaign ls A.Campaign.Gbx --maps Maps/Campaigns`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			const command = "campaign.ls"
			var known map[string]answer.MapFile
			if dir != "" {
				maps, err := a.mapsBelow(command, dir)
				if err != nil {
					return err
				}
				known = map[string]answer.MapFile{}
				for _, m := range maps {
					known[m.Ident.ID.String()] = m
				}
			}
			return a.look(cmd, many, args, "", func(a *app, name string) error {
				return answer.WithGBX(a.Ctx, a.Opener, name, func(_ *source.Source, f *gbx.File) error {
					c, err := maps.CampaignOf(f)
					if err != nil {
						return err
					}
					return a.printCampaign(name, c, known)
				})
			})
		},
	}
	many.Flags(cmd)
	cmd.Flags().StringVar(&dir, "maps", "", "look for the maps in `DIR`")
	return cmd
}

// printCampaign lists a campaign. Known are the maps at hand by UID; nil if
// nobody looked.
func (a *app) printCampaign(name string, c *maps.Campaign, known map[string]answer.MapFile) error {
	if a.JSON {
		return a.Print(answer.CampaignObject(name, c, known))
	}
	total := 0
	t := shell.Table{}
	for _, g := range c.Groups {
		for i, m := range g.Maps {
			total++
			title := ""
			if at, ok := known[m.Ident.ID.String()]; ok {
				title = a.styled(at.Name)
			} else if known != nil {
				title = "(missing)"
			}
			t.Add("  "+shell.Printable(g.Name), fmt.Sprint(i+1), shell.Printable(m.Ident.ID.String()),
				trackmania.EnvironmentName(trackmania.CollectionName(m.Ident.Collection)),
				shell.Printable(m.Ident.Author.String()), shell.Printable(m.Path), title)
		}
	}
	fmt.Fprintf(a.Out, "%s: %s, %s, %s\n", shell.Printable(name), shell.Printable(c.Name), answer.Count(len(c.Groups), "group"), answer.Count(total, "map"))
	t.Print(a.Out)
	return nil
}
