package texture_test

import (
	"fmt"

	"pakbox/codec/texture"
)

// A texture holds its picture in several sizes, and a cube six of each.
func Example() {
	file := plainDDS(8, 4, 6, 3, 0xFE00) // the bytes of a file
	t, err := texture.Open("sky.dds", file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Format, t.Layers, "faces,", t.Levels, "levels")
	m, err := t.Image(5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Bounds().Size())
	// Output:
	// R8G8B8A8 6 faces, 3 levels
	// (4,2)
}
