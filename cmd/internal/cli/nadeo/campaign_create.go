package nadeo

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/fault"
	"pakbox/nadeo/campaigns"
)

func campaignCreateCommand(a *kit.App) *cobra.Command {
	var c campaigns.Campaign
	var at string
	var force bool
	cmd := &cobra.Command{
		Use:   "create OUT DIR",
		Short: "Build a campaign from a folder of maps",
		Long: `Create builds a campaign for ManiaPlanet from the maps below a folder. Every
folder with maps becomes a group, in order, with its name; numbers count by
value, so that A2 comes before A10. The game finds the maps by the path it
knows: --at is the path of DIR in the user's folder.`,
		Example: `  pakbox campaign create My.Campaign.Gbx Maps/Campaigns
  pakbox campaign create My.Campaign.Gbx rally --id MyTitle@me --name 'Rally cup' --at ':user:\Maps\Rally'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := kit.Promises(args[0], ".gbx"); err != nil {
				return err
			}
			return createCampaign(a, args[0], args[1], c, at, force)
		},
	}
	cmd.Flags().StringVar(&c.ID, "id", "", "the campaign's `ID`, such as MyTitle@me")
	cmd.Flags().StringVar(&c.Name, "name", "", "the campaign's `NAME` (else that of DIR)")
	cmd.Flags().StringVar(&at, "at", `:user:\Maps\Campaigns`, "`PATH` of DIR in the game")
	cmd.Flags().BoolVar(&force, "force", false, "replace OUT if it exists")
	return cmd
}

func createCampaign(a *kit.App, out, dir string, c campaigns.Campaign, at string, force bool) error {
	const command = "campaign.create"
	list, err := mapsBelow(a, command, dir)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return fault.InFile(fault.New(fault.NotFormat, "contains no maps"), dir)
	}
	if c.Name == "" {
		c.Name = filepath.Base(filepath.Clean(dir))
	}
	if c.ID == "" {
		c.ID = c.Name
	}
	folder := ""
	for i, m := range list {
		if in := path.Dir(m.Path); i == 0 || in != folder {
			folder = in
			name := path.Base(in)
			if in == "." {
				name = c.Name
			}
			c.Groups = append(c.Groups, campaigns.Group{Name: name})
		}
		g := &c.Groups[len(c.Groups)-1]
		inGame := strings.TrimRight(at, `\/`) + `\` + strings.ReplaceAll(m.Path, "/", `\`)
		g.Maps = append(g.Maps, campaigns.Map{Ident: m.Ident, Path: inGame})
	}
	data, err := c.File().Encode()
	if err != nil {
		return err
	}
	return kit.WriteMade(a, campaignReport, kit.Output{Out: out, Force: force}, out, data, createdCampaign{
		ID: c.ID, Name: c.Name, Groups: len(c.Groups), Maps: len(list),
	})
}

var campaignReport = kit.NewReport[createdCampaign]("campaign.create", "", "the new campaign")

type createdCampaign struct {
	kit.Made
	ID     string `json:"id" doc:"ID of the campaign"`
	Name   string `json:"name" doc:"name of the campaign"`
	Groups int    `json:"group_count" doc:"number of groups"`
	Maps   int    `json:"map_count" doc:"number of maps"`
}
