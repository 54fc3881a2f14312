package nadeo

import (
	"strings"

	"pakbox/fault"
)

// Generation is a game, or a group of games, whose maps have the same structure. Its text
// is the name that [Origin.Game] gives.
type Generation string

// The generations for which new maps can be made and strict checks exist.
const (
	Forever        Generation = "TrackMania Forever" // Nations and United
	ManiaPlanet4   Generation = "ManiaPlanet 4"
	Trackmania2020 Generation = "Trackmania (2020)"
)

// generationWords are short names of the generations, used by commands.
var generationWords = map[string]Generation{"tmf": Forever, "mp4": ManiaPlanet4, "tm2020": Trackmania2020}

// GenerationOf returns the generation with a short name: tmf, mp4 or tm2020.
func GenerationOf(word string) (Generation, error) {
	if g, ok := generationWords[strings.ToLower(word)]; ok {
		return g, nil
	}
	return "", fault.New(fault.Unsupported, "unknown game %q; expected tmf, mp4 or tm2020", word)
}
