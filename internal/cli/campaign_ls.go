package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/gbx"
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
		Args: argCount(1, unlimited),
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
			for _, name := range a.paths(cmd.Context(), command, args) {
				err := a.gbxFile(cmd.Context(), name, func(_ *source, f *gbx.File) error {
					c, err := trackmania.CampaignOf(f)
					if err != nil {
						return err
					}
					return a.printCampaign(name, c, known)
				})
				if err != nil {
					a.fail(command, name, err)
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
	groups := []*object{}
	t := table{}
	for _, g := range c.Groups {
		maps := []*object{}
		for i, m := range g.Maps {
			total++
			uid, collection := m.Ident.ID.String(), trackmania.CollectionName(m.Ident.Collection)
			o := new(object).add("uid", uid).add("collection", collection).add("author_login", m.Ident.Author.String()).add("map_path", m.Path)
			title := ""
			if known != nil {
				at, ok := known[uid]
				o.add("found", ok).add("name", at.name).add("file", at.path)
				title = a.styled(at.name)
				if !ok {
					title = "(missing)"
				}
			}
			maps = append(maps, o)
			t.add("  "+printable(g.Name), fmt.Sprint(i+1), printable(uid), trackmania.EnvironmentName(collection),
				printable(m.Ident.Author.String()), printable(m.Path), title)
		}
		groups = append(groups, new(object).add("name", g.Name).add("maps", maps))
	}
	if a.json {
		return a.print(newObject("campaign.ls", name, "gbx").add("id", c.ID).add("name", c.Name).add("map_count", total).add("groups", groups))
	}
	fmt.Fprintf(a.out, "%s: %s, %s, %s\n", printable(name), printable(c.Name), count(len(c.Groups), "group"), count(total, "map"))
	t.print(a.out)
	return nil
}
