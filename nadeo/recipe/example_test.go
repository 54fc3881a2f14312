package recipe_test

import (
	"fmt"
	"log"
	"os"

	"pakbox/nadeo/maps"
	"pakbox/nadeo/recipe"
)

// A recipe is read once and done on as many maps as there are. The files that it
// names are looked for in a folder.
func Example() {
	r, err := recipe.Parse([]byte(`
		place block=RoadTechStart at=20,9,24 facing=east waypoint=Spawn
		place block=RoadTechStraight at=21,9,24 facing=east
		replace block=RoadTechStr* with=RoadDirtStr*   # the straight only
		move by=0,1,0
	`))
	if err != nil {
		log.Fatal(err)
	}
	m, err := maps.New(maps.Options{})
	if err != nil {
		log.Fatal(err)
	}
	effects, err := r.Apply(m, os.DirFS("."))
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range effects {
		fmt.Println("line", e.Line, e.Verb, e.Blocks)
	}
	for _, b := range m.Blocks() {
		fmt.Println(b.Name, b.Coord, b.Direction)
	}
	// Output:
	// line 2 place 1
	// line 3 place 1
	// line 4 replace 1
	// line 5 move 2
	// RoadTechStart {20 10 24} 1
	// RoadDirtStraight {21 10 24} 1
}
