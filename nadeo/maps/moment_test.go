package maps

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
)

// TestCheckpointsLieOnTheMap: at its edge, and beside it.
func TestCheckpointsLieOnTheMap(t *testing.T) {
	m, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	size := m.Size()
	list := &game.Chunk03043017{}
	m.File.Body.Chunks = []gbx.Chunk{{ID: 0x03043017, Skip: true, Body: list}, m.File.Body.Chunks[slices.IndexFunc(m.File.Body.Chunks, func(c gbx.Chunk) bool {
		_, ok := c.Body.(*game.Chunk0304301F)
		return ok
	})]}
	inside := []gbx.Int3{{}, {X: size.X - 1, Y: size.Y - 1, Z: size.Z - 1}}
	list.Checkpoints = slices.Clone(inside)
	if got := strictCheckpoints(m, ""); got != nil {
		t.Errorf("got = %v; want nil", got)
	}
	for _, at := range []gbx.Int3{{X: -1}, {Y: -1}, {Z: -1}, {X: size.X}, {Y: size.Y}, {Z: size.Z}} {
		list.Checkpoints = append(slices.Clone(inside), at)
		if got := strictCheckpoints(m, ""); len(got) != 1 || !strings.Contains(got[0], fmt.Sprint(at)) {
			t.Errorf("%v: got = %s; want got of length 1, got[0] with fmt.Sprint(at)", at, got)
		}
	}
}

// TestEnvironmentsAreNamed: the error for an unknown environment lists the
// environments of the game.
func TestEnvironmentsAreNamed(t *testing.T) {
	_, err := New(Options{Game: nadeo.Forever, Environment: "Moon"})
	if fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), `no environment "Moon"; it has Stadium`) || !strings.Contains(err.Error(), "Island") {
		t.Errorf("err = %v; want err of kind fault.Unsupported, err with `no environment \"Moon\"; it has Stadium`, err with \"Island\"", err)
	}
}

// TestFloorOfItems: most of the items say where the floor is, if there are enough
// that say so; else what is known of the environment.
func TestFloorOfItems(t *testing.T) {
	item := func(cell uint8, y float32) gbx.Ref {
		n := newItem(8, nil)
		a, _ := gbx.Find[*game.Chunk03101002](n)
		a.BlockUnitCoord.Y, a.AbsolutePositionInMap.Y = cell, y
		return gbx.NewRef(n)
	}
	floor := func(items ...gbx.Ref) float64 {
		return madeMap(&game.Chunk0304301F{MapInfo: gbx.Ident{Collection: gbx.NewID("Valley")}}, &game.Chunk03043040{Items: items}).Floor()
	}
	// Cells of 8 m: height 17 is in the third, and cell 12 then lies 10 above the floor.
	said := []gbx.Ref{item(12, 17), item(10, 0), item(9, -0.5), item(3, 100), item(13, 25)}
	if got := floor(said...); got != 10 {
		t.Errorf("floor %g, want 10", got)
	}
	for _, silent := range []gbx.Ref{item(noCell, 0), item(10, 2e6), item(10, float32(math.NaN())), {}} {
		if got := floor(append(slices.Clone(said[:4]), silent)...); got != 5 {
			t.Errorf("floor = %g with four items that store their cell, want 5", got)
		}
	}
}

// TestMedalsInHeaders: from the first version that has them on.
func TestMedalsInHeaders(t *testing.T) {
	for version, want := range map[uint8]gbx.Time{0: gbx.NoTime, 1: 4000, 13: 4000} {
		m := madeMap()
		m.File.Header.Chunks = []gbx.HeaderChunk{{Body: &game.Header03043002{Version: version, AuthorTime: 4000, GoldTime: 5000, SilverTime: 6000, BronzeTime: 7000}}}
		if got := m.Medals().Author; got != want {
			t.Errorf("version %d: %d, want %d", version, got, want)
		}
	}
}

// TestChunkTwice: no game writes one twice, or behind a later one.
func TestChunkTwice(t *testing.T) {
	want := []chunkShape{{id: 0x03043001}, {id: 0x03043002}, {id: 0x03043003, optional: true}}
	for _, c := range []struct {
		ids  []uint32
		said int
	}{{[]uint32{1, 2}, 0}, {[]uint32{1, 2, 3}, 0}, {[]uint32{1, 1, 2}, 1}, {[]uint32{2, 1}, 1}, {[]uint32{1}, 1}, {[]uint32{1, 3, 2}, 1}} {
		var got []foundChunk
		for _, id := range c.ids {
			got = append(got, foundChunk{id: 0x03043000 | classid.ID(id), body: &game.Chunk03043034{}})
		}
		if said := compareChunks("body", want, got); len(said) != c.said {
			t.Errorf("%d: said = %q; want said of length %v", c.ids, said, c.said)
		}
	}
}

// TestModelsOfBlocks: the author of a model is unknown if only the name of a game's own
// block is known.
func TestModelsOfBlocks(t *testing.T) {
	blocks := &game.Chunk0304301F{Version: 6, MapInfo: gbx.Ident{Collection: gbx.NewID("Stadium")}}
	m := madeMap(blocks)
	for _, b := range []Block{{Name: "Road", Author: "ada", Skin: "s"}, {Name: "Wall.Block.Gbx_CustomBlock", Author: "ada"}, {Name: "Bare.Block.Gbx_CustomBlock"}} {
		if err := m.AddBlock(b); err != nil {
			t.Fatal(err)
		}
	}
	models := m.Models()
	for name, want := range map[string]string{"Road": nadeoAuthor, "wall.block.gbx": "ada"} {
		if id, err := models.Ident(name, ""); id.Author.String() != want || err != nil {
			t.Errorf("%s is of %s, %v", name, id.Author, err)
		}
	}
	if _, err := models.Ident("Bare.Block.Gbx", ""); !errors.Is(err, fault.BadEntry) {
		t.Errorf("nobody's: %v", err)
	}
	if id, err := models.Ident("Bare.Block.Gbx", "lin"); id.Author.String() != "lin" || err != nil {
		t.Errorf(`id = %v, err = %v; want id.Author.String() = "lin", no error`, id, err)
	}
	for _, c := range []struct{ name, author, skin, want string }{{"Road", "", "", ""}, {"Road", "", "s", nadeoAuthor}, {"Road", "lin", "", "lin"}, {"Wall.Block.Gbx", "", "", "ada"}} {
		if got, err := models.BlockAuthor(c.name, c.author, c.skin); got != c.want || err != nil {
			t.Errorf("%+v: got = %s, err = %v; want got = %s, no error", c, got, err, c.want)
		}
	}
}
