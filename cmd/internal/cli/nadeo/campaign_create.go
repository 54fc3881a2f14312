package nadeo

import (
	"github.com/spf13/cobra"

	answers "pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
)

func campaignCreateCommand(a *kit.App) *cobra.Command {
	params := answers.CreateCampaign.NewParams()
	params.At = answers.UserCampaigns
	var to kit.Output
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
			to.Out = args[0]
			f, err := answers.CreateCampaign.Ask(a.Ctx, a.At(args[1]), params)
			if err != nil {
				return err
			}
			failMaps(a, "campaign.create", f.Say.(*answers.CampaignReport).Failed)
			return a.WriteFile(to, "campaign.create", &question.At{Path: to.Out, Format: "gbx"}, f)
		},
	}
	kit.Flags(cmd, answers.CreateCampaign, &params)
	cmd.Flags().BoolVar(&to.Force, "force", false, "replace OUT if it exists")
	return cmd
}

// failMaps reports maps that could not be read, while others could.
func failMaps(a *kit.App, command string, failed []answers.Failure) {
	for _, f := range failed {
		a.Fail(command, f.File, f.Err)
	}
}

var _ = kit.NewFileReport[answers.CampaignReport]("campaign.create", "the new campaign")
