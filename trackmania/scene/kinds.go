package scene

import "strings"

// Kind is what a block is for.
type Kind uint8

const (
	Track Kind = iota
	Scenery
	Terrain
	Hidden // pillars and what joins blocks
)

// Words in the names of blocks, which are all there is to go by: what blocks
// are stands in the games' own files. What no word fits is a track.
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

// KindOf guesses what a block is for.
func KindOf(name string) Kind {
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

// Way is what a block or item is on the way through a map.
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

// notStarts are words in names of blocks that end in Start without being one:
// something else begins there.
var notStarts = []string{"slope", "loop", "ring", "wallride", "tilt", "curve", "transition"}

// WayOf tells what a block or item is on the way. The games before ManiaPlanet
// go by the name alone; later ones add a tag, but not always, and where tag
// and name disagree, the name is right.
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
	return Checkpoint // also linked ones
}

// ItemWay is WayOf an item: one without a tag is none, whatever its name.
func ItemWay(tag, name string) Way {
	if tag == "" {
		return NoWay
	}
	return WayOf(tag, name)
}
