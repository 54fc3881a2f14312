package picture_test

import (
	"fmt"
	"log"
	"os"

	"pakbox/simutrans/node"
	"pakbox/simutrans/picture"
)

// All images of an object in one picture.
func ExampleSheet() {
	data, err := os.ReadFile("../../samples/simutrans/vehicle.Sample_Tram.pak")
	if err != nil {
		log.Fatal(err)
	}
	file, err := node.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	tram := file.Root.Child(0)
	sheet, err := picture.Sheet(tram, picture.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sheet.Bounds().Dx() > 0)
	// Output: true
}
