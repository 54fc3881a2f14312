package convert_test

import (
	"fmt"
	"log"
	"os"

	"pakbox/simutrans/convert"
	"pakbox/simutrans/node"
)

// An object for an older version of the game, and what it loses.
func ExampleObject() {
	data, err := os.ReadFile("../../samples/simutrans/vehicle.Sample_Tram.pak")
	if err != nil {
		log.Fatal(err)
	}
	file, err := node.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	tram := file.Root.Child(0)
	old, losses, err := convert.Object(tram, convert.Options{Versions: "VHCL=9"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(old.Name(), len(losses), "losses")
	// Output: Sample_Tram 0 losses
}
