package trackmania_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/mesh"
	"pakbox/internal/testkit/mapsample"
	"pakbox/trackmania"
)

// writeSample writes a small map to a folder.
func writeSample(folder string) (path string) {
	data, err := mapsample.Map()
	if err != nil {
		log.Fatal(err)
	}
	path = filepath.Join(folder, "Sample.Map.Gbx")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		log.Fatal(err)
	}
	return path
}

func ExampleOpenMap() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	m, err := trackmania.OpenMap(context.Background(), writeSample(folder))
	if err != nil {
		log.Fatal(err)
	}
	info := m.Info()
	fmt.Println(trackmania.Plain(info.Name), "by", info.AuthorLogin)
	fmt.Println(info.BlockCount, "blocks,", info.ItemCount, "items")
	fmt.Println("author's time", trackmania.TimeText(m.Medals().Author))
	// Output:
	// Sample map by Ada
	// 6 blocks, 3 items
	// author's time 0:36.217
}

// A checkpoint and a tree are put on a map; what the map says about each of its
// blocks and items stays in step.
func ExampleMap_AddBlock() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	m, err := trackmania.OpenMap(context.Background(), writeSample(folder))
	if err != nil {
		log.Fatal(err)
	}
	err = m.AddBlock(trackmania.Block{Name: "RoadTechCheckpoint", Coord: gbx.Int3{X: 20, Y: 9, Z: 25}, Direction: 1, Color: 2, Waypoint: "Checkpoint"})
	if err != nil {
		log.Fatal(err)
	}
	tree := trackmania.Item{Model: m.Items()[0].Model, Position: gbx.Vec3{X: 656, Y: 8, Z: 816}}
	if err := m.AddItem(tree); err != nil {
		log.Fatal(err)
	}
	gone, err := m.RemoveBlocks(func(b *trackmania.Block) bool { return b.Free })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.BlockCount(), "blocks,", m.ItemCount(), "items;", gone, "block went")
	// Output: 6 blocks, 4 items; 1 block went
}

// A map is renamed in every place that holds its name, and saved.
func ExampleMap_Rename() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := writeSample(folder)
	m, err := trackmania.OpenMap(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	if err := m.Rename("$f00Red"); err != nil {
		log.Fatal(err)
	}
	data, err := m.File.Encode()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		log.Fatal(err)
	}
	again, err := trackmania.OpenMap(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Name(), trackmania.Plain(again.Name()), len(trackmania.Contradictions(again.File)))
	// Output: $f00Red Red 0
}

func ExampleTimeText() {
	fmt.Println(trackmania.TimeText(36217), trackmania.TimeText(gbx.NoTime))
	// Output: 0:36.217 -:--.---
}

// A new map is built from values, and saved like any other.
func ExampleNewMap() {
	m, err := trackmania.NewMap(trackmania.MapOptions{
		Game: trackmania.ManiaPlanet4, Environment: "Valley", Mood: "Night",
		Name: "$08fBlue $zvalley", Author: trackmania.Player{Login: "ada"}, UID: "SampleUID_00000000000000001",
	})
	if err != nil {
		log.Fatal(err)
	}
	data, err := m.File.Encode()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(trackmania.Plain(m.Name()), "in", m.Collection(), "at", m.Mood(), m.Size())
	fmt.Println(len(data) > 0, trackmania.Contradictions(m.File))
	// Output:
	// Blue valley in Valley at Night {48 40 48}
	// true []
}

// A map gets an intro: a camera that moves, a title, and a fade out of black.
func ExampleNewClip() {
	g := trackmania.Trackmania2020
	m, err := trackmania.NewMap(trackmania.MapOptions{Game: g, Name: "With an intro"})
	if err != nil {
		log.Fatal(err)
	}
	camera := trackmania.MediaCamera{Keys: []trackmania.CameraKey{
		{Time: 0, Interpolation: game.CGameCtnMediaBlockCameraCustomInterpolationHermite, Position: gbx.Vec3{X: 600, Y: 80, Z: 600}, PitchYawRoll: gbx.Vec3{X: 0.4, Y: 0.8}, FOV: 75},
		{Time: 6, Position: gbx.Vec3{X: 700, Y: 40, Z: 700}, PitchYawRoll: gbx.Vec3{X: 0.2, Y: 0.8}, FOV: 60},
	}}
	title := trackmania.MediaText{Text: "$o$fffWelcome", Color: gbx.Color{R: 1, G: 1, B: 1}, Keys: trackmania.Still(1, 5)}
	fade := trackmania.MediaFade{Keys: []trackmania.FadeKey{{Time: 0, Opacity: 1}, {Time: 1, Opacity: 0}}}
	clip, err := trackmania.NewClip(g, "Intro",
		trackmania.Track{Name: "Camera", Blocks: []trackmania.MediaBlock{{Media: camera}}},
		trackmania.Track{Name: "Title", Blocks: []trackmania.MediaBlock{{Media: title}}},
		trackmania.Track{Name: "Fade", Blocks: []trackmania.MediaBlock{{Media: fade}}})
	if err != nil {
		log.Fatal(err)
	}
	if err := m.AddClip(trackmania.MapClip{Clip: *clip, Use: trackmania.ClipIntro}); err != nil {
		log.Fatal(err)
	}
	for _, c := range m.Clips() {
		fmt.Println(c.Use, c.Length(), "seconds")
		for _, t := range c.Tracks() {
			fmt.Println(t.Name, t.Blocks[0].Kind, t.Blocks[0].Start, "to", t.Blocks[0].End)
		}
	}
	// Output:
	// intro 6 seconds
	// Camera CameraCustom 0 to 6
	// Title Text 1 to 5
	// Fade TransitionFade 0 to 1
}

// A square of metal becomes an item, which a new map brings along.
func ExampleNewItem() {
	square := &mesh.Geometry{
		Positions: []gbx.Vec3{{}, {Z: 8}, {X: 8, Z: 8}, {X: 8}},
		UVs:       [][]gbx.Vec2{{{}, {Y: 1}, {X: 1, Y: 1}, {X: 1}}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
	}
	shape := &mesh.Scene{
		Nodes:     []*mesh.Node{{Transform: mesh.Identity, Mesh: &mesh.Mesh{Parts: []mesh.Part{{Geometry: square}}}}},
		Materials: []mesh.Material{{Name: "PlatformTech"}},
	}
	item, err := trackmania.NewItem(trackmania.ItemOptions{Name: "Square", Author: "ada", Mesh: shape})
	if err != nil {
		log.Fatal(err)
	}
	data, err := item.File.Encode()
	if err != nil {
		log.Fatal(err)
	}
	m, err := trackmania.NewMap(trackmania.MapOptions{Name: "With a square"})
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
	// Output: Square of CGameCommonItemEntityModelEdition with 4 vertices, 2 triangles, PlatformTech
}
