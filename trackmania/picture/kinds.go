package picture

import "strings"

// kind is what a block is for.
type kind uint8

const (
	track kind = iota
	scenery
	terrain
	hidden // pillars and what joins blocks
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

// kindOf guesses what a block is for.
func kindOf(name string) kind {
	n := strings.ToLower(name)
	switch {
	case strings.Contains(n, "deco") && hasWord(n, terrainWords):
		return terrain
	case hasWord(n, trackWords):
		if strings.HasSuffix(n, "pillar") {
			return hidden
		}
		return track
	case strings.Contains(n, "pillar") || strings.HasSuffix(n, "clip"):
		return hidden
	case hasWord(n, terrainWords):
		return terrain
	case hasWord(n, sceneryWords):
		return scenery
	}
	return track
}

// way is what a block or item is on the way through a map.
type way uint8

const (
	noWay way = iota
	start
	checkpoint
	finish
	lap // start and finish in one
)

// notStarts are words in names of blocks that end in Start without being one:
// something else begins there.
var notStarts = []string{"slope", "loop", "ring", "wallride", "tilt", "curve", "transition"}

// wayOf tells what a block or item is on the way. The games before ManiaPlanet
// go by the name alone; later ones add a tag, but not always, and where tag
// and name disagree, the name is right.
func wayOf(tag, name string) way {
	n := strings.ToLower(name)
	switch {
	case strings.Contains(n, "startfinish") || strings.Contains(n, "multilap"):
		return lap
	case strings.Contains(n, "checkpoint"):
		return checkpoint
	case strings.Contains(n, "finish"):
		return finish
	case strings.Contains(n, "startline") || strings.Contains(n, "startpillar"):
		return start
	case strings.HasSuffix(strings.TrimSuffix(n, "mirror"), "start") && !hasWord(n, notStarts):
		return start
	}
	switch tag {
	case "Spawn":
		return start
	case "Goal":
		return finish
	case "StartFinish":
		return lap
	case "":
		return noWay
	}
	return checkpoint // also linked ones
}
