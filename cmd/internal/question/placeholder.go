package question

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"pakbox/cmd/internal/source"
)

// Placeholders are the words in braces that every template takes: for the name of an output
// and for the name of a map. Beside them it takes the facts of the file. {name} is the old
// name of the thing that gets a new one: of the file or of the map.
var Placeholders = []struct{ Name, Doc string }{
	{"name", "name before: of a file without extensions, or of a map"},
	{"map_name", "name of the map"},
	{"file", "file name with extensions"},
	{"dir", "folders below the given one, or the folder of the file"},
	{"n", "number of the file among those given, from 1"},
}

// PlaceholderNames lists the placeholders, with the names of the facts of a file, each once.
func PlaceholderNames(facts []string) (names []string) {
	for _, p := range Placeholders {
		names = append(names, p.Name)
	}
	for _, name := range facts {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// FileWord returns the text for the placeholders about a file itself. folder is the folder
// in which it was found, "" if the user named the file. A number of 0 means a single file.
func FileWord(word, file, folder string, number int) (string, bool) {
	at := source.Slashed(file)
	switch word {
	case "file":
		return path.Base(at), true
	case "n":
		return strconv.Itoa(max(number, 1)), true
	case "dir":
		if folder == "" {
			return path.Base(path.Dir(at)), true
		}
		rel, err := filepath.Rel(folder, filepath.FromSlash(path.Dir(at)))
		if err != nil {
			rel = "."
		}
		return filepath.ToSlash(rel), true
	}
	return "", false
}
