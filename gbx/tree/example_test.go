package tree_test

import (
	"fmt"
	"log"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/tree"
)

// night is a map that has nothing but a name.
func night() *gbx.File {
	name := &game.Chunk03043012{MapName: "Night"}
	return gbx.New(&gbx.Node{Class: 0x03043000, Chunks: []gbx.Chunk{{ID: 0x03043012, Body: name}}}, engine.Registry())
}

// A value is found by its name, if no other has the same; its path is its
// position in the file.
func ExampleTree_Resolve() {
	t, err := tree.Of(night())
	if err != nil {
		log.Fatal(err)
	}
	found, err := t.Resolve("mapName")
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range found {
		fmt.Println(m.Path, "is", m.Value.Text())
	}
	// Output: body.03043012.mapName is "Night"
}

// Set changes a value in the file; saving it is left to the caller.
func ExampleSet() {
	f := night()
	if _, err := tree.Set(f, "mapName", "Day"); err != nil {
		log.Fatal(err)
	}
	if c, ok := gbx.Find[*game.Chunk03043012](f.Body); ok {
		fmt.Println(c.MapName)
	}
	// Output: Day
}
