package trackmania

import (
	"strings"

	"pakbox/fault"
)

// Generation is a game, or several, whose maps are built alike. Its text is
// what [Origin.Game] says of such a map.
type Generation string

// The generations of which new maps can be made, and whose maps strict checks
// know.
const (
	Forever        Generation = "TrackMania Forever" // Nations and United
	ManiaPlanet4   Generation = "ManiaPlanet 4"
	Trackmania2020 Generation = "Trackmania (2020)"
)

// generationWords are short names of the generations, for commands.
var generationWords = map[string]Generation{"tmf": Forever, "mp4": ManiaPlanet4, "tm2020": Trackmania2020}

// GenerationOf returns the generation with a short name: tmf, mp4 or tm2020.
func GenerationOf(word string) (Generation, error) {
	if g, ok := generationWords[strings.ToLower(word)]; ok {
		return g, nil
	}
	return "", fault.New(fault.Unsupported, "%q is none of the games tmf, mp4 and tm2020", word)
}
