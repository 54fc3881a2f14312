package maps

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/nadeotest/roomtest"
)

// Blocks gone through in haste are those of the list, with the same names in the
// same places: as found, and with free blocks among those of the grid.
func TestBareBlocks(t *testing.T) {
	t.Parallel()
	compared, free := 0, 0
	roomtest.Each(t, roomtest.MapFolders, func(c roomtest.File) {
		m, err := Of(c.File)
		if err != nil {
			return
		}
		compared += sameBareBlocks(t, c.Path, m)
		if _, ok := find[*game.Chunk0304305F](m); !ok || free == 3 {
			return
		}
		m = saved(t, m)
		for _, b := range []Block{
			{Name: "A", Free: true, Position: gbx.Vec3{X: 100, Y: 50, Z: 200}, YawPitchRoll: gbx.Vec3{X: 1}},
			{Name: "B", Coord: gbx.Int3{X: 3, Y: 9, Z: 4}, Direction: 2},
			{Name: "A", Free: true, Position: gbx.Vec3{X: 7}, YawPitchRoll: gbx.Vec3{Z: 2}},
		} {
			try(t, m.AddBlock(b))
		}
		sameBareBlocks(t, c.Path+" with free blocks", m)
		sameBareBlocks(t, c.Path+" with free blocks, saved", saved(t, m))
		free++
	})
	if compared == 0 || free == 0 {
		t.Errorf("%d blocks compared, %d maps with free ones", compared, free)
	}
}

// sameBareBlocks compares, and gives how many blocks there are.
func sameBareBlocks(t *testing.T, path string, m *Map) int {
	list := m.Blocks()
	i := 0
	for b := range m.EachBareBlock() {
		want := list[i]
		got := *b
		got.Author, got.Skin, got.Waypoint, got.Order, got.Color = want.Author, want.Skin, want.Waypoint, want.Order, want.Color
		if got != want {
			t.Errorf("%s: block %d: %+v, want %+v", path, i, got, want)
			return i
		}
		i++
	}
	if i != len(list) {
		t.Errorf("%s: %d blocks, want %d", path, i, len(list))
	}
	return i
}
