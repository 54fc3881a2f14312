package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/source"
	"pakbox/trackmania"
)

func (a *app) campaignListCommand() *cobra.Command {
	var dir string
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
			var known map[string]mapFile
			if dir != "" {
				maps, err := a.mapsBelow(command, dir)
				if err != nil {
					return err
				}
				known = map[string]mapFile{}
				for _, m := range maps {
					known[m.ident.ID.String()] = m
				}
			}
			for _, name := range a.Paths(cmd.Context(), command, args) {
				err := a.gbxFile(cmd.Context(), name, func(_ *source.Source, f *gbx.File) error {
					c, err := trackmania.CampaignOf(f)
					if err != nil {
						return err
					}
					return a.printCampaign(name, c, known)
				})
				if err != nil {
					a.Fail(command, name, err)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "maps", "", "look for the maps in `DIR`")
	return cmd
}

// printCampaign lists a campaign. Known are the maps at hand by UID; nil if
// nobody looked.
func (a *app) printCampaign(name string, c *trackmania.Campaign, known map[string]mapFile) error {
	total := 0
	groups := []*answer.Object{}
	t := shell.Table{}
	for _, g := range c.Groups {
		maps := []*answer.Object{}
		for i, m := range g.Maps {
			total++
			uid, collection := m.Ident.ID.String(), trackmania.CollectionName(m.Ident.Collection)
			o := new(answer.Object).Add("uid", uid).Add("collection", collection).Add("author_login", m.Ident.Author.String()).Add("map_path", m.Path)
			title := ""
			if known != nil {
				at, ok := known[uid]
				o.Add("found", ok).Add("name", at.name).Add("file", at.path)
				title = a.styled(at.name)
				if !ok {
					title = "(missing)"
				}
			}
			maps = append(maps, o)
			t.Add("  "+shell.Printable(g.Name), fmt.Sprint(i+1), shell.Printable(uid), trackmania.EnvironmentName(collection),
				shell.Printable(m.Ident.Author.String()), shell.Printable(m.Path), title)
		}
		groups = append(groups, new(answer.Object).Add("name", g.Name).Add("maps", maps))
	}
	if a.JSON {
		return a.Print(answer.New("campaign.ls", name, "gbx").Add("id", c.ID).Add("name", c.Name).Add("map_count", total).Add("groups", groups))
	}
	fmt.Fprintf(a.Out, "%s: %s, %s, %s\n", shell.Printable(name), shell.Printable(c.Name), answer.Count(len(c.Groups), "group"), answer.Count(total, "map"))
	t.Print(a.Out)
	return nil
}
