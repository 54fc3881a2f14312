package decompile_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"pakbox/simutrans/decompile"
	"pakbox/simutrans/node"
)

// The source of an object.
func ExampleObject() {
	data, err := os.ReadFile("../../samples/simutrans/good.Sample_Parcels.pak")
	if err != nil {
		log.Fatal(err)
	}
	file, err := node.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	parcels := file.Root.Child(0)
	result, err := decompile.Object(parcels, decompile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(string(result.Dat)) {
		if strings.HasPrefix(line, "value=") {
			fmt.Print(line)
		}
	}
	fmt.Println(result.Exact)
	// Output:
	// value=85
	// true
}
