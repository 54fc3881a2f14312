package items_test

import (
	"context"
	"fmt"
	"log"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/mesh"
	"pakbox/trackmania/items"
	"pakbox/trackmania/maps"
)

// A square of metal becomes an item, which a new map brings along.
func ExampleNew() {
	square := &mesh.Geometry{
		Positions: []gbx.Vec3{{}, {Z: 8}, {X: 8, Z: 8}, {X: 8}},
		UVs:       [][]gbx.Vec2{{{}, {Y: 1}, {X: 1, Y: 1}, {X: 1}}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
	}
	shape := &mesh.Scene{
		Nodes:     []*mesh.Node{{Transform: mesh.Identity, Mesh: &mesh.Mesh{Parts: []mesh.Part{{Geometry: square}}}}},
		Materials: []mesh.Material{{Name: "PlatformTech"}},
	}
	item, err := items.New(items.Options{Name: "Square", Author: "ada", Mesh: shape})
	if err != nil {
		log.Fatal(err)
	}
	data, err := item.File.Encode()
	if err != nil {
		log.Fatal(err)
	}
	m, err := maps.New(maps.Options{Name: "With a square"})
	if err != nil {
		log.Fatal(err)
	}
	if err := m.AddEmbedded("Items/Square.Item.Gbx", data, engine.Registry()); err != nil {
		log.Fatal(err)
	}
	made, err := item.Mesh()
	if err != nil {
		log.Fatal(err)
	}
	vertices, triangles := made.Count()
	fmt.Println(item.Name(), "of", item.Model(), "with", vertices, "vertices,", triangles, "triangles,", made.Materials[0].Name)
	// Output: Square of CGameCommonItemEntityModelEdition with 6 vertices, 2 triangles, PlatformTech
}

func ExampleOpen() {
	item, err := items.Open(context.Background(), "../../samples/trackmania/Sample.Item.Gbx")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(item.Name(), "by", item.Author())
	// Output: Sample by Ada
}
