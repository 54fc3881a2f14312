package nadeo

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/maps"
)

func campaignCommand(a *kit.App) *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "campaign",
		GroupID: kit.GroupGame,
		Short:   "List and build campaigns: groups of maps played in order",
		Long: `Campaign works on the files in which TrackMania and ManiaPlanet keep campaigns
(.Campaign.Gbx): a list of groups, each a list of maps by UID and path.`,
		Example: `  pakbox campaign ls A.Campaign.Gbx --maps Maps/Campaigns
  pakbox campaign create My.Campaign.Gbx Maps/Campaigns`,
	}, campaignCommands...)
}

// mapsBelow finds the maps below a folder, grouped by folder, in natural order: A2 comes
// before A10.
func mapsBelow(a *kit.App, command, dir string) ([]nadeo.MapFile, error) {
	files, err := source.FilesBelow(dir)
	if err != nil {
		return nil, err
	}
	var maps []nadeo.MapFile
	for _, file := range files {
		lower := strings.ToLower(file)
		if !strings.HasSuffix(lower, ".map.gbx") && !strings.HasSuffix(lower, ".challenge.gbx") {
			continue
		}
		m, err := readMap(file)
		if err != nil {
			a.Fail(command, file, fault.InFile(err, file))
			continue
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return nil, err
		}
		m.Path = filepath.ToSlash(rel)
		maps = append(maps, m)
	}
	slices.SortFunc(maps, func(x, y nadeo.MapFile) int {
		return cmp.Or(comparePaths(path.Dir(x.Path), path.Dir(y.Path)), comparePaths(x.Path, y.Path))
	})
	return maps, nil
}

func readMap(file string) (nadeo.MapFile, error) {
	f, err := os.Open(file)
	if err != nil {
		return nadeo.MapFile{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nadeo.MapFile{}, err
	}
	h, err := gbx.ReadHeader(f, info.Size(), engine.Registry())
	if err != nil {
		return nadeo.MapFile{}, err
	}
	m, err := maps.Of(&gbx.File{Header: *h})
	if err != nil {
		return nadeo.MapFile{}, err
	}
	return nadeo.MapFile{Name: m.Name(), Ident: m.Ident()}, nil
}

// comparePaths compares paths folder by folder. Numbers are compared by value, letters
// without regard to case.
func comparePaths(x, y string) int {
	fold := func(s string) []string { return strings.Split(strings.ToLower(s), "/") }
	return cmp.Or(slices.CompareFunc(fold(x), fold(y), compareNatural), cmp.Compare(x, y))
}

func compareNatural(x, y string) int {
	for x != "" && y != "" {
		if m, n := digits(x), digits(y); m > 0 && n > 0 {
			v, w := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
			if c := cmp.Or(cmp.Compare(len(v), len(w)), cmp.Compare(v, w)); c != 0 {
				return c
			}
			x, y = x[m:], y[n:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Compare(len(x), len(y))
}

// digits counts the digits at the beginning of a text.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
