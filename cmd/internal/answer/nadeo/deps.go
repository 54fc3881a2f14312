package nadeo

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/nadeo/maps"
)

// needed is an external file that a map needs.
type needed struct {
	Kind    string  `json:"kind" doc:"skin, mod, music, foreground, item, or listed by the header only"`
	Path    string  `json:"path" doc:"path of the file, as the map names it"`
	URL     *string `json:"url" doc:"where players get the file"`
	Uses    int     `json:"uses" doc:"number of uses"`
	Present *bool   `json:"present" doc:"whether the file is in the folder of --in; null without one"`
}

// Absent reports whether the file was searched for and not found.
func (n *needed) Absent() bool { return n.Present != nil && !*n.Present }

// neededBy lists the external files of a map: skins, mods and music, files that only its
// header lists, and items that are not embedded. dir is a player's folder to search for
// them; "" to search nowhere.
func neededBy(m *maps.Map, dir string) ([]needed, error) {
	list := []needed{}
	for _, d := range m.Outside() {
		list = append(list, needed{Kind: d.Kind, Path: d.Path, URL: question.NonEmpty(d.URL), Uses: d.Uses})
	}
	e, err := m.EmbeddedFiles()
	if err != nil {
		return nil, err
	}
	for _, name := range e.Missing {
		list = append(list, needed{Kind: "item", Path: name, Uses: 1})
	}
	for i := range list {
		if dir != "" {
			present := isBelow(dir, list[i].Path) || list[i].Kind == "item" && (isBelow(dir, "Items/"+list[i].Path) || isBelow(dir, "Blocks/"+list[i].Path))
			list[i].Present = &present
		}
	}
	return list, nil
}

// isBelow reports whether a file exists below a folder. Like games, it ignores case and
// accepts both kinds of slashes.
func isBelow(dir, path string) bool {
	for _, part := range strings.Split(strings.ReplaceAll(path, `\`, "/"), "/") {
		switch part {
		case "", ".":
			continue
		case "..":
			return false
		}
		names, err := os.ReadDir(dir)
		if err != nil {
			return false
		}
		found := ""
		for _, n := range names {
			if strings.EqualFold(n.Name(), part) {
				found = n.Name()
			}
		}
		if found == "" {
			return false
		}
		dir = filepath.Join(dir, found)
	}
	info, err := os.Stat(dir)
	return err == nil && !info.IsDir()
}

// Dependencies is the answer about the external files of a map.
type Dependencies struct {
	Dependencies []needed `json:"dependencies" doc:"files outside that the map needs" method:"result"`
	Missing      int      `json:"absent" doc:"number of files that are known not to be there"`
}

// Found reports whether a file was searched for and not found.
func (d *Dependencies) Found() bool { return d.Missing > 0 }

// DependencyFacts are the columns of a table of dependencies.
var DependencyFacts = question.ListFacts[needed]()

// Rows returns the dependencies as rows of a table.
func (d *Dependencies) Rows(file string) iter.Seq[fact.Record] {
	return func(yield func(fact.Record) bool) {
		for i := range d.Dependencies {
			if !yield(question.ListRow(DependencyFacts, file, &d.Dependencies[i])) {
				return
			}
		}
	}
}

// depsParams say where to search for the files.
type depsParams struct {
	In string `json:"in" local:"" value:"DIR" doc:"look for the files in DIR, the game's folder of a player"`
}

// MapDeps is the question which external files a map needs: skins, mods and music, files
// that only its header lists, and items that are not embedded.
var MapDeps = question.New(&room, "map.deps", "the files outside that a map needs", func(ctx context.Context, at *question.At, p depsParams) (*Dependencies, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*Dependencies, error) {
		list, err := neededBy(m, p.In)
		if err != nil {
			return nil, err
		}
		d := &Dependencies{Dependencies: list}
		for i := range list {
			if list[i].Absent() {
				d.Missing++
			}
		}
		return d, nil
	})
})
