package dat_test

import (
	"fmt"

	"pakbox/simutrans/dat"
)

// The objects of a source.
func ExampleParse() {
	objects, problems := dat.Parse("parcels.dat", []byte("obj=good\nname=Parcels\nvalue=85\n---\n"))
	for _, o := range objects {
		fmt.Println(o.Get("name"), o.Int("value", 0))
	}
	fmt.Println(len(problems), "problems")
	// Output:
	// Parcels 85
	// 0 problems
}
