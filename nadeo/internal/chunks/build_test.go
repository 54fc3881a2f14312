package chunks

import (
	"reflect"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

func TestChunks(t *testing.T) {
	var l Chunks
	l.Add(&game.Chunk03043011{})
	l.Skippable(&game.Chunk03043049{}, &game.Chunk03043011{})
	var got []string
	for _, c := range l {
		got = append(got, c.ID.String())
		if c.Skip != (len(got) > 1) || c.Body == nil {
			t.Errorf("chunk %d: skip %v", len(got), c.Skip)
		}
	}
	if want := []string{"03043011", "03043049", "03043011"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got = %v; want got equal to %v", got, want)
	}
	n := Node(&game.Chunk03043011{}, &game.Chunk03043049{})
	if n.Class != 0x03043000 || len(n.Chunks) != 2 || n.Chunks[0].Skip {
		t.Errorf("%v with %d chunks", n.Class, len(n.Chunks))
	}
	if h := Header(&game.Header03043005{}, true); h.ID != 0x03043005 || !h.Heavy || h.Body == nil {
		t.Errorf("h = %+v; want h.ID = 0x03043005, h.Heavy = true, h.Body other than nil", h)
	}
	if ListVersion != 10 || IDVersion != 3 {
		t.Error("numbers that all games write")
	}
}

// signed has a version of another type than games write.
type signed struct{ Version int32 }

func (*signed) Code(*gbx.Coder) {}

// word is not a struct.
type word string

func (word) Code(*gbx.Coder) {}

func TestChunkVersion(t *testing.T) {
	if v, ok := ChunkVersion(&game.Chunk03043049{Version: 6}); v != 6 || !ok {
		t.Errorf("v = %v, ok = %v; want v = 6, ok = true", v, ok)
	}
	for _, b := range []gbx.Body{&game.Header03043005{}, &signed{5}, word("x"), new(word)} {
		if v, ok := ChunkVersion(b); v != 0 || ok {
			t.Errorf("%T: v = %d ok = %v; want v = 0, ok = false", b, v, ok)
		}
	}
	if id := ChunkID(&signed{}); id != 0 {
		t.Error("a type without a number in its name:", id)
	}
}

// A copy has the values of a node and of all below it, no node in common with it, and
// references that no file has given numbers to.
func TestCopy(t *testing.T) {
	block := Node(&game.Chunk03084007{})
	track := Node(&game.Chunk03078001{Name: "first", Blocks: []gbx.Ref{gbx.NewRef(block)}, BlocksListVersion: ListVersion})
	clip := Node(&game.Chunk0307900D{Tracks: []gbx.Ref{gbx.NewRef(track), gbx.NewRef(track)}, TracksListVersion: ListVersion, Name: "clip"})
	made, err := Copy(clip)
	if err != nil {
		t.Fatal(err)
	}
	c, ok := gbx.Find[*game.Chunk0307900D](made)
	if !ok || made == clip || c.Name != "clip" || len(c.Tracks) != 2 || c.Tracks[0].Node == nil || c.Tracks[0].Node == track {
		t.Fatalf(`c = %+v; want ok = true, made other than %v, c.Name = "clip", c.Tracks of length 2, c.Tracks[0].Node other than nil, c.Tracks[0].Node other than %v`, c, clip, track)
	}
	if c.Tracks[0].Node != c.Tracks[1].Node {
		t.Error("one node has become two")
	}
	below, ok := gbx.Find[*game.Chunk03078001](c.Tracks[0].Node)
	if !ok || below.Name != "first" || len(below.Blocks) != 1 || below.Blocks[0].Node == nil {
		t.Fatalf(`below = %+v; want ok = true, below.Name = "first", below.Blocks of length 1, below.Blocks[0].Node other than nil`, below)
	}
	for _, r := range append(c.Tracks, below.Blocks...) {
		if r.Index() != -1 {
			t.Errorf("a reference has the number %d of the old file", r.Index())
		}
	}
	broken := &gbx.Node{Class: 0x03079000, Chunks: []gbx.Chunk{{ID: 0x0307900D}}} // without a content
	if made, err := Copy(broken); err == nil || made != nil {
		t.Error("a node that cannot be written has a copy")
	}
}

// References stand in fields of fields, too, and in lists.
func TestCopyBelowFields(t *testing.T) {
	clip := Node(&game.Chunk0307900D{TracksListVersion: ListVersion, Name: "clip"})
	group := Node(&game.Chunk0307A003{Clips: []gbx.Ref{gbx.NewRef(clip)}, ClipsListVersion: ListVersion, Triggers: []game.CGameCtnMediaClipGroupTrigger{{}}})
	of := Node(&game.Chunk03043049{ClipIntro: gbx.NewRef(clip), ClipGroupInGame: gbx.NewRef(group)})
	made, err := Copy(of)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := gbx.Find[*game.Chunk03043049](made)
	g, _ := gbx.Find[*game.Chunk0307A003](c.ClipGroupInGame.Node)
	if c.ClipIntro.Node == nil || g.Clips[0].Node != c.ClipIntro.Node {
		t.Error("one node has become two")
	}
	if c.ClipIntro.Index() != -1 || c.ClipGroupInGame.Index() != -1 || g.Clips[0].Index() != -1 {
		t.Error("a reference has the number of the old file")
	}
}

// A node may lead back to itself.
func TestCopyOfCircle(t *testing.T) {
	track := Node(&game.Chunk03078001{Name: "first", BlocksListVersion: ListVersion})
	c, _ := gbx.Find[*game.Chunk03078001](track)
	c.Blocks = []gbx.Ref{gbx.NewRef(track)}
	clip := Node(&game.Chunk0307900D{Tracks: []gbx.Ref{gbx.NewRef(track)}, TracksListVersion: ListVersion})
	made, err := Copy(clip)
	if err != nil {
		t.Fatal(err)
	}
	of, _ := gbx.Find[*game.Chunk0307900D](made)
	first, ok := gbx.Find[*game.Chunk03078001](of.Tracks[0].Node)
	if !ok || len(first.Blocks) != 1 || first.Blocks[0].Node != of.Tracks[0].Node || first.Blocks[0].Index() != -1 {
		t.Errorf("first = %+v; want ok = true, first.Blocks of length 1, first.Blocks[0].Node = of.Tracks[0].Node, first.Blocks[0].Index() = -1", first)
	}
}
