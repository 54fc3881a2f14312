package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
)

func campaignCommand(a *kit.App) *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "campaign",
		GroupID: kit.GroupGame,
		Short:   "List and build campaigns: groups of maps played in order",
		Long: `Campaign works on the files in which TrackMania and ManiaPlanet keep campaigns
(.Campaign.Gbx): a list of groups, each a list of maps by UID and path.`,
		Example: `  pakbox campaign ls A.Campaign.Gbx --maps Maps/Campaigns
  pakbox campaign create My.Campaign.Gbx Maps/Campaigns`,
	}, campaignCommands...)
}
