package maps

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/internal/places"
)

// Edits of several things at once are those of one after another.
func TestSeveralAtOnce(t *testing.T) {
	t.Parallel()
	const snapped = "03093000/6117c0454810.Replay.Gbx" // 500 items snapped to blocks, free blocks
	blocks := []Block{
		{Name: "A", Coord: gbx.Int3{X: 3, Y: 9, Z: 4}, Color: 2}, {Name: "B", Free: true, Position: gbx.Vec3{X: 7}}, {Name: "C", Free: true, Color: 1},
	}
	items := []Item{{Model: places.NoIdent, Color: 1}, {Model: places.NoIdent, Position: gbx.Vec3{X: 9}}}
	for name, c := range map[string]struct {
		together func(*Map) error
		single   []func(*Map) error
	}{
		"add": {
			func(m *Map) error { return errors.Join(m.AddBlock(blocks...), m.AddItem(items...)) },
			[]func(*Map) error{
				func(m *Map) error { return m.AddBlock(blocks[0]) }, func(m *Map) error { return m.AddBlock(blocks[1]) },
				func(m *Map) error { return m.AddBlock(blocks[2]) },
				func(m *Map) error { return m.AddItem(items[0]) }, func(m *Map) error { return m.AddItem(items[1]) },
			},
		},
		"delete": {
			func(m *Map) error { return errors.Join(deleteBlock(m, 20, 0, 6, 2, 6), deleteItem(m, 1, 499, 30)) },
			[]func(*Map) error{
				func(m *Map) error { return deleteBlock(m, 20) }, func(m *Map) error { return deleteBlock(m, 6) },
				func(m *Map) error { return deleteBlock(m, 2) }, func(m *Map) error { return deleteBlock(m, 0) },
				func(m *Map) error { return deleteItem(m, 499) }, func(m *Map) error { return deleteItem(m, 30) },
				func(m *Map) error { return deleteItem(m, 1) },
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			data := mapBytes(t, snapped)
			a, b := mapOf(t, data), mapOf(t, data)
			if err := c.together(a); err != nil {
				t.Fatal(err)
			}
			for _, edit := range c.single {
				if err := edit(b); err != nil {
					t.Fatal(err)
				}
			}
			got, err := a.File.Encode()
			if err != nil {
				t.Fatal(err)
			}
			want, err := b.File.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) || bytes.Equal(got, data) {
				t.Errorf("%s: all at once is not the same as one after another", name)
			}
		})
	}
}

// Maps of a hundred thousand blocks exist; work on them does not grow with the
// square.
func TestManyThings(t *testing.T) {
	t.Parallel()
	const many = 100_000
	signs := &game.Chunk03043065{}
	for i := range many {
		signs.Foregrounds = append(signs.Foregrounds, game.CGameCtnChallengeForeground{
			Has: 1, PackDesc: gbx.FileRef{Path: fmt.Sprintf(`Skins\Any\Advertisement\%d.png`, i)},
		})
	}
	if n := len(madeMap(signs).Dependencies()); n != many {
		t.Errorf("%d dependencies", n)
	}
	m := madeMap(&game.Chunk0304301F{Version: gridVersion}, &game.Chunk03043040{Version: 5}, &game.Chunk03043062{}, &game.Chunk0304305F{})
	if err := m.AddBlock(make([]Block, many)...); err != nil {
		t.Fatal(err)
	}
	if err := m.AddItem(make([]Item, many)...); err != nil {
		t.Fatal(err)
	}
	i := 0
	odd := func() bool { i++; return i%2 == 0 }
	if n, err := m.RemoveBlocks(func(*Block) bool { return odd() }); n != many/2 || err != nil {
		t.Fatalf("n = %v, err = %v; want n = many / 2, no error", n, err)
	}
	if n, err := m.RemoveItems(func(*Item) bool { return odd() }); n != many/2 || err != nil {
		t.Fatalf("n = %v, err = %v; want n = many / 2, no error", n, err)
	}
	if b, i, c := len(m.Blocks()), len(m.Items()), len(m.colors()); b != many/2 || i != many/2 || c != many {
		t.Errorf("%d blocks, %d items, %d colours are left", b, i, c)
	}
}

// The XML in the header has a flag for ghost blocks.
func TestGhostBlocksInXML(t *testing.T) {
	m := mapOf(t, mapBytes(t, "03043000/9dcf8d1fd282.Map.Gbx"))
	x, _ := head[*game.Header03043005](m)
	has := func(want string) {
		t.Helper()
		if !bytes.Contains([]byte(x.XML), []byte(` hasghostblocks="`+want+`"`)) {
			t.Errorf("want %s in %s", want, x.XML)
		}
	}
	has("0")
	if err := m.AddBlock(Block{Name: "A", Flags: uint32(game.CGameCtnChallengeBlockFlagsIsGhost)}, Block{Name: "B"}); err != nil {
		t.Fatal(err)
	}
	has("1")
	if err := deleteBlock(m, len(m.Blocks())-2); err != nil {
		t.Fatal(err)
	}
	has("0")
}
