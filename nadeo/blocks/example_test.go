package blocks_test

import (
	"fmt"

	"pakbox/nadeo/blocks"
)

// Knows reports whether the blocks of an environment are in the catalogue.
func ExampleKnows() {
	fmt.Println(blocks.Knows("Stadium"), blocks.Knows("Nowhere"))
	// Output: true false
}
