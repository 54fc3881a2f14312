package models

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox"
	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/mesh"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/drives"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/mapmesh"
)

// A real file of a block leads to what it is drawn with, on the ground and in
// the air, by references that go up three folders and down again. The meshes are
// those of other files of the same games.
func TestBlocksOfTheGame(t *testing.T) {
	dir := corpus.Dir(t, "gbx")
	game := t.TempDir()
	put := func(from, to string) {
		data, err := os.ReadFile(filepath.Join(dir, from))
		to = filepath.Join(game, "GameData", "Bay", to)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o777)
		}
		if err == nil {
			err = os.WriteFile(to, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put("03051000/b71f448f281a.TMEDClassic.Gbx", "ConstructionBlockInfo/ConstructionBlockInfoClassic/Race/BayBridgeFinish.TMEDClassic.Gbx")
	put("09005000/85ad71271df4.Solid.Gbx", "mobil/bridge/FinishGround.Mobil.Gbx")
	put("09005000/36703e709fe0.Solid.Gbx", "Mobil/Bridge/FinishAir.Mobil.gbx")
	layout, err := drives.FindLayout(game)
	if err != nil {
		t.Fatal(err)
	}
	g, err := drives.Open(t.Context(), layout, pakbox.Formats(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	models := Of(g)

	const ground = 1 << 12
	for flags, triangles := range map[uint32]int{ground: 3602, 0: 1344} {
		m := bayMap(t)
		if err := m.AddBlock(maps.Block{Name: "BayBridgeFinish", Flags: flags, Coord: gbx.Int3{X: 3, Y: 4, Z: 5}}); err != nil {
			t.Fatal(err)
		}
		r, err := mapmesh.Of(t.Context(), m, mapmesh.Options{Game: models.ForMap()})
		if err != nil || r.Game != (mapmesh.Share{Models: 1, Things: 1, Triangles: triangles}) {
			t.Errorf("flags %X: %+v, %v", flags, r.Game, err)
		}
	}
	f, open := models.ForMap().Block("BayBridgeFinish")
	s, err := mesh.Read(f, mesh.Options{Outside: open, Variant: func(n int) bool { return n == mesh.BlockVariant(1, false, 0, 0) }})
	if err != nil || len(s.Nodes) > 0 || len(s.Variants) > 0 {
		t.Errorf("a form that the block does not have: %v, %v", s.Nodes, err)
	}
}

// bayMap is a map of Bay without a bridge on it.
func bayMap(t *testing.T) *maps.Map {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx"), "03043000/01199bac5d50.Challenge.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	m, err := maps.Of(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range m.Blocks() {
		if b.Name == "BayBridgeFinish" {
			t.Fatal("the map has such a bridge already")
		}
	}
	return m
}
