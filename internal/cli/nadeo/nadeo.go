// Package nadeo has the commands for Nadeo's games TrackMania, ShootMania and
// ManiaPlanet: one file per command.
package nadeo

import "pakbox/internal/cli/shell"

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
