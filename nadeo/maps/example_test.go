package maps_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
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

func ExampleOpen() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	m, err := maps.Open(context.Background(), writeSample(folder))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(nadeo.Plain(m.Name()), "by", m.Author().Login)
	fmt.Println(m.BlockCount(), "blocks,", m.ItemCount(), "items")
	fmt.Println("author's time", nadeo.TimeText(m.Medals().Author))
	// Output:
	// Sample map by Ada
	// 6 blocks, 3 items
	// author's time 0:36.217
}

// AddBlock and AddItem put a checkpoint and a tree on a map. All columns of the map
// get their values.
func ExampleMap_AddBlock() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	m, err := maps.Open(context.Background(), writeSample(folder))
	if err != nil {
		log.Fatal(err)
	}
	err = m.AddBlock(maps.Block{Name: "RoadTechCheckpoint", Coord: gbx.Int3{X: 20, Y: 9, Z: 25}, Direction: 1, Color: 2, Waypoint: "Checkpoint"})
	if err != nil {
		log.Fatal(err)
	}
	tree := maps.Item{Model: m.Items()[0].Model, Position: gbx.Vec3{X: 656, Y: 8, Z: 816}}
	if err := m.AddItem(tree); err != nil {
		log.Fatal(err)
	}
	gone, err := m.RemoveBlocks(func(b *maps.Block) bool { return b.Free })
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
	m, err := maps.Open(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	if err := m.Rename("$f00Red"); err != nil {
		log.Fatal(err)
	}
	if err := m.Save(path); err != nil {
		log.Fatal(err)
	}
	again, err := maps.Open(context.Background(), path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Name(), nadeo.Plain(again.Name()), len(gbxarchive.Contradictions(again.File)))
	// Output: $f00Red Red 0
}

// A new map is built from values, and saved like any other.
func ExampleNew() {
	m, err := maps.New(maps.Options{
		Game: nadeo.ManiaPlanet4, Environment: "Valley", Mood: "Night",
		Name: "$08fBlue $zvalley", Author: nadeo.Player{Login: "ada"}, UID: "SampleUID_00000000000000001",
	})
	if err != nil {
		log.Fatal(err)
	}
	data, err := m.File.Encode()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(nadeo.Plain(m.Name()), "in", m.Collection(), "at", m.Mood(), m.Size())
	fmt.Println(len(data) > 0, gbxarchive.Contradictions(m.File))
	// Output:
	// Blue valley in Valley at Night {48 40 48}
	// true []
}
