package scene

import "strings"

// Kind is the purpose of a block: road, scenery, terrain, or nothing to show.
type Kind uint8

const (
	Track Kind = iota
	Scenery
	Terrain
	Hidden // pillars, and clips that join two blocks
)

// Words in the names of blocks. The files of a map give only names; the purpose of a
// block is in the game's own files. A block whose name has none of these words counts as
// a track.
var (
	trackWords = []string{
		"road", "checkpoint", "platform", "startline", "finish", "bridge", "tunnel", "circuit", "loop", "turbo", "highway", "seaway",
		"tube", "ramp", "trackwall", "gate", "jump",
	}
	terrainWords = []string{
		"grass", "dirt", "water", "sea", "sand", "beach", "hill", "cliff", "lake", "river", "pool", "tundra", "desertto", "snowto", "rockto",
		"forestto", "hillsto", "iceto", "rallyflat", "rocky", "decoplatform", "decocliff", "decowall", "land", "mountain", "canyon", "field", "terra",
	}
	sceneryWords = []string{
		"tree", "rock", "building", "hotel", "advert", "sign", "village", "house", "antenne", "saguaro", "inflatable", "sculpt", "fabric",
		"control", "airship", "club", "cargo", "derrick", "windmill", "container", "light", "temple", "shops", "docks", "harbor",
		"esplanade", "parvis", "stage", "canopy", "structure", "reservoir", "barrel", "castle", "screen", "flag", "bush", "fence",
		"deco", "forest", "podium", "powerline", "celltower", "adpanel",
	}
)

func hasWord(name string, words []string) bool {
	for _, w := range words {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// kindOf guesses the purpose of a block from its name.
func kindOf(name string) Kind {
	n := strings.TrimSuffix(strings.ToLower(name), "nopillar")
	switch {
	case strings.Contains(n, "deco") && hasWord(n, terrainWords):
		return Terrain
	case hasWord(n, trackWords):
		if strings.HasSuffix(n, "pillar") {
			return Hidden
		}
		return Track
	case strings.Contains(n, "pillar") || strings.HasSuffix(n, "clip"):
		return Hidden
	case hasWord(n, terrainWords):
		return Terrain
	case hasWord(n, sceneryWords):
		return Scenery
	}
	return Track
}

// Way is the part that a block or item plays on the way through a map: start, checkpoint,
// finish.
type Way uint8

const (
	NoWay Way = iota
	Start
	Checkpoint
	Finish
	Lap // start and finish in one
)

var wayNames = [...]string{"", "start", "checkpoint", "finish", "lap"}

func (w Way) String() string { return wayNames[w] }

// notStarts are words that mark names such as LoopStart or SlopeStart: these names end in
// "Start", but the block is where a loop or slope begins, not where the race does.
var notStarts = []string{"slope", "loop", "ring", "wallride", "tilt", "curve", "transition"}

// WayOf reports whether a block or item is a start, checkpoint or finish. Maps of games
// before ManiaPlanet give only the name. Later maps also have a tag, but not always.
// Where tag and name disagree, the name is right.
func WayOf(tag, name string) Way {
	n := strings.ToLower(name)
	switch {
	case strings.Contains(n, "startfinish") || strings.Contains(n, "multilap"):
		return Lap
	case strings.Contains(n, "checkpoint"):
		return Checkpoint
	case strings.Contains(n, "finish"):
		return Finish
	case strings.Contains(n, "startline") || strings.Contains(n, "startpillar"):
		return Start
	case strings.HasSuffix(strings.TrimSuffix(n, "mirror"), "start") && !hasWord(n, notStarts):
		return Start
	}
	switch tag {
	case "Spawn":
		return Start
	case "Goal":
		return Finish
	case "StartFinish":
		return Lap
	case "":
		return NoWay
	}
	return Checkpoint // linked checkpoints too
}

// ItemWay is WayOf for an item. An item without a tag is not a waypoint, regardless of its
// name.
func ItemWay(tag, name string) Way {
	if tag == "" {
		return NoWay
	}
	return WayOf(tag, name)
}
