// Command photo measures how well maps are drawn, on photographs: a map's thumbnail is a
// picture that the game took of it, and the map stores the camera. The program draws
// the scene of the map from that camera, and compares.
//
//	cmd/tools/run photo [-learn FILE] [-each] FILE-OR-FOLDER...
//
// For each game and environment it prints three figures. 0 is chance, 1 is perfect:
//
//   - colour: the share of the variance of the photograph's colours that the drawn regions
//     explain. A region is a material and a direction of the surface.
//   - edges: the share of drawn edges within two pixels of an edge of the photograph.
//   - table: the share of the variance that average colours of the same material explain,
//     taken from photographs of other maps. The maps are in four parts, and each part is
//     measured with the colours of the other three. It can be negative.
//
// From colour and edges the program subtracts controls: the same for the drawing mirrored,
// and shifted by a quarter and by half of the picture. The figures of the controls follow.
//
// With -learn it writes the average colours of all photographs: environment, mood, material,
// side of the surface, red, green, blue, and the number of photographs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	trackmaps "pakbox/nadeo/maps"
	"pakbox/nadeo/maps/mapmesh"
)

func main() {
	learn := flag.String("learn", "", "write the average colours to `FILE`")
	each := flag.Bool("each", false, "print each map")
	flag.Parse()
	a := &album{}
	err := a.read(context.Background(), flag.Args())
	if err == nil && *learn != "" {
		err = os.WriteFile(*learn, []byte(a.lessons(-1).text()), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "photo:", err)
		os.Exit(1)
	}
	a.print(*each)
}

// album is what was measured on all maps with a photograph.
type album struct{ pages []page }

// page is one map. Maps without a mesh count as 0.
type page struct {
	file, group string
	part        int // of the four parts of the maps
	score       score
	view        *view
	photograph  *photograph
}

// parts is the number of parts that are measured with what the others taught.
const parts = 4

// read visits files and folders.
func (a *album) read(ctx context.Context, places []string) error {
	for _, place := range places {
		err := filepath.WalkDir(place, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.EqualFold(filepath.Ext(path), ".gbx") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return a.add(ctx, filepath.Base(path), data)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// add measures one file. Files that are no maps, and maps without a photograph, are ignored.
func (a *album) add(ctx context.Context, file string, data []byte) error {
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil
	}
	m, err := trackmaps.Of(f)
	if err != nil {
		return nil
	}
	camera, ok := cameraOf(f)
	if !ok {
		return nil
	}
	taken, ok := photographOf(m)
	if !ok {
		return nil
	}
	p := page{file: file, group: string(m.Generation()) + " / " + m.Collection(), part: partOf(m.UID()), photograph: taken}
	made, err := mapmesh.Of(ctx, m, mapmesh.Options{Surroundings: true})
	if ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	if err == nil {
		p.view = camera.draw(made.Scene)
		p.score = compare(p.view, taken)
	}
	a.pages = append(a.pages, p)
	return nil
}

// print prints the figures of each group and of all maps.
func (a *album) print(each bool) {
	var tables [parts]table
	for i := range tables {
		tables[i] = a.lessons(i)
	}
	groups := map[string][]score{}
	for i := range a.pages {
		p := &a.pages[i]
		if p.view != nil {
			p.score.table = tables[p.part].explains(p)
		}
		groups[p.group] = append(groups[p.group], p.score)
		if each {
			fmt.Printf("%-40s %v\n", p.file, p.score)
		}
	}
	var all []score
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		fmt.Printf("%-36s %3d maps: %v\n", name, len(groups[name]), mean(groups[name]))
		all = append(all, groups[name]...)
	}
	fmt.Printf("%-36s %3d maps: %v\n", "all", len(all), mean(all))
}
