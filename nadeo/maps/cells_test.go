package maps

import (
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
	"pakbox/nadeo/nadeotest/roomtest"
)

// In real maps the cells of blocks do not overlap, save where ground is: that
// proves the shapes and the way they are turned. Turned the other way, curves
// run into what stands in their corners.
func TestBlocksDoNotOverlap(t *testing.T) {
	t.Parallel()
	large, cells, overlaps, otherWay := 0, 0, 0, 0
	count := func(m *Map, list []Block, turned int) int {
		n := 0
		taken := map[gbx.Int3]bool{}
		for i := range list {
			b := list[i]
			b.Direction = b.Direction * turned & 3
			all := m.Cells(&b)
			if turned == 1 {
				cells += len(all)
				if len(all) > 1 {
					large++
				}
			}
			for _, c := range all {
				if taken[c] {
					n++
				}
				taken[c] = true
			}
		}
		return n
	}
	roomtest.Each(t, roomtest.MapFolders, func(c roomtest.File) {
		m, err := Of(c.File)
		if err != nil || !strings.Contains("Speed Alpine Rally Island Bay Coast", m.Collection()) || m.Collection() == "" {
			return
		}
		var list []Block
		for _, b := range m.Blocks() {
			if !b.Free && !b.Pillar() && !isGround(b.Name) {
				list = append(list, b)
			}
		}
		overlaps += count(m, list, 1)
		otherWay += count(m, list, 3)
	})
	if large < 5000 || overlaps*100 > cells || overlaps*6 > otherWay*5 {
		t.Errorf("%d large blocks, %d cells, %d taken twice; turned the other way %d", large, cells, overlaps, otherWay)
	}
}

// isGround reports whether a block lies below others.
func isGround(name string) bool {
	for _, word := range []string{"Hill", "Grass", "Field", "Cliff", "Rocky", "Dirt", "Pool", "Beach", "Water", "Sea"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

func TestCells(t *testing.T) {
	f := roomtest.Hard(t, "57d2b4139d128582.Map.Gbx")
	m, err := Of(f)
	if err != nil {
		t.Fatal(err)
	}
	// Storm: an item stores the cell that it stands in, and most fit 8 by 2 m.
	if size, floor := m.CellSize(), m.Floor(); size != (gbx.Vec3{X: 8, Y: 2, Z: 8}) || floor != 9 {
		t.Errorf("cells of %v, floor %v", size, floor)
	}
	if got := m.Cells(&Block{Name: "Anything", Coord: gbx.Int3{X: 1, Y: 2, Z: 3}}); len(got) != 1 || got[0] != (gbx.Int3{X: 1, Y: 2, Z: 3}) {
		t.Errorf("an unknown block takes %v", got)
	}
	for direction, want := range []gbx.Int3{{X: 2, Z: 0}, {X: 1, Z: 2}, {X: 0, Z: 1}, {X: 0, Z: 0}} {
		if got := blocks.TurnCell(gbx.Int3{X: 2}, gbx.Int3{X: 3, Y: 1, Z: 2}, direction); got != want {
			t.Errorf("direction %d: %v, want %v", direction, got, want)
		}
	}
}
