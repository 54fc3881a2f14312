// Package nadeo has the commands for Nadeo's games TrackMania, ShootMania and
// ManiaPlanet: one file per command.
package nadeo

import (
	"github.com/spf13/cobra"

	"pakbox/internal/cli/shell"
)

// app is the state of this run of the program, which all commands share.
type app struct{ *shell.App }

// Commands lists the commands of this package.
func Commands(run *shell.App) []shell.Maker {
	a := &app{run}
	return []shell.Maker{
		{Name: "map", Make: a.mapCommand}, {Name: "replay", Make: a.replayCommand}, {Name: "clip", Make: a.clipCommand}, {Name: "tally", Make: a.tallyCommand},
		{Name: "campaign", Make: a.campaignCommand}, {Name: "item", Make: a.itemCommand}, {Name: "nadeoimporter", Make: a.nadeoImporterCommand}, {Name: "mesh", Make: a.meshCommand}, {Name: "drives", Make: a.drivesCommand},
		{Name: "block", Make: a.blockCommand},
		{Name: "class", Make: a.classCommand},
	}
}

// family lists the commands below one word, such as map. The file of a command adds
// it, so that a new command is one file.
type family []func(*app) *cobra.Command

var mapFamily, replayFamily, clipFamily, campaignFamily, itemFamily, drivesFamily family

func (f *family) add(newCommand func(*app) *cobra.Command) { *f = append(*f, newCommand) }

// of makes the commands of the family for a run.
func (f family) of(a *app) (commands []*cobra.Command) {
	for _, newCommand := range f {
		commands = append(commands, newCommand(a))
	}
	return commands
}
