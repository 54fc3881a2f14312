package object_test

import (
	"fmt"
	"log"
	"os"

	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// A value of an object.
func ExampleDecode() {
	data, err := os.ReadFile("../../samples/simutrans/vehicle.Sample_Tram.pak")
	if err != nil {
		log.Fatal(err)
	}
	file, err := node.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	tram := file.Root.Child(0)
	body, err := object.Decode(tram)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(body.Int("topspeed"), object.Waytype(body.Int("waytype")))
	// Output: 60 tram_track
}
