package maps_test

import (
	"fmt"
	"log"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

// sampleMap is a small map.
func sampleMap() *maps.Map {
	data, err := mapsample.Map()
	if err != nil {
		log.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		log.Fatal(err)
	}
	m, err := maps.Of(f)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// corner is a macroblock of two blocks, the second east of the first. Real ones
// are files: gbx.Parse reads them.
func corner() *gbx.File {
	block := func(name string, x, direction uint8) game.CGameCtnMacroBlockInfoBlockSpawn {
		return game.CGameCtnMacroBlockInfoBlockSpawn{
			Version: 4, BlockModel: gbx.Ident{ID: gbx.NewID(name), Collection: gbx.NumberID(26), Author: gbx.NewID("Nadeo")},
			Coord: gbx.Byte3{X: x}, Direction: direction,
		}
	}
	return gbx.New(&gbx.Node{Class: 0x0310D000, Chunks: []gbx.Chunk{{ID: 0x0310D000, Body: &game.Chunk0310D000{
		BlockSpawns: []game.CGameCtnMacroBlockInfoBlockSpawn{block("RoadTechStraight", 0, 1), block("RoadTechCurve1", 1, 2)},
	}}}}, engine.Registry())
}

// RemoveBlocks selects blocks by a condition on their values.
func ExampleMap_RemoveBlocks() {
	m := sampleMap()
	gone, err := m.RemoveBlocks(func(b *maps.Block) bool { return strings.HasPrefix(b.Name, "RoadTechStr") })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(gone, "went")
	for _, b := range m.Blocks() {
		fmt.Println(b.Name)
	}
	// Output:
	// 2 went
	// RoadTechStart
	// RoadTechCheckpoint
	// RoadTechFinish
	// PlatformTechBase
}

// A macroblock is pasted with its lowest corner in a cell, turned by a quarter.
func ExampleMap_PasteMacroblock() {
	macro, err := maps.MacroblockOf(corner())
	if err != nil {
		log.Fatal(err)
	}
	m := sampleMap()
	before := m.BlockCount()
	if err := m.PasteMacroblock(macro, gbx.Int3{X: 10, Y: 9, Z: 30}, 1); err != nil {
		log.Fatal(err)
	}
	for _, b := range m.Blocks()[before:] {
		fmt.Println(b.Name, b.Coord, b.Direction)
	}
	// Output:
	// RoadTechStraight {10 9 30} 2
	// RoadTechCurve1 {10 9 31} 3
}

// With a layout, several changes are made and applied in one go: a copy of each
// block stands a level higher, and all are red.
func ExampleLayout() {
	m := sampleMap()
	l, f := m.Layout(), m.Frame()
	for _, b := range l.Blocks {
		f.MoveBlock(&b.Block, gbx.Int3{Y: 1})
		l.Blocks = append(l.Blocks, b)
	}
	for i := range l.Blocks {
		l.Blocks[i].Color = 4
	}
	if err := l.Apply(); err != nil {
		log.Fatal(err)
	}
	blocks := m.Blocks()
	fmt.Println(len(blocks), "blocks;", blocks[0].Name, blocks[0].Coord, "and", blocks[6].Name, blocks[6].Coord, blocks[6].Color)
	// Output: 12 blocks; RoadTechStart {20 9 24} and RoadTechStart {20 10 24} 4
}
