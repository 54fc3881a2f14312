package maps_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
)

// baked counts the baked blocks whose name begins with a word.
func baked(m *maps.Map, word string) (n int) {
	for b := range m.EachBakedBlock() {
		if strings.HasPrefix(b.Name, word) {
			n++
		}
	}
	return n
}

// The pieces of gates go with their gates, and all other baked blocks keep their values.
func TestPiecesOfGates(t *testing.T) {
	const gate = "GateExpandableFinish"
	seen := 0
	for path, data := range corpus.GBX(t) {
		for _, act := range []struct {
			name string
			do   func(*maps.Map) error
		}{
			{"delete", func(m *maps.Map) error {
				_, err := m.RemoveBlocks(func(b *maps.Block) bool { return b.Name == gate })
				return err
			}},
			{"move", func(m *maps.Map) error {
				f := m.Frame()
				return m.ChangeBlocks(func(b *maps.Block) {
					if b.Name == gate {
						f.MoveBlock(b, gbx.Int3{Y: 1})
					}
				})
			}},
		} {
			m, _, ok := parsed(t, data)
			if !ok || baked(m, gate) == 0 {
				continue
			}
			seen++
			var others []maps.Block
			for b := range m.EachBakedBlock() {
				if !strings.HasPrefix(b.Name, gate) {
					others = append(others, *b)
				}
			}
			if err := act.do(m); err != nil {
				t.Fatal(path, err)
			}
			saved, err := m.File.Encode()
			if err != nil {
				t.Fatal(path, err)
			}
			m, _, _ = parsed(t, saved)
			// Another map has pieces of a gate that had been moved before.
			if n := baked(m, gate); n != 0 && strings.Contains(path, "15c97963ce802b7e") {
				t.Errorf("%s: after %s %d pieces of the gate remain, want 0", path, act.name, n)
			}
			i := 0
			for b := range m.EachBakedBlock() {
				if strings.HasPrefix(b.Name, gate) {
					continue
				}
				if i >= len(others) || *b != others[i] {
					t.Fatalf("%s: after %s baked block %d is %+v", path, act.name, i, *b)
				}
				i++
			}
			for _, c := range m.Columns() {
				if c.Have != c.Want && c.Have != 0 {
					t.Errorf("%s: after %s there are %d %s, want %d", path, act.name, c.Have, c.Name, c.Want)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no map has such a gate")
	}
}

// Changing a block's colour keeps its pieces.
func TestPiecesStay(t *testing.T) {
	for path, data := range corpus.GBX(t) {
		m, _, ok := parsed(t, data)
		if !ok || m.BakedBlockCount() == 0 {
			continue
		}
		before := m.BakedBlockCount()
		if err := m.ChangeBlocks(func(b *maps.Block) { b.SetGround(!b.Ground()) }); err != nil {
			continue // this game has no such flag
		}
		if n := m.BakedBlockCount(); n != before {
			t.Errorf("%s: %d baked blocks, want %d", path, n, before)
		}
	}
}

// No deletion, move or replacement of blocks, drawn by lot, leaves pieces of gates behind.
func TestNoStrayPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	type real struct {
		path string
		data []byte
	}
	var withPieces []real
	strayBefore := 0
	for path, data := range corpus.GBX(t) {
		m, _, ok := parsed(t, data)
		if !ok {
			continue
		}
		if n := len(m.StrayPieces()); n > 0 {
			strayBefore++
			t.Logf("%s: %d pieces without their gate", path, n)
		}
		if m.BakedBlockCount() > 0 && m.BlockCount() > 0 && m.BlockCount() < 3000 {
			withPieces = append(withPieces, real{path, data})
		}
	}
	if len(withPieces) == 0 || strayBefore != 2 {
		t.Fatalf("%d maps with baked blocks, %d with stray pieces; want 2, whose gate was moved alone", len(withPieces), strayBefore)
	}
	for i := range 200 {
		r := withPieces[i%len(withPieces)]
		m, _, _ := parsed(t, r.data)
		before := len(m.StrayPieces())
		list := m.Blocks()
		gone := list[rng.IntN(len(list))].Name
		if i%2 == 0 { // gates are few among the blocks
			for k := range list {
				if strings.HasPrefix(list[k].Name, "Gate") {
					gone = list[k].Name
				}
			}
		}
		act := rng.IntN(3)
		f := m.Frame()
		var err error
		switch act {
		case 0:
			_, err = m.RemoveBlocks(func(b *maps.Block) bool { return b.Name == gone })
		case 1:
			err = m.ChangeBlocks(func(b *maps.Block) {
				if b.Name == gone {
					f.MoveBlock(b, gbx.Int3{X: 3, Z: 3})
				}
			})
		case 2:
			err = m.ChangeBlocks(func(b *maps.Block) {
				if b.Name == gone {
					b.Name = "RoadTechStraight"
				}
			})
		}
		if err != nil {
			continue // a block would leave the map
		}
		if n := len(m.StrayPieces()); n > before {
			t.Errorf("%s: after act %d on %s %d pieces have no gate, want %d", r.path, act, gone, n, before)
		}
	}
}
