package node_test

import (
	"fmt"
	"log"
	"os"

	"pakbox/simutrans/node"
)

// The nodes of an object.
func ExampleParse() {
	data, err := os.ReadFile("../../samples/simutrans/good.Sample_Parcels.pak")
	if err != nil {
		log.Fatal(err)
	}
	file, err := node.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	parcels := file.Root.Child(0)
	parcels.Walk(func(n *node.Node, depth int) bool {
		fmt.Println(depth, n.Type)
		return true
	})
	// Output:
	// 0 GOOD
	// 1 TEXT
	// 1 TEXT
	// 1 TEXT
}
