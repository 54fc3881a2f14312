package maps_test

import (
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/roomtest"
)

// eachMap goes through the maps of the corpus, those in replays too.
func eachMap(t *testing.T, test func(name string, m *maps.Map)) {
	t.Helper()
	for _, folders := range [][]string{roomtest.MapFolders, {"03093000"}} {
		roomtest.Each(t, folders, func(c roomtest.File) {
			f := c.File
			if inside := roomtest.MapInReplay(f); inside != nil {
				f = roomtest.Parse(t, inside)
			}
			if m, err := maps.Of(f); err == nil {
				test(c.Path, m)
			}
		})
	}
}

// joint is a place where an end of a road lies, as the side of a cell with a
// height in hundredths of a metre.
type joint struct {
	at   gbx.Int3
	side int
	from int
	to   int
}

// joints counts the ends of roads that meet: on both sides of a side of a cell
// there is one, at the same heights.
func joints(m *maps.Map, list []maps.Block) int {
	ends := map[joint]bool{}
	var all []joint
	for i := range list {
		b := &list[i]
		kind := m.Kind(b)
		if b.Free || kind == nil {
			continue
		}
		size := kind.Cells(b.Ground()).Size
		for _, e := range kind.Ends {
			cell := gbx.Int3{X: int32(e.Cell), Z: int32(e.Cell)}
			switch e.Side {
			case blocks.North:
				cell.Z = size.Z - 1
			case blocks.South:
				cell.Z = 0
			case blocks.West:
				cell.X = size.X - 1
			case blocks.East:
				cell.X = 0
			}
			from, to := int(e.From*100), int(e.To*100)
			// A quarter makes the low end of a side along z the high one along x.
			if s := int(e.Side); (b.Direction == 1 && s%2 == 1) || b.Direction == 2 || (b.Direction == 3 && s%2 == 0) {
				from, to = to, from
			}
			at := blocks.TurnCell(cell, size, b.Direction)
			base := (int(b.Coord.Y) + kind.Rise) * 800
			j := joint{gbx.Int3{X: b.Coord.X + at.X, Z: b.Coord.Z + at.Z}, (int(e.Side) + b.Direction) % 4, base + from, base + to}
			if !ends[j] {
				ends[j] = true
				all = append(all, j)
			}
		}
	}
	n := 0
	for _, j := range all {
		j.at.X += [4]int32{0, -1, 0, 1}[j.side]
		j.at.Z += [4]int32{1, 0, -1, 0}[j.side]
		j.side = (j.side + 2) % 4
		if ends[j] {
			n++
		}
	}
	return n
}

// On every real map, four quarter turns and two mirrors give the same blocks
// again, one of each keeps all ends of roads that meet, and at most one map in
// ten has blocks whose mirror image is not known.
func TestTracksStayTracks(t *testing.T) {
	t.Parallel()
	seen, refused, all, twice := 0, 0, 0, 0
	eachMap(t, func(name string, m *maps.Map) {
		list := m.Blocks()
		if len(list) == 0 {
			return
		}
		seen++
		f, grid := m.Frame(), m.Grid()
		known := true
		for i := range list {
			known = known && f.Mirrorable(&list[i])
		}
		if !known {
			refused++
		}
		met := joints(m, list)
		all += met
		for along, change := range []func(*maps.Block, *maps.Box){
			func(b *maps.Block, box *maps.Box) { f.MirrorBlock(b, *box, maps.AxisX) },
			func(b *maps.Block, box *maps.Box) { f.MirrorBlock(b, *box, maps.AxisZ) },
			func(b *maps.Block, box *maps.Box) { f.TurnBlock(b, *box, 1) },
		} {
			got, box, times := append([]maps.Block{}, list...), grid, []int{2, 2, 4}[along]
			for i := range times {
				for k := range got {
					change(&got[k], &box)
				}
				if times == 4 {
					box.Max.X, box.Max.Z = box.Max.Z, box.Max.X
				}
				if n := joints(m, got); n != met {
					t.Errorf("%s: after change %d, %d times, %d of %d ends of roads meet", name, along, i+1, n, met)
				}
			}
			for k := range got {
				if same := got[k] == list[k]; !same && !(got[k].Free && near(got[k].Position, list[k].Position)) {
					t.Errorf("%s: %+v became %+v", name, list[k], got[k])
					return
				}
			}
		}
		if m.Collection() == "Stadium2020" {
			twice += takenTwice(m, list)
		}
	})
	t.Logf("%d maps, %d refused, %d joints, %d cells of Trackmania taken twice", seen, refused, all, twice)
	if seen < 250 || refused*10 > seen || all < 2500 || twice > 20 {
		t.Errorf("%d maps, %d refused, %d joints, %d cells of Trackmania taken twice", seen, refused, all, twice)
	}
}

// takenTwice counts the cells that two blocks take that may not overlap.
func takenTwice(m *maps.Map, list []maps.Block) (n int) {
	taken := map[gbx.Int3]bool{}
	for i := range list {
		b := &list[i]
		if b.Free || b.Ghost() || m.Kind(b) == nil {
			continue
		}
		for _, c := range m.Cells(b) {
			if taken[c] {
				n++
			}
			taken[c] = true
		}
	}
	return n
}
