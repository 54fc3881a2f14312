package game_test

import (
	"fmt"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/tree"
)

// setOne sets a value of a file and returns the value that the saved file has.
func setOne(t *testing.T, data []byte, reg *gbx.Registry, path, value string) string {
	t.Helper()
	f := parse(t, data, reg)
	if _, err := tree.Set(f, path, value); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	saved, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	all, err := tree.Of(parse(t, saved, reg))
	if err != nil {
		t.Fatal(err)
	}
	found, err := all.Find(path)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: found %d times, %v", path, len(found), err)
	}
	return found[0].Value.Text()
}

// Every single value of a packed list can be set, and is kept.
func TestSetInPackedLists(t *testing.T) {
	blocks := blocksRegistry(func() gbx.Body { return &packedList{version: 6} })
	list := game.BlockList{Blocks: game.PackBlocks([]game.CGameCtnChallengeBlock{
		{Name: gbx.NewID("a")},
		{Name: gbx.NewID("b"), Flags: game.CGameCtnChallengeBlockFlagsIsCustom, Custom: &game.CGameCtnChallengeBlockCustom{Author: gbx.NewID("me")}},
	})}
	zones := genealogyRegistry(func() gbx.Body { return new(packedGenealogies) })
	nodes := game.PackGenealogies([]gbx.Ref{
		gbx.NewRef(&gbx.Node{Class: genealogyClass, Chunks: []gbx.Chunk{{ID: genealogyChunk, Body: &game.Chunk0311D002{ZoneIDs: []gbx.ID{gbx.NewID("x"), gbx.NewID("y")}, CurrentZoneID: gbx.NewID("x")}}}}),
		{},
	})
	for _, k := range []struct {
		reg    *gbx.Registry
		body   gbx.Body
		values map[string]string
	}{
		{blocks, &packedList{version: 6, BlockList: list}, map[string]string{
			"blocks[0].name": `"c"`, "blocks[0].direction": "3", "blocks[0].coord.x": "9", "blocks[0].coord.y": "8", "blocks[0].coord.z": "7", "blocks[1].direction": "2", "blocks[1].author": `"you"`,
		}},
		{zones, &packedGenealogies{Genealogies: nodes}, map[string]string{
			"nodes[0].0311D002.currentIndex": "1", "nodes[0].0311D002.direction": "2", "nodes[0].0311D002.currentZoneId": `"y"`, "nodes[0].0311D002.zoneIds[1]": `"z"`,
		}},
	} {
		data, err := gbx.New(&gbx.Node{Class: blocksClass, Chunks: []gbx.Chunk{{ID: blocksChunk, Body: k.body}}}, k.reg).Encode()
		if err != nil {
			t.Fatal(err)
		}
		for path, value := range k.values {
			if got := setOne(t, data, k.reg, fmt.Sprintf("body.%08X.%s", blocksChunk, path), value); got != value {
				t.Errorf("%s is %s, want %s", path, got, value)
			}
		}
	}
}
