package lint_test

import (
	"fmt"
	"log"
	"os"

	"pakbox/simutrans/lint"
	"pakbox/simutrans/node"
)

// The mistakes of one object.
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
	fmt.Println(len(lint.Object(tram)), "mistakes in", tram.Name())
	// Output: 0 mistakes in Sample_Tram
}
