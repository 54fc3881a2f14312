// Package nadeo has the commands for Nadeo's games TrackMania, ShootMania and
// ManiaPlanet: one file per command.
package nadeo

import "pakbox/cmd/internal/cli/kit"

// Commands lists the commands of this package.
var Commands = []kit.Command{
	{Name: "map", Make: mapCommand},
	{Name: "replay", Make: replayCommand},
	{Name: "clip", Make: clipCommand},
	{Name: "tally", Make: tallyCommand},
	{Name: "campaign", Make: campaignCommand},
	{Name: "item", Make: itemCommand},
	{Name: "nadeoimporter", Make: nadeoImporterCommand},
	{Name: "mesh", Make: meshCommand},
	{Name: "drives", Make: drivesCommand},
	{Name: "block", Make: blockCommand},
	{Name: "class", Make: classCommand},
}

// The commands below one word, such as map.
var (
	mapCommands = []kit.Command{
		{Name: "blocks", Make: mapBlocksCommand},
		{Name: "create", Make: mapCreateCommand},
		{Name: "cut", Make: mapCutCommand},
		{Name: "deps", Make: mapDepsCommand},
		{Name: "edit", Make: mapEditCommand},
		{Name: "items", Make: mapItemsCommand},
		{Name: "lightmap", Make: mapLightmapCommand},
		{Name: "lint", Make: mapLintCommand},
		{Name: "list", Make: mapListCommand},
		{Name: "medals", Make: mapMedalsCommand},
		{Name: "merge", Make: mapMergeCommand},
		{Name: "mesh", Make: mapMeshCommand},
		{Name: "meta", Make: mapMetaCommand},
		{Name: "mirror", Make: mapMirrorCommand},
		{Name: "move", Make: mapMoveCommand},
		{Name: "password", Make: mapPasswordCommand},
		{Name: "picture", Make: mapPictureCommand},
		{Name: "rename", Make: mapRenameCommand},
		{Name: "replace", Make: mapReplaceCommand},
		{Name: "route", Make: mapRouteCommand},
		{Name: "scrub", Make: mapScrubCommand},
		{Name: "shrink", Make: mapShrinkCommand},
		{Name: "set", Make: mapSetCommand},
		{Name: "size", Make: mapSizeCommand},
		{Name: "thumbnail", Make: mapThumbnailCommand},
		{Name: "turn", Make: mapTurnCommand},
		{Name: "uid", Make: mapUIDCommand},
		{Name: "validation", Make: mapValidationCommand},
	}
	replayCommands = []kit.Command{
		{Name: "clip", Make: replayClipCommand},
		{Name: "create", Make: replayCreateCommand},
		{Name: "animate", Make: replayAnimateCommand},
		{Name: "board", Make: replayBoardCommand},
		{Name: "check", Make: replayCheckCommand},
		{Name: "compare", Make: replayCompareCommand},
		{Name: "ghosts", Make: replayGhostsCommand},
		{Name: "info", Make: replayInfoCommand},
		{Name: "inputs", Make: replayInputsCommand},
		{Name: "map", Make: replayMapCommand},
		{Name: "picture", Make: replayPictureCommand},
		{Name: "telemetry", Make: replayTelemetryCommand},
	}
	clipCommands = []kit.Command{
		{Name: "ls", Make: clipListCommand},
		{Name: "combine", Make: clipCombineCommand},
	}
	campaignCommands = []kit.Command{
		{Name: "create", Make: campaignCreateCommand},
		{Name: "ls", Make: campaignListCommand},
	}
	itemCommands = []kit.Command{
		{Name: "create", Make: itemCreateCommand},
		{Name: "import", Make: itemImportCommand},
		{Name: "lint", Make: itemLintCommand},
		{Name: "materials", Make: itemMaterialsCommand},
		{Name: "set", Make: itemSetCommand},
	}
	drivesCommands = []kit.Command{
		{Name: "ls", Make: drivesLsCommand},
		{Name: "cat", Make: drivesCatCommand},
		{Name: "which", Make: drivesWhichCommand},
		{Name: "refs", Make: drivesRefsCommand},
	}
)
