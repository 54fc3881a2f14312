package crystal_test

import (
	"fmt"
	"log"

	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/nadeo"
	"pakbox/nadeo/items/crystal"
	"pakbox/nadeo/items/static"
	"pakbox/nadeo/maps"
)

// A square of metal becomes an item, which a new map embeds.
func ExampleNew() {
	at := []gbx.Vec3{{}, {Z: 8}, {X: 8, Z: 8}, {X: 8}}
	var corners []static.Vertex
	for _, i := range []int{0, 1, 2, 0, 2, 3} {
		uv := gbx.Vec2{X: at[i].X / 8, Y: at[i].Z / 8}
		corners = append(corners, static.Vertex{Position: at[i], UVs: [2]gbx.Vec2{uv, uv}})
	}
	item, err := crystal.New(static.Item{
		Name: "Square", Author: "ada", Collection: gbx.NewID("Stadium"), Waypoint: gamedata.CGameItemModelWaypointTypeNone,
		Solid: static.Solid{
			Materials: []static.Material{{Link: `Stadium\Media\Material\PlatformTech`, Surface: 16}},
			Parts:     []static.Part{{Levels: 1, Corners: corners}},
		},
	}, nadeo.Trackmania2020)
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
	if err := m.AddEmbedded("Items/Square.Item.Gbx", data); err != nil {
		log.Fatal(err)
	}
	made, err := item.Mesh()
	if err != nil {
		log.Fatal(err)
	}
	_, triangles := made.Count()
	fmt.Println(item.Name(), "of", item.Model(), "with", triangles, "triangles,", made.Materials[0].Name)
	// Output: Square of CGameCommonItemEntityModelEdition with 2 triangles, PlatformTech
}
